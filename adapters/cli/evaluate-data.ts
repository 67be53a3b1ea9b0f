/** The data of `context-shaping evaluate`: its own lines, and lines that name lockfiles. */
import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ContextShapingError } from '../../src/index.js';
import { isObject } from '../../src/internal.js';
import type { EvaluateOptions } from '../evaluate/index.js';
import { UsageError } from './errors.js';
import { pipeAt, readJson, why } from './files.js';
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
  const json = await readJson(file, 'Name a lockfile that context-shaping record wrote.', signal);
  const [{ lockfileCase }, { parseLockfile }] = await Promise.all([
    import('../evaluate/index.js'),
    import('../lockfile/index.js'),
  ]);
  try {
    const lockfile = parseLockfile(json as object);
    return lockfileCase(lockfile, rest as unknown as Parameters<typeof lockfileCase>[1]);
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    throw error.renamed((field) =>
      field.startsWith('lockfile') ? field.replace('lockfile', file) : `${data}: ${field}`,
    );
  }
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
