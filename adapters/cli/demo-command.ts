/** `context-shaping demo`: over-fetch from real documentation, shape, and show the report. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document, DocumentInterface } from '@langchain/core/documents';
import type { KeptEntry, ShapedChunk } from '../../src/index.js';
import { importOptional } from '../../src/internal.js';
import type { ContextShapingCompressorFields, ShapedDocuments } from '../langchain/index.js';
import { fieldsAsWritten } from '../shape-request/index.js';
import { type Corpus, findNodeModules, listFiles, loadSplitter, readFiles } from './demo-corpus.js';
import { demoPage } from './demo-page.js';
import { applyFlags } from './flags.js';
import { type Format, printResult } from './shape-command.js';
import { type Io, startProgress, styleFor, widthOf, write } from './terminal.js';

export const DEFAULT_QUESTION = 'How does fastify validate the body of a request with a JSON schema?';

export const loadPackage = <T>(module: () => Promise<T>): Promise<T> =>
  importOptional(
    module,
    'context-shaping demo',
    // Without the flag npm also installs the peer dependencies of every integration of @langchain/community.
    'npm install --legacy-peer-deps @langchain/core @langchain/community @langchain/textsplitters',
  );

export interface DemoFlags {
  fetch: number;
  budget: number;
  k?: number;
  format?: Format;
  verbose?: boolean;
}

export async function demoCommand(question: string, flags: DemoFlags, io: Io): Promise<void> {
  const { BM25Retriever } = await loadPackage(() => import('@langchain/community/retrievers/bm25'));
  const corpus = await readCorpus(io, flags.verbose);
  const retriever = BM25Retriever.fromDocuments(corpus.chunks, { k: flags.fetch, includeScore: true });
  const retrieved = await retriever.invoke(question, { signal: io.signal });
  const shaped = await shape(retrieved, question, flags, io.signal);
  if (flags.format !== undefined) {
    const chunks = shaped.documents.map((document, at) =>
      toChunk(document, shaped.report.kept[at] as KeptEntry),
    );
    return printResult({ chunks, report: shaped.report }, flags.format, io);
  }
  const page = demoPage({ question, corpus, ...shaped }, widthOf(io.stdout), styleFor(io.stdout, io.env));
  await write(io.stdout, `${page}\n`);
}

async function readCorpus(io: Io, verbose = false): Promise<Corpus> {
  const split = await loadPackage(loadSplitter);
  const root = findNodeModules(dirname(fileURLToPath(import.meta.url)));
  if (verbose) await write(io.stderr, `Reading documentation in ${root}.\n`);
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

/** Uses the public API as a user of LangChain does. Errors name this program's flags. */
async function shape(
  retrieved: readonly DocumentInterface[],
  question: string,
  { budget, k }: DemoFlags,
  signal: AbortSignal,
): Promise<ShapedDocuments> {
  const { ContextShapingCompressor } = await loadPackage(() => import('../langchain/index.js'));
  const { options, flagOf } = applyFlags({}, { budget, ...(k === undefined ? {} : { k }) });
  try {
    const compressor = new ContextShapingCompressor({
      ...options,
      scoreField: 'bm25Score',
    } as ContextShapingCompressorFields);
    return await compressor.shape(retrieved, question, { signal });
  } catch (error) {
    throw fieldsAsWritten(error, { query: 'question', embedding: 'question' }, flagOf);
  }
}

function toChunk({ pageContent, metadata }: DocumentInterface, entry: KeptEntry): ShapedChunk {
  const { id, index, score, tokens, relevance, sources, excerpts, sanitised } = entry;
  return {
    id,
    text: pageContent,
    ...(score === undefined ? {} : { score }),
    metadata,
    index,
    tokens,
    ...(relevance === undefined ? {} : { relevance }),
    sources,
    ...(excerpts === undefined ? {} : { excerpts }),
    ...(sanitised === undefined ? {} : { sanitised }),
  };
}
