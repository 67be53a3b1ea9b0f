import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Finished, inOrder, type WINDOW } from '../../src/batch/in-order.js';
import { type InputLine, readLines } from '../../src/batch/read-lines.js';
import type { BatchLine, Executor, Outcome } from '../../src/batch/types.js';

const shaped = (json: string): Outcome => ({ is: 'shaped', json });
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

/** Writes the finished lines one after the other. */
async function written(
  lines: AsyncIterable<InputLine>,
  executor: Pick<Executor, 'run'>,
  limits: typeof WINDOW,
  signal: AbortSignal,
  write: (finished: Finished) => Promise<void>,
): Promise<void> {
  for await (const each of inOrder(lines, executor, limits, signal)) await write(each);
}

/** Finishes its lines in a random order, and knows how much is open. */
class RandomExecutor {
  readonly open: { line: number; finish: () => void }[] = [];
  constructor(readonly outcomeOf: (line: BatchLine) => Outcome) {}
  run(line: BatchLine): Promise<Outcome> {
    return new Promise((resolve) => {
      this.open.push({ line: line.line, finish: () => resolve(this.outcomeOf(line)) });
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
  limits: fc.record({ lines: fc.integer({ min: 1, max: 20 }), bytes: fc.integer({ min: 1, max: 300 }) }),
  picks: fc.infiniteStream(fc.nat()),
});

test('in any order of finishing, results come in the order of the lines, and the window keeps its bounds', () =>
  fc.assert(
    fc.asyncProperty(setting, async ({ texts, results, limits, picks }) => {
      const jsonOf = (line: number) => 'x'.repeat(results[line % results.length] as number);
      const executor = new RandomExecutor(({ line }) => shaped(jsonOf(line)));
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
        const inWindow = read.slice(found.length);
        expect(inWindow.length).toBeLessThanOrEqual(limits.lines);
        const open = new Set(executor.open.map(({ line }) => line));
        const held = inWindow.reduce(
          (sum, line) =>
            sum + (open.has(line.line) || length(line) === 0 ? length(line) : jsonOf(line.line).length),
          0,
        );
        // One line may exceed it, and so may the results of the others.
        expect(held).toBeLessThanOrEqual(limits.bytes + largest + inWindow.length * 40);
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
  expect(read).toBe(50);
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
  const executor = { run: async () => shaped('{}') };
  const running = written(linesOf(['a', 'b']), executor, { lines: 9, bytes: 1e6 }, never, async () => {
    throw new Error('full');
  });
  await expect(running).rejects.toThrow('full');
});
