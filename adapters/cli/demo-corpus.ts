/** The corpus of the demo: the Markdown files of a folder, in chunks. */
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chunk } from '../../src/index.js';
import { split } from './demo-split.js';
import { UsageError } from './errors.js';
import { why } from './files.js';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
/** Files without explanations: licences, rules of conduct, and change logs of several megabytes. */
const SKIPPED =
  /^(?:licen[cs]e|copying|notice|code_of_conduct|changelog|changes|history|release-?notes)[^/]*$/i;
/** Keeps the demo fast in a large folder. */
const MOST_CHARACTERS = 8_000_000;

export interface Corpus {
  /** Number of files that were read, and of all files. They differ if the folder is larger than the limit. */
  files: number;
  allFiles: number;
  chunks: Chunk[];
  headings: string[];
}

/**
 * Paths of the Markdown files below a folder, sorted by code unit in each folder, so that the order is the same
 * everywhere. Folders named `node_modules` or with a dot in front are left out, unless they are the folder itself.
 */
export async function listMarkdown(folder: string, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  const visit = async (inside: string): Promise<void> => {
    signal.throwIfAborted();
    for (const entry of await entriesOf(join(folder, inside))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && entry.name !== 'node_modules') await visit(path);
      } else if (MARKDOWN.test(entry.name) && !SKIPPED.test(entry.name) && !entry.isFIFO()) paths.push(path);
    }
  };
  await visit('');
  return paths;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw new UsageError(`Cannot read ${folder}: ${why(cause)}. Name a folder that can be read.`, { cause });
  }
}

/** Reads files in order until the limit is reached. */
export async function readCorpus(
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
  onFile: () => void,
): Promise<Corpus> {
  const [chunks, headings]: [Chunk[], string[]] = [[], []];
  let [characters, files] = [0, 0];
  for (const path of paths) {
    if (characters > MOST_CHARACTERS) break;
    const text = await readMarkdown(join(folder, path), signal);
    characters += text.length;
    files += 1;
    const found = split({ path, text });
    for (const chunk of found.chunks) chunks.push(chunk);
    for (const heading of found.headings) headings.push(heading);
    onFile();
  }
  return { files, allFiles: paths.length, chunks, headings };
}

async function readMarkdown(file: string, signal: AbortSignal): Promise<string> {
  try {
    return await readFile(file, { encoding: 'utf8', signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new UsageError(`Cannot read ${file}: ${why(cause)}. Search another folder.`, { cause });
  }
}

const WORDS = /[\p{L}\p{N}]{4,}/gu;
const wordsOf = (text: string) => new Set(text.toLowerCase().match(WORDS));

/**
 * The heading to ask for if the user gave no question: one that is a question, else one of at least three long words,
 * else of two. Among them, the heading whose rarest word is in the most chunks; the first at a tie.
 */
export function questionFrom({ chunks, headings }: Corpus): string | undefined {
  const counts = new Map<string, number>();
  for (const { text } of chunks)
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rated = [...new Set(headings)].map((heading) => {
    const words = [...wordsOf(heading)];
    const spread = Math.min(...words.map((word) => counts.get(word) ?? 0));
    const kind = words.length < 2 ? 0 : heading.endsWith('?') ? 3 : Math.min(words.length, 3) - 1;
    return { heading, spread, kind };
  });
  const [best] = rated.sort((a, b) => b.kind - a.kind || b.spread - a.spread);
  return best?.heading;
}
