/** `context-shaping demo`: over-fetches from Markdown, shapes, and shows the context and the report. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Chunk, createShaper, type ShapingResult } from '../../src/index.js';
import { fieldsAsWritten } from '../shape-request/index.js';
import { type Corpus, DEFAULT_QUESTION, DEMO_OPTIONS, readCorpus, retrieve } from './demo-corpus.js';
import { UsageError } from './errors.js';
import { saveTo } from './files.js';
import { applyFlags } from './flags.js';
import { EXCERPT, screenOf } from './screen.js';
import { type Format, printResult } from './shape-command.js';
import { type Io, printable, write } from './terminal.js';

/** Number of chunks that the demo retrieves. */
export const DEFAULT_FETCH = 60;

export interface DemoFlags {
  fetch: number;
  budget: number;
  k?: number;
  format?: Format;
  save?: string;
  verbose?: boolean;
}

/** A corpus and the question to ask it. */
interface Search {
  question: string;
  corpus: Corpus;
  /** The searched folder, as the user named it; absent: the demo's own corpus. */
  folder?: string;
}

export async function demoCommand(args: readonly string[], flags: DemoFlags, io: Io): Promise<void> {
  const save = await saveTo(flags.save, io);
  const search = await chooseSearch(args, flags, io);
  const { question, corpus } = search;
  const retrieved = await retrieve(question, corpus.chunks, flags.fetch, io.signal);
  const given = optionsOf(search, flags);
  const result = await shape(question, retrieved, given, flags.format, io.signal);
  await save({ query: question, chunks: retrieved, options: given.options });
  if (flags.format !== undefined) return printResult(result, flags.format, io);
  const next = [['npx context-shaping demo FOLDER "QUESTION"', 'search your own Markdown']] as const;
  const shown = { question, from: searched(search), result, next };
  await write(io.stdout, `${await screenOf(shown, flags, io)}\n`);
}

function searched({ corpus: { files, chunks }, folder }: Search): string[] {
  const counted = (value: number, what: string) =>
    `${value.toLocaleString('en-US')} ${what}${value === 1 ? '' : 's'}`;
  const from =
    folder === undefined ? ': a made-up manual that comes with the package.' : ` in ${printable(folder)}.`;
  return [`Found in ${counted(chunks.length, 'chunk')} of ${counted(files, 'Markdown file')}${from}`];
}

/** Two arguments are a folder and a question; a single one is a question about the demo's own corpus. */
async function chooseSearch(args: readonly string[], flags: DemoFlags, io: Io): Promise<Search> {
  const [folder, question] = args.length === 2 ? args : [undefined, args[0]];
  if (folder === undefined) {
    if (question !== undefined && existsSync(question))
      throw new UsageError(`${question} is a file or a folder. Give a folder and a question, in quotes.`);
    return { corpus: await read(ownFolder(), flags, io), question: question ?? DEFAULT_QUESTION };
  }
  const corpus = await read(folder, flags, io);
  if (corpus.chunks.length === 0)
    throw new UsageError(`The folder ${folder} has no Markdown. Name another folder.`);
  return { folder, corpus, question: question as string };
}

/** The question of the demo, the chunks that its retriever finds, and its options beside the budget. */
export async function demoPool({ signal }: Pick<Io, 'signal'>) {
  const { chunks } = await readCorpus(ownFolder(), signal);
  const question = DEFAULT_QUESTION;
  const found = await retrieve(question, chunks, DEFAULT_FETCH, signal);
  return { question, chunks: found, options: DEMO_OPTIONS };
}

/** The folder `demo` of this package: two folders up, in the sources and in a build. */
const ownFolder = () => fileURLToPath(new URL('../../demo', import.meta.url));

async function read(folder: string, { verbose }: Pick<DemoFlags, 'verbose'>, io: Io): Promise<Corpus> {
  if (verbose) await write(io.stderr, `Reading Markdown in ${folder}.\n`);
  return readCorpus(folder, io.signal);
}

const optionsOf = ({ folder }: Search, { budget, k }: DemoFlags) =>
  applyFlags(folder === undefined ? DEMO_OPTIONS : {}, { budget, ...(k === undefined ? {} : { k }) });

/** Errors name this program's flags. */
async function shape(
  question: string,
  chunks: readonly Chunk[],
  { options: given, flagOf }: ReturnType<typeof applyFlags>,
  format: Format | undefined,
  signal: AbortSignal,
): Promise<ShapingResult> {
  // Only the screen shows what texts say where they differ.
  const options = format === undefined ? { ...given, preview: EXCERPT } : given;
  try {
    return await createShaper(options).shape({ query: question, chunks, signal });
  } catch (error) {
    throw fieldsAsWritten(error, { query: 'question' }, flagOf);
  }
}
