import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Finished, inOrder } from '../../src/batch/in-order.js';
import { type InputLine, readLines } from '../../src/batch/read-lines.js';
import type { BatchLine, Executor, Outcome, WindowLimits } from '../../src/batch/types.js';

const shaped = (json: string): Outcome => ({ is: 'shaped', json });
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

/** Writes the finished lines one after the other. */
async function written(
  lines: AsyncIterable<InputLine>,
  executor: Pick<Executor, 'run' | 'concurrency'>,
  limits: WindowLimits,
  signal: AbortSignal,
  write: (finished: Finished) => Promise<void>,
): Promise<void> {
  for await (const each of inOrder(lines, executor, limits, signal)) await write(each);
}

/** Finishes its lines in a random order, and knows how much is open. */
class RandomExecutor {
  readonly open: { line: number; finish: () => void }[] = [];
  most = 0;
  constructor(
    readonly concurrency: number,
    readonly outcomeOf: (line: BatchLine) => Outcome,
  ) {}
  run(line: BatchLine): Promise<Outcome> {
    return new Promise((resolve) => {
      this.open.push({ line: line.line, finish: () => resolve(this.outcomeOf(line)) });
      this.most = Math.max(this.most, this.open.length);
    });
  }
}

const linesOf = (texts: readonly string[]) => {
  async function* bytes() {
    yield Buffer.from(texts.map((text) => `${text}\n`).join(''));
  }
  return readLines(bytes(), { line: 0, offset: 0 }, 1000);
};

const setting = fc.record({
  texts: fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 }), { maxLength: 60 }),
  results: fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
  limits: fc.record({ lines: fc.integer({ min: 1, max: 20 }), bytes: fc.integer({ min: 1, max: 300 }) }),
  picks: fc.infiniteStream(fc.nat()),
});

test('in any order of finishing, results come in the order of the lines, and the window keeps its bounds', () =>
  fc.assert(
    fc.asyncProperty(setting, async ({ texts, results, concurrency, limits, picks }) => {
      const jsonOf = (line: number) => 'x'.repeat(results[line % results.length] as number);
      const executor = new RandomExecutor(concurrency, ({ line }) => shaped(jsonOf(line)));
      const found: Finished[] = [];
      const read: InputLine[] = [];
      async function* counted() {
        for await (const line of linesOf(texts)) {
          read.push(line);
          yield line;
        }
      }
      let isOver = false;
      const write = async (finished: Finished) => {
        found.push(finished);
        await turn();
      };
      const running = written(counted(), executor, limits, never, write).finally(() => {
        isOver = true;
      });
      const length = ({ content }: InputLine) => (content instanceof Uint8Array ? content.length : 0);
      const largest = Math.max(0, ...texts.map(({ length }) => length));
      while (!isOver) {
        // The line that was read last waits for room; the window has those before it.
        const inWindow = read.slice(found.length, -1);
        expect(inWindow.length).toBeLessThanOrEqual(limits.lines);
        expect(executor.open.length).toBeLessThanOrEqual(concurrency);
        const open = new Set(executor.open.map(({ line }) => line));
        const held = inWindow.reduce(
          (sum, line) =>
            sum + (open.has(line.line) || length(line) === 0 ? length(line) : jsonOf(line.line).length),
          0,
        );
        // One line, and the results of those under way, may exceed it.
        expect(held).toBeLessThanOrEqual(limits.bytes + largest + concurrency * 40);
        const at = (picks.next().value as number) % Math.max(1, executor.open.length);
        executor.open.splice(at, 1)[0]?.finish();
        await turn();
      }
      await running;
      expect(found.map(({ given }) => given.line)).toEqual(texts.map((_, at) => at + 1));
      for (const { given, outcome } of found) {
        const isBlank = texts[given.line - 1]?.trim() === '';
        expect(outcome).toEqual(isBlank ? 'blank' : shaped(jsonOf(given.line)));
      }
    }),
  ));

test('one slow line stops the reading, not the memory', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield { line: read, start: 0, end: 0, content: new Uint8Array(10) };
    }
  }
  let finishFirst = () => {};
  const executor = {
    concurrency: 4,
    run: ({ line }: BatchLine): Promise<Outcome> =>
      line === 1
        ? new Promise((resolve) => {
            finishFirst = () => resolve(shaped('{}'));
          })
        : Promise.resolve(shaped('{}')),
  };
  const interrupt = new AbortController();
  const found: number[] = [];
  const running = written(
    endless(),
    executor,
    { lines: 50, bytes: 1e6 },
    interrupt.signal,
    async ({ given }) => {
      found.push(given.line);
      if (found.length > 500) interrupt.abort();
    },
  );
  for (let at = 0; at < 200; at++) await turn();
  // 50 in the window, and one that waits for room.
  expect(read).toBe(51);
  expect(found).toEqual([]);
  finishFirst();
  await expect(running).rejects.toThrow('aborted');
  expect(found).toEqual(found.map((_, at) => at + 1));
});

test.each([
  ['the executor fails', (line: number) => line === 30],
  ['the signal aborts', () => false],
])('if %s, the finished lines before are written', async (_, fails) => {
  const interrupt = new AbortController();
  const executor = {
    concurrency: 3,
    run: async ({ line }: BatchLine) => {
      if (fails(line)) throw new Error('out of order');
      if (line === 30) interrupt.abort(new Error('out of order'));
      await turn();
      return shaped(`{"of":${line}}`);
    },
  };
  const texts = Array.from({ length: 100 }, () => 'a');
  const found: number[] = [];
  const running = written(
    linesOf(texts),
    executor,
    { lines: 9, bytes: 1e6 },
    interrupt.signal,
    async ({ given }) => {
      found.push(given.line);
    },
  );
  await expect(running).rejects.toThrow('out of order');
  expect(found.length).toBeGreaterThanOrEqual(20);
  expect(found.length).toBeLessThan(40);
  expect(found).toEqual(found.map((_, at) => at + 1));
});

test('an error of the writing ends it at once', async () => {
  const executor = { concurrency: 3, run: async () => shaped('{}') };
  const running = written(linesOf(['a', 'b']), executor, { lines: 9, bytes: 1e6 }, never, async () => {
    throw new Error('full');
  });
  await expect(running).rejects.toThrow('full');
});
