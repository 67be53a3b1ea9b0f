/**
 * A page of the documentation as a project: its named blocks are files, its other blocks of TypeScript and shell are run
 * in their order, as pasted into an empty file or a terminal. No code is added to them.
 */
import { readFileSync } from 'node:fs';

export interface Block {
  language: string;
  /** The file that the block is saved as: the name in brackets after the language. */
  file?: string;
  code: string;
  /** The line of its fence, from 1. */
  line: number;
  /** The exact standard output, from a following block `text [output]`. */
  output?: string;
}

const FENCE = /^( *)(`{3,})(\w*)[^\S\n]*(?:\[([^\]\n]+)\])?[^\n]*\n([\s\S]*?)^\1\2[^\S\n]*$/gm;
const OUTPUT = 'output';

export const blocksOf = (file: string): Block[] => blocksIn(readFileSync(file, 'utf8'));

export function blocksIn(markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(FENCE)) {
    const [, indent = '', , language = '', name, body = ''] = match;
    const code = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const line = markdown.slice(0, match.index).split('\n').length;
    if (name !== OUTPUT) {
      blocks.push({ language, code, line, ...(name !== undefined && { file: name }) });
      continue;
    }
    const before = blocks.at(-1);
    if (before === undefined || !isRun(before))
      throw new Error(`line ${line}: there is no block of which this is the output`);
    before.output = code;
  }
  return blocks;
}

/** Whether the block is run on its own, and is not a file that other blocks use. */
export const isRun = ({ language, file }: Block): boolean =>
  file === undefined && (language === 'ts' || language === 'sh');

/** The file that a block of TypeScript is pasted into. */
export const fileOf = ({ file, line }: Block): string => file ?? `line-${line}.ts`;
