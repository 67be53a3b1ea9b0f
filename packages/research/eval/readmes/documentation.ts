/** The Markdown documentation of the packages in `node_modules`, in chunks of LangChain's splitter. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Document } from '@langchain/core/documents';
import { plain } from '../../../../adapters/cli/demo-corpus.js';

/** Files without explanations: licences, rules for contributors, and change logs of several megabytes. */
const SKIPPED =
  /(?:^|\/)(?:licen[cs]e|copying|notice|code_of_conduct|security|contributing|changelog|changes|history|release-?notes)[^/]*$/i;
/** Keeps the suite fast. The documentation of this project is a third of the limit. */
const MOST_CHARACTERS = 8_000_000;
const CHUNK_CHARACTERS = 800;

export interface CorpusFile {
  /** Path relative to `node_modules`, with forward slashes. */
  path: string;
  text: string;
}

/** The `node_modules` folder that contains this package; in a clone, the one in the clone. */
export function findNodeModules(from: string): string {
  const parts = from.split(sep);
  const inside = parts.lastIndexOf('node_modules');
  if (inside >= 0) return parts.slice(0, inside + 1).join(sep);
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) {
      throw new Error(
        'The suite searches the documentation in node_modules, and there is none. Run npm ci first.',
      );
    }
  }
}

/** Paths of the Markdown files, sorted by code unit, so that the order is the same everywhere. */
export async function listFiles(root: string): Promise<string[]> {
  // Entries with types, because plain paths would follow the link to this repository, which has the folder in it.
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => /\.md$/i.test(path) && !SKIPPED.test(path));
  if (files.length === 0) throw new Error(`There is no Markdown documentation in ${root}. Run npm ci first.`);
  return files.sort();
}

/** Reads files in order until the limit is reached. */
export async function* readFiles(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<CorpusFile> {
  let characters = 0;
  for (const path of paths) {
    if (characters > MOST_CHARACTERS) return;
    const text = await readFile(join(root, path), { encoding: 'utf8', signal });
    characters += text.length;
    yield { path, text };
  }
}

interface Splitter {
  createDocuments(texts: string[], metadatas: Record<string, unknown>[]): Promise<Document[]>;
}

/** A splitter of one file into chunks, each with an id and its heading. */
export async function loadSplitter(): Promise<(file: CorpusFile) => Promise<Document[]>> {
  const { MarkdownTextSplitter } = await import('@langchain/textsplitters');
  const splitter: Splitter = new MarkdownTextSplitter({ chunkSize: CHUNK_CHARACTERS, chunkOverlap: 0 });
  return async ({ path, text }) => {
    const headingAt = headings(text);
    const documents = await splitter.createDocuments([text], [{ source: path }]);
    for (const [place, document] of documents.entries()) {
      const line = (document.metadata.loc as { lines: { from: number } }).lines.from;
      document.id = `${path}#${place + 1}`;
      document.metadata.title = headingAt(line);
    }
    return documents;
  };
}

/** @returns a function from a line number (from 1) to the last heading at or above it; undefined before the first. */
function headings(text: string): (line: number) => string | undefined {
  const found: { line: number; title: string }[] = [];
  let fence: string | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = fence === undefined ? mark : undefined;
    const title = fence === undefined ? /^#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1] : undefined;
    if (title !== undefined) found.push({ line: at + 1, title: plain(title) });
  }
  return (line) => found.findLast((heading) => heading.line <= line)?.title;
}
