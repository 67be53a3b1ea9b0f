/** The window of a batch: lines are shaped at once, and their outcomes come in the order of the input. */
import { setMaxListeners } from 'node:events';
import type { InputLine } from './read-lines.js';
import type { Executor, Outcome } from './types.js';

/** A line whose outcome is known. Blank lines have none. */
export interface Finished {
  given: InputLine;
  outcome: Outcome | 'blank';
}

/** Limits on the lines in memory: those that are read but not yet written, with their results. One line may exceed the bytes. */
export const WINDOW = { lines: 1000, bytes: 64 * 2 ** 20 };

const TOO_LONG = { detail: 'The line is too long.', remedy: 'Give fewer or shorter chunks.' };

/**
 * Hands lines to the executor, which shapes as many at once as it has workers. While the window is full, no line is read.
 * If a line fails, the lines before it come first.
 *
 * @throws the first error of the lines or of the executor; the reason of the signal.
 */
export async function* inOrder(
  lines: AsyncIterable<InputLine>,
  executor: Pick<Executor, 'run'>,
  limits: typeof WINDOW,
  signal: AbortSignal,
): AsyncGenerator<Finished, void, undefined> {
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  // A listener for each line under way.
  setMaxListeners(0, ends);
  const window: Promise<Finished & { bytes: number }>[] = [];
  let bytes = 0;

  const finish = async (given: InputLine) => {
    const { line, content } = given;
    if (content === 'blank') return { given, outcome: content, bytes: 0 };
    if (content === 'too-long')
      return { given, outcome: { is: 'rejected' as const, problem: TOO_LONG }, bytes: 0 };
    bytes += content.length;
    const outcome = await executor.run({ line, bytes: content }, ends);
    if (outcome.is === 'rejected') return { given, outcome, bytes: content.length };
    bytes += outcome.json.length - content.length;
    // Only a rejected line is written as it was.
    return { given: { ...given, content: 'blank' as const }, outcome, bytes: outcome.json.length };
  };
  /** Yields the lines at the front until there is room. */
  async function* until(isWanted: () => boolean): AsyncGenerator<Finished, void, undefined> {
    while (!isWanted()) {
      const first = await (window.shift() as (typeof window)[number]);
      yield first;
      bytes -= first.bytes;
    }
  }

  try {
    for await (const given of lines) {
      if (signal.aborted) break;
      const finished = finish(given);
      // Its error is thrown when it is the first.
      finished.catch(() => {});
      window.push(finished);
      yield* until(() => window.length < limits.lines && bytes < limits.bytes);
    }
    // After an abort, these are the lines that were finished before.
    yield* until(() => window.length === 0);
    signal.throwIfAborted();
  } finally {
    stop.abort();
  }
}
