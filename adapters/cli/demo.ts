/** `context-shaping demo`: over-fetch from real documentation, shape, and show the ledger. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document } from '@langchain/core/documents';
import { ContextShapingError, createShaper, type ShapingReport } from '../../src/index.js';
import { findNodeModules, listFiles, loadSplitter, readFiles } from './demo-corpus.js';
import { demoPage } from './demo-page.js';
import { inReadersTerms } from './failure.js';
import { type Format, printResult } from './shape-command.js';
import { type Io, startProgress, styleFor, widthOf, write } from './terminal.js';

export const DEFAULT_QUESTION = 'How do I make a command line option required or give it a default value?';

export interface DemoFlags {
  fetch: number;
  budget: number;
  k?: number;
  format?: Format;
}

/** How much was searched. */
export interface Corpus {
  root: string;
  files: number;
  chunks: Document[];
}

export async function demoCommand(question: string, flags: DemoFlags, io: Io): Promise<void> {
  const { BM25Retriever } = await optional('@langchain/community', () => import('@langchain/community/retrievers/bm25'));
  const corpus = await readCorpus(io);
  const retriever = BM25Retriever.fromDocuments(corpus.chunks, { k: flags.fetch, includeScore: true });
  const retrieved = await retriever.invoke(question, { signal: io.signal });
  const { documents, report } = await shapeDocuments(retrieved, question, flags, io.signal);
  if (flags.format !== undefined) {
    const chunks = documents.map((document, at) => ({
      ...(report.kept[at] as (typeof report.kept)[number]),
      text: document.pageContent,
      metadata: document.metadata,
    }));
    return printResult({ chunks, report }, flags.format, io);
  }
  const style = styleFor(io.stdout, io.env);
  await write(io.stdout, `${demoPage({ question, corpus, documents, report }, widthOf(io.stdout), style)}\n`);
}

async function readCorpus(io: Io): Promise<Corpus> {
  const split = await optional('@langchain/textsplitters', loadSplitter);
  const root = findNodeModules(dirname(fileURLToPath(import.meta.url)));
  const paths = await listFiles(root);
  const chunks: Document[] = [];
  let files = 0;
  const progress = await startProgress(io, 'Reading documentation', paths.length);
  try {
    for await (const file of readFiles(root, paths, io.signal)) {
      chunks.push(...(await split(file)));
      files += 1;
      progress.step();
    }
  } finally {
    progress.stop();
  }
  return { root, files, chunks };
}

async function shapeDocuments(
  retrieved: readonly Document[],
  question: string,
  { budget, k }: DemoFlags,
  signal: AbortSignal,
): Promise<{ documents: Document[]; report: ShapingReport }> {
  try {
    const shaper = createShaper({ budget: { maxTokens: budget }, ...(k === undefined ? {} : { k }) });
    const chunks = retrieved.map(({ id, pageContent, metadata }, index) => ({ id: id ?? String(index), text: pageContent, metadata, score: metadata.bm25Score as number }));
    const result = await shaper.shape({ query: question, chunks, signal });
    return { documents: result.chunks.map(({ index }) => retrieved[index] as Document), report: result.report };
  } catch (error) {
    const flagOf = new Map([['budget.maxTokens', '--budget'], ['k', '--k']]);
    throw inReadersTerms(error, { query: 'question', embedding: 'question' }, flagOf);
  }
}

/** Loads what a user of the package need not have. */
async function optional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new ContextShapingError('missing-dependency', {
      field: 'context-shaping demo',
      value: name,
      is: 'needs a package that is not installed',
      remedy: 'Run: npm install @langchain/community @langchain/textsplitters @langchain/core',
      cause,
    });
  }
}
