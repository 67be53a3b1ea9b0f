/** The corpus of the demo: the Markdown files of a folder, in chunks; and its retriever. The site makes its sample with both. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chunk, createShaper } from '../../src/index.js';
import { messageOf } from '../../src/internal.js';
import { UsageError } from './errors.js';
import { readText } from './files.js';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
/** Files without explanations: licences, rules of conduct, and change logs of several megabytes. */
const SKIPPED =
  /^(?:licen[cs]e|copying|notice|code_of_conduct|changelog|changes|history|release-?notes)[^/]*$/i;

export interface Corpus {
  /** Number of files. */
  files: number;
  chunks: Chunk[];
}

/**
 * Paths of the Markdown files below a folder, sorted by code unit in each folder, so that the order is the same
 * everywhere. Folders named `node_modules` or with a dot in front are left out, unless they are the folder itself.
 */
async function listMarkdown(folder: string, signal: AbortSignal): Promise<string[]> {
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
    throw new UsageError(`Cannot read ${folder}: ${messageOf(cause)}. Name a folder that can be read.`, {
      cause,
    });
  }
}

/** Reads the Markdown of a folder in order. */
export async function readCorpus(folder: string, signal: AbortSignal): Promise<Corpus> {
  const paths = await listMarkdown(folder, signal);
  const chunks: Chunk[] = [];
  for (const path of paths) {
    const text = await readText(join(folder, path), 'Search another folder.', signal);
    for (const chunk of split(path, text)) chunks.push(chunk);
  }
  return { files: paths.length, chunks };
}

/** About 200 tokens of English. */
const CHUNK_CHARACTERS = 800;
/** A chunk of this length ends before the next heading. */
const ENOUGH_CHARACTERS = 400;

/**
 * The chunks of a Markdown file, each with its heading and its line. Paragraphs, lists, tables and fenced code stay whole if
 * they fit. A heading begins a new chunk.
 *
 * @param path relative to the searched folder, with forward slashes.
 */
export function split(path: string, text: string): Chunk[] {
  const chunks: Chunk[] = [];
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
  return chunks;
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

/** The made-up manual has a sentence that gives an order to a model. */
export const DEMO_OPTIONS = { flag: { evict: ['instruction' as const] } };

/** The question of the demo. */
export const DEFAULT_QUESTION = 'How long does Cormorant retry a failed webhook delivery?';

/** The most relevant chunks by words alone. A retriever has its place here: BM25, vectors, or both. */
export async function retrieve(
  question: string,
  chunks: readonly Chunk[],
  count: number,
  signal: AbortSignal,
): Promise<Chunk[]> {
  const ranker = createShaper({
    tokenizer: 'characters/4',
    ...{ flag: false, exactDedup: false, semanticDedup: false },
    ...{ cluster: false, select: false, extract: false },
  });
  const { chunks: ranked } = await ranker.shape({ query: question, chunks, signal });
  return ranked.slice(0, count).map(({ id, text, metadata, relevance }) => ({
    id,
    text,
    metadata: metadata ?? {},
    score: relevance ?? 0,
  }));
}
