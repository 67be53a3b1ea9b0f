/** The window of a batch: lines are shaped at once, and their outcomes come in the order of the input. */
import { setMaxListeners } from 'node:events';
import type { InputLine } from './read-lines.js';
import type { Executor, Outcome, WindowLimits } from './types.js';

/** A line whose outcome is known. Blank lines have none. */
export interface Finished {
  given: InputLine;
  outcome: Outcome | 'blank';
}

interface Slot {
  given: InputLine;
  /** Absent while the line is shaped. */
  outcome?: Outcome | 'blank';
  bytes: number;
}

const TOO_LONG = { detail: 'The line is too long.', remedy: 'Give fewer or shorter chunks.' };

/**
 * Shapes lines, at most `executor.concurrency` at once. While the window is full, no line is read. If a line fails, the
 * finished lines before the first unfinished one come first.
 *
 * @throws the first error of the lines or of the executor; the reason of the signal.
 */
export async function* inOrder(
  lines: AsyncIterable<InputLine>,
  executor: Pick<Executor, 'run' | 'concurrency'>,
  limits: WindowLimits,
  signal: AbortSignal,
): AsyncGenerator<Finished, void, undefined> {
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  // A listener for each line under way.
  setMaxListeners(0, ends);
  const slots: Slot[] = [];
  let bytes = 0;
  let running = 0;
  let failure: { error: unknown } | undefined;
  let wake = () => {};

  const resize = (slot: Slot, to: number) => {
    bytes += to - slot.bytes;
    slot.bytes = to;
  };
  const shape = async (slot: Slot, content: Uint8Array) => {
    resize(slot, content.length);
    running += 1;
    try {
      const outcome = await executor.run({ line: slot.given.line, bytes: content }, ends);
      if (outcome.is === 'shaped') {
        resize(slot, outcome.json.length);
        // Only a rejected line is written as it was.
        slot.given = { ...slot.given, content: 'blank' };
      }
      slot.outcome = outcome;
    } catch (error) {
      failure ??= { error };
    }
    running -= 1;
    wake();
  };
  /** Yields the finished lines at the front until the window is as wanted. */
  async function* until(isWanted: () => boolean): AsyncGenerator<Finished, void, undefined> {
    for (;;) {
      for (let [first] = slots; first?.outcome !== undefined; [first] = slots) {
        slots.shift();
        yield { given: first.given, outcome: first.outcome };
        resize(first, 0);
      }
      signal.throwIfAborted();
      if (failure !== undefined) throw failure.error;
      if (isWanted()) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  try {
    for await (const given of lines) {
      yield* until(
        () => slots.length < limits.lines && bytes < limits.bytes && running < executor.concurrency,
      );
      const slot: Slot = { given, bytes: 0 };
      slots.push(slot);
      if (given.content === 'blank') slot.outcome = 'blank';
      else if (given.content === 'too-long') slot.outcome = { is: 'rejected', problem: TOO_LONG };
      else void shape(slot, given.content);
    }
    yield* until(() => slots.length === 0);
  } finally {
    stop.abort();
  }
}
