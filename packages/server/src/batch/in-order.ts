/** The window of a batch: lines are shaped at once, and their outcomes written in the order of the input. */
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

/** Outcomes are written in portions of about so many bytes. */
const PORTION = 2 ** 20;

/**
 * Shapes lines, at most `executor.concurrency` at once, and writes their outcomes in order. While the window is full, no
 * line is read. If it fails, the finished lines before the first unfinished one are written first.
 *
 * @param write gets lines that follow each other; the next ones wait until it resolves.
 * @throws the first error of the lines, of the executor or of `write`; the reason of the signal.
 */
export async function inOrder(
  lines: AsyncIterable<InputLine>,
  executor: Pick<Executor, 'run' | 'concurrency'>,
  limits: WindowLimits,
  signal: AbortSignal,
  write: (finished: readonly Finished[]) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  const slots: Slot[] = [];
  const changes = new Changes();
  let bytes = 0;
  let running = 0;
  let isRead = false;
  let failure: { error: unknown } | undefined;

  const fail = (error: unknown) => {
    failure ??= { error };
    stop.abort(error);
    changes.tell();
  };
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  const resize = (slot: Slot, to: number) => {
    bytes += to - slot.bytes;
    slot.bytes = to;
  };
  const shape = async (slot: Slot, content: Uint8Array) => {
    running += 1;
    try {
      const { line } = slot.given;
      const outcome = await executor.run({ line, bytes: content }, ends);
      if (outcome.is === 'shaped') {
        resize(slot, outcome.json.length);
        // Only a rejected line is written as it was.
        slot.given = { ...slot.given, content: 'blank' };
      }
      slot.outcome = outcome;
    } catch (error) {
      fail(error);
    }
    running -= 1;
    changes.tell();
  };
  const hasRoom = () => slots.length < limits.lines && bytes < limits.bytes && running < executor.concurrency;
  const read = async () => {
    for await (const given of lines) {
      while (!hasRoom() && failure === undefined) await changes.next();
      if (failure !== undefined) return;
      const slot: Slot = { given, bytes: 0 };
      slots.push(slot);
      if (given.content === 'blank') slot.outcome = 'blank';
      else if (given.content === 'too-long') slot.outcome = { is: 'rejected', problem: TOO_LONG };
      else {
        resize(slot, given.content.length);
        void shape(slot, given.content);
      }
      changes.tell();
    }
    isRead = true;
    changes.tell();
  };
  const reading = read().catch(fail);

  try {
    for (;;) {
      const ready = firstFinished(slots);
      if (ready.length > 0) {
        await write(ready as (Slot & Finished)[]);
        for (const slot of slots.splice(0, ready.length)) bytes -= slot.bytes;
        changes.tell();
      } else if (failure !== undefined) throw failure.error;
      else if (isRead && slots.length === 0) return;
      else await changes.next();
    }
  } catch (error) {
    fail(error);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await reading;
  }
}

const TOO_LONG = {
  detail: 'The line is too long.',
  remedy: 'Give fewer or shorter chunks, or raise the limit.',
};

/** The finished lines before the first unfinished one, up to a portion. */
function firstFinished(slots: readonly Slot[]): Slot[] {
  const ready: Slot[] = [];
  let size = 0;
  for (const slot of slots) {
    if (slot.outcome === undefined || size > PORTION) break;
    ready.push(slot);
    size += slot.bytes;
  }
  return ready;
}

/** Wakes those that wait for something to change. */
class Changes {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  tell(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
