/** The data of `context-shaping evaluate`: its own lines, and lines that name lockfiles. */
import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { ContextShapingError } from '../../src/index.js';
import { isObject } from '../../src/internal.js';
import type { EvaluateOptions } from '../evaluate/index.js';
import { UsageError } from './errors.js';
import { pipeAt, readText, why } from './files.js';
import { parseJson } from './parse-json.js';
import type { Io } from './terminal.js';

const LINE_REMEDY = 'Write one question per line, as context-shaping evaluate --help shows.';

/** The cases, their number, and the names of fields in messages. */
export async function openCases(
  data: string | undefined,
  { signal }: Io,
): Promise<{
  cases: EvaluateOptions['cases'];
  count: number;
  fieldOf: (field: string) => string;
}> {
  if (data === undefined) throw new UsageError('Give the questions with --data.');
  const numbers: number[] = [];
  for await (const { number } of filledLines(data, signal)) numbers.push(number);
  return {
    async *cases() {
      for await (const { text, number } of filledLines(data, signal)) {
        const value: unknown = parseJson(text, data, { line: number, remedy: LINE_REMEDY });
        yield await withLockfile(value, data, signal);
      }
    },
    count: numbers.length,
    fieldOf: (field) =>
      field.replace(/^cases(?:\[(\d+)\])?/, (_, at) =>
        at === undefined ? data : `${data}, line ${numbers[Number(at)]}, $`,
      ),
  };
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

/** The bytes of a file in the folder of the data, links resolved: the writer of a line may not read other files by it. */
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
  const input = (await pipeAt(file, signal)) ?? createReadStream(file, { signal });
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
