/** The data of `context-shaping-devtools evaluate`, one case per line. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Io } from 'context-shaping/cli';
import { parseJsonFile as parseJson, pipeAt, UsageError } from 'context-shaping/cli';
import { messageOf } from 'context-shaping/kit';
import type { EvaluateOptions } from '../evaluate/index.js';

const LINE_REMEDY = 'Write one question per line, as context-shaping-devtools evaluate --help shows.';

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
        yield parseJson(text, `${data}, line ${number}`, LINE_REMEDY);
      }
    },
    count: numbers.length,
    fieldOf: (field) =>
      field.replace(/^cases(?:\[(\d+)\])?/, (_, at) =>
        at === undefined ? data : `${data}, line ${numbers[Number(at)]}, $`,
      ),
  };
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
    throw new UsageError(`Cannot read ${file}: ${messageOf(cause)}. Name another file.`, { cause });
  } finally {
    input.destroy();
  }
}
