/** Splits Markdown into chunks, each with its heading and its line. */
import type { Chunk } from '../../src/index.js';

/** About 200 tokens of English. */
const CHUNK_CHARACTERS = 800;
/** A chunk of this length ends before the next heading. */
const ENOUGH_CHARACTERS = 400;

export interface MarkdownFile {
  /** Relative to the searched folder, with forward slashes. */
  path: string;
  text: string;
}

/** Paragraphs, lists, tables and fenced code stay whole if they fit. A heading begins a new chunk. */
export function split({ path, text }: MarkdownFile): { chunks: Chunk[]; headings: string[] } {
  const chunks: Chunk[] = [];
  const headings: string[] = [];
  let lines: string[] = [];
  let [from, length, title] = [1, 0, ''];
  const end = () => {
    const body = lines.join('\n').trim();
    if (/[\p{L}\p{N}]/u.test(body.replace(/^#.*$/gm, ''))) {
      const metadata = { source: path, loc: { lines: { from } }, ...(title === '' ? {} : { title }) };
      chunks.push({ id: `${path}#${chunks.length + 1}`, text: body, metadata });
    }
    [lines, length] = [[], 0];
  };
  for (const block of blocks(text)) {
    if (block.heading !== undefined) {
      if (length >= ENOUGH_CHARACTERS) end();
      if (lines.every(isHeading)) title = block.heading;
      headings.push(block.heading);
    }
    for (const part of cut(block.lines)) {
      const size = part.lines.reduce((sum, line) => sum + line.length + 1, 0);
      if (length > 0 && length + size > CHUNK_CHARACTERS && !lines.every(isHeading)) end();
      if (lines.length === 0) from = block.line + part.at;
      lines.push(...part.lines, '');
      length += size;
    }
  }
  end();
  return { chunks, headings };
}

interface Block {
  /** From 1. */
  line: number;
  lines: string[];
  /** Plain text of the heading, if the block is one. */
  heading?: string;
}

const isHeading = (line: string) => line === '' || /^#{1,6}\s/.test(line);

/** Headings, fenced code with its fences, and other lines up to the next blank line. */
function blocks(text: string): Block[] {
  const found: Block[] = [];
  let open: Block | undefined;
  let fence: string | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const inside = fence !== undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    const heading = inside ? undefined : /^#{1,6}\s+(.+)/.exec(line)?.[1]?.replace(/(?<!#)#+\s*$/, '');
    if (heading !== undefined) {
      found.push({ line: at + 1, lines: [line], heading: plain(heading) });
      open = undefined;
    } else if (line.trim() === '' && !inside) open = undefined;
    else if (open === undefined) {
      open = { line: at + 1, lines: [line] };
      found.push(open);
    } else open.lines.push(line);
  }
  return found;
}

/** A block in parts that fit a chunk, cut between lines. A single line of any length is one part. */
function cut(lines: readonly string[]): { at: number; lines: string[] }[] {
  const parts: { at: number; lines: string[] }[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const [at, line] of lines.entries()) {
    if (size + line.length > CHUNK_CHARACTERS) {
      parts.push({ at, lines: [] });
      size = 0;
    }
    parts.at(-1)?.lines.push(line);
    size += line.length + 1;
  }
  return parts;
}

/** A heading without links, pictures, tags and code marks. */
export function plain(heading: string): string {
  return heading
    .replace(/<[^<>]*>/g, '')
    .replace(/!?\[([^[\]]*)\](?:\([^)]{0,500}\)|\[[^[\]]*\])?/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
}
