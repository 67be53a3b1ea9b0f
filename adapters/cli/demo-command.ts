/** `context-shaping demo`: over-fetches from Markdown, shapes, and shows the context and the report. */
import { join } from 'node:path';
import { type Chunk, createShaper, type ShapingResult } from '../../src/index.js';
import { fieldsAsWritten } from '../shape-request/index.js';
import { readArguments } from './demo-arguments.js';
import { type Corpus, listMarkdown, questionFrom, readCorpus } from './demo-corpus.js';
import { demoPage } from './demo-page.js';
import { UsageError } from './errors.js';
import { applyFlags } from './flags.js';
import { ownPackage } from './package-root.js';
import { type Format, printResult } from './shape-command.js';
import { type Io, startProgress, styleFor, widthOf, write } from './terminal.js';

export const DEFAULT_QUESTION = 'How long does Cormorant retry a failed webhook delivery?';

/** Number of chunks that the demo retrieves. */
export const DEFAULT_FETCH = 60;

export interface DemoFlags {
  fetch: number;
  budget: number;
  k?: number;
  format?: Format;
  verbose?: boolean;
}

/** A corpus and the question to ask it. */
interface Search {
  question: string;
  corpus: Corpus;
  /** The searched folder, as the user named it; absent: the demo's own corpus. */
  folder?: string;
  /** The user gave no question, so it is a heading of the corpus. */
  isHeading?: boolean;
}

export async function demoCommand(args: readonly string[], flags: DemoFlags, io: Io): Promise<void> {
  const search = await chooseSearch(args, flags, io);
  const { question, corpus } = search;
  const retrieved = await retrieve(question, corpus.chunks, flags.fetch, io.signal);
  const result = await shape(question, retrieved, flags, io.signal);
  if (flags.format !== undefined) return printResult(result, flags.format, io);
  const page = demoPage({ ...search, ...result }, widthOf(io.stdout), styleFor(io.stdout, io.env));
  await write(io.stdout, `${page}\n`);
}

/** The guide to the command line and `--help` state these rules. */
async function chooseSearch(args: readonly string[], flags: DemoFlags, io: Io): Promise<Search> {
  const { folder, question } = await readArguments(args);
  if (folder !== undefined) {
    const corpus = await read(folder, flags, io);
    if (corpus.chunks.length === 0)
      throw new UsageError(`There is no Markdown in ${folder}. Name a folder with .md files.`);
    const asked = question ?? questionFrom(corpus);
    if (asked === undefined)
      throw new UsageError(`The Markdown in ${folder} has no headings to ask for. Add a question.`);
    return { folder, corpus, question: asked, isHeading: question === undefined };
  }
  if (question !== undefined) {
    const corpus = await read('.', flags, io);
    if (corpus.chunks.length >= Math.max(1, flags.fetch)) return { folder: '.', corpus, question };
  }
  return { corpus: await readOwn(flags, io), question: question ?? DEFAULT_QUESTION };
}

/** The question of the demo, and what its retriever finds. */
export async function demoPool(io: Io): Promise<{ question: string; chunks: Chunk[] }> {
  const { chunks } = await readOwn({}, io);
  return {
    question: DEFAULT_QUESTION,
    chunks: await retrieve(DEFAULT_QUESTION, chunks, DEFAULT_FETCH, io.signal),
  };
}

const readOwn = (flags: Pick<DemoFlags, 'verbose'>, io: Io) =>
  read(join(ownPackage().root, 'demo'), flags, io);

async function read(
  folder: string,
  { verbose = false }: Pick<DemoFlags, 'verbose'>,
  io: Io,
): Promise<Corpus> {
  if (verbose) await write(io.stderr, `Reading Markdown in ${folder}.\n`);
  const paths = await listMarkdown(folder, io.signal);
  const progress = await startProgress(io, 'Reading Markdown', paths.length);
  try {
    return await readCorpus(folder, paths, io.signal, () => progress.step());
  } finally {
    progress.stop();
  }
}

/** The most relevant chunks by words alone. A retriever has its place here: BM25, vectors, or both. */
export async function retrieve(
  question: string,
  chunks: readonly Chunk[],
  count: number,
  signal: AbortSignal,
): Promise<Chunk[]> {
  const ranker = createShaper({
    tokenizer: 'characters/4',
    ...{
      flag: false,
      exactDedup: false,
      semanticDedup: false,
      cluster: false,
      select: false,
      extract: false,
    },
  });
  const { chunks: ranked } = await ranker.shape({ query: question, chunks, signal });
  return ranked.slice(0, count).map(({ id, text, metadata, relevance }) => ({
    id,
    text,
    metadata: metadata ?? {},
    score: relevance ?? 0,
  }));
}

/** Errors name this program's flags. */
async function shape(
  question: string,
  chunks: readonly Chunk[],
  { budget, k }: DemoFlags,
  signal: AbortSignal,
): Promise<ShapingResult> {
  const { options, flagOf } = applyFlags({}, { budget, ...(k === undefined ? {} : { k }) });
  try {
    return await createShaper(options).shape({ query: question, chunks, signal });
  } catch (error) {
    throw fieldsAsWritten(error, { query: 'question', embedding: 'question' }, flagOf);
  }
}
