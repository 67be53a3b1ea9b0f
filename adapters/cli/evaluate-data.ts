/** The data of `context-shaping evaluate`: its own lines, lockfiles, transcripts, and the files of benchmarks. */
import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { ContextShapingError } from '../../src/index.js';
import { isObject } from '../../src/internal.js';
import type { EvaluateOptions } from '../evaluate/index.js';
import { UsageError } from './errors.js';
import { readText, why } from './files.js';
import { parseJson } from './parse-json.js';
import { type Io, write } from './terminal.js';

const TREC_FILES = ['qrels', 'run', 'corpus', 'queries'] as const;

export interface DataFlags extends Partial<Record<(typeof TREC_FILES)[number], string>> {
  data?: string;
  depth: number;
}

const LINE_REMEDY = 'Write one question per line, as context-shaping evaluate --help shows.';

/** The cases, their number, and the names of fields in messages. */
export async function openCases(
  flags: DataFlags,
  io: Io,
): Promise<{
  cases: EvaluateOptions['cases'];
  count: number;
  fieldOf: (field: string) => string;
}> {
  const { signal } = io;
  const { data, depth } = flags;
  const given = TREC_FILES.filter((name) => flags[name] !== undefined);
  if (data === undefined) {
    const missing = TREC_FILES.filter((name) => flags[name] === undefined).map((name) => `--${name}`);
    if (given.length === 0)
      throw new UsageError('Give the questions with --data, or with --qrels, --run, --corpus and --queries.');
    if (missing.length > 0) throw new UsageError(`--${given[0]} needs ${missing.join(', ')} too.`);
    const { trecCases } = await import('../evaluate/index.js');
    const lines = (name: (typeof TREC_FILES)[number]) => linesOf(flags[name] as string, signal);
    const files = {
      qrels: lines('qrels'),
      run: lines('run'),
      corpus: lines('corpus'),
      queries: lines('queries'),
    };
    const cases = await trecCases(files, { depth });
    return { cases, count: cases.length, fieldOf: (field) => field };
  }
  if (given.length > 0) throw new UsageError(`Give either --data or --${given[0]}.`);
  const { numbers, without } = await linesWithCases(data, signal);
  if (without > 0)
    await write(
      io.stderr,
      `Left out: ${without} of the transcripts, which have no question, no passages, or no citation of one.\n`,
    );
  return {
    async *cases() {
      let left = 0;
      for await (const { text, number } of filledLines(data, signal)) {
        if (number !== numbers[left]) continue;
        left += 1;
        const value = parsed(text, data, number);
        yield (await transcriptAt(data, number, value)) ?? (await withLockfile(value, data, signal));
      }
    },
    count: numbers.length,
    fieldOf: (field) =>
      field.replace(/^cases(?:\[(\d+)\])?/, (_, at) =>
        at === undefined ? data : `${data}, line ${numbers[Number(at)]}, $`,
      ),
  };
}

/** The numbers of the lines with a case, and how many transcripts have none. */
async function linesWithCases(data: string, signal: AbortSignal) {
  const numbers: number[] = [];
  let without = 0;
  for await (const { text, number } of filledLines(data, signal)) {
    // Other lines are read once, when their case is measured.
    const isLeftOut =
      MAY_BE_TRANSCRIPT.test(text) && (await transcriptAt(data, number, parsed(text, data, number))) === null;
    if (isLeftOut) without += 1;
    else numbers.push(number);
  }
  return { numbers, without };
}

const MAY_BE_TRANSCRIPT = /^\s*\[|"messages"/;

const parsed = (text: string, data: string, line: number): unknown =>
  parseJson(text, data, { line, remedy: LINE_REMEDY });

/** The case of a transcript: an object with `messages`, or the messages. Null if it has none; undefined for other values. */
async function transcriptAt(data: string, line: number, value: unknown) {
  const given = Array.isArray(value) ? { messages: value } : value;
  if (!isObject(given) || given.messages === undefined) return undefined;
  const { transcriptCase } = await import('../evaluate/index.js');
  return transcriptCase(given as { messages: unknown[] }, `${data}, line ${line}, $`) ?? null;
}

/** A line that names a lockfile, with the question and the chunks of the lockfile. Other values stay as they are. */
async function withLockfile(value: unknown, data: string, signal: AbortSignal): Promise<unknown> {
  if (!isObject(value) || typeof value.lockfile !== 'string') return value;
  const { lockfile: name, ...rest } = value;
  const file = join(dirname(data), name as string);
  const json = parsedQuietly(await readText(file, REMEDY, signal, () => readBeside(data, file, signal)));
  const [{ lockfileCase }, { parseLockfile }] = await Promise.all([
    import('../evaluate/index.js'),
    import('../lockfile/index.js'),
  ]);
  try {
    const lockfile = parseLockfile(json as object);
    return lockfileCase(lockfile, rest as unknown as Parameters<typeof lockfileCase>[1]);
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    const { field, problem, remedy } = error;
    if (!field.startsWith('lockfile')) throw error.renamed((name) => `${data}: ${name}`);
    // Values and keys are texts of the file, and are not shown.
    if (field === 'lockfile.texts') throw new UsageError(`${file}.texts ${problem}. ${remedy}`);
    throw new UsageError(`${file} is not a lockfile. ${REMEDY}`);
  }
}

const REMEDY = 'Name a lockfile that context-shaping record wrote, in the folder of the data.';

/** Undefined if it is no JSON: an error of the parser would quote the file. */
function parsedQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The bytes of a file in the folder of the data, links resolved: whoever wrote a line may not read other files by it. */
async function readBeside(data: string, file: string, signal: AbortSignal): Promise<Uint8Array> {
  const isWithin = (folder: string, path: string) => {
    const way = relative(folder, path);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  const outside = () => new Error('it is outside the folder of the data');
  if (!isWithin(dirname(data), file)) throw outside();
  const path = await realpath(file);
  if (!isWithin(await realpath(dirname(data)), path)) throw outside();
  const found = await stat(path);
  if (!found.isFile()) throw new Error('it is not a file');
  if (found.size > constants.MAX_STRING_LENGTH) throw new Error('it is too large');
  return readFile(path, { signal });
}

async function* filledLines(file: string, signal: AbortSignal) {
  let number = 0;
  for await (const text of linesOf(file, signal)) {
    number += 1;
    if (text.trim() !== '') yield { text, number };
  }
}

/** The lines of a file, as they are read. */
async function* linesOf(file: string, signal: AbortSignal): AsyncGenerator<string> {
  const input = createReadStream(file, { signal });
  try {
    let isFirst = true;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      yield isFirst ? line.replace(/^\uFEFF/, '') : line;
      isFirst = false;
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (typeof (cause as NodeJS.ErrnoException).code !== 'string') throw cause;
    throw new UsageError(`Cannot read ${file}: ${why(cause)}. Name another file.`, { cause });
  } finally {
    input.destroy();
  }
}
