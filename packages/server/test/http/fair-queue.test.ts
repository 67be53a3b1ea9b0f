/** The order of waiting requests: equal to the definition in the paper, with the bounds that the paper promises. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue, SIZE_CLASSES } from '../../src/http/fair-queue.js';

const sizeOf = (bytes: number) => SIZE_CLASSES.findIndex(({ mostBytes }) => bytes <= mostBytes);
const bytes = fc.oneof(fc.integer({ min: 1, max: 2 ** 17 }), fc.integer({ min: 1, max: 2 ** 25 }));

type Step = { add: number } | 'serve' | { leave: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ add: bytes }),
  fc.constant('serve' as const),
  fc.record({ leave: fc.nat() }),
);

/** Start-time fair queueing as its authors define it: a request gets its tags at its arrival. */
class Definition {
  #v = 0;
  #finish = SIZE_CLASSES.map(() => 0);
  #waiting: { name: number; size: number; start: number }[] = [];

  add(name: number, count: number): void {
    const size = sizeOf(count);
    const start = Math.max(this.#v, this.#finish[size] as number);
    this.#finish[size] = start + count;
    this.#waiting.push({ name, size, start });
  }

  serve(): number | undefined {
    const [next] = this.#waiting.toSorted((a, b) => a.start - b.start || a.size - b.size);
    if (next === undefined) return undefined;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#v = Math.max(this.#v, next.start);
    return next.name;
  }
}

test('the order is that of the definition', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.record({ add: bytes }), fc.constant('serve' as const))), (steps) => {
      const queue = new FairQueue<number>();
      const definition = new Definition();
      for (const [name, each] of steps.entries()) {
        if (each === 'serve') expect(queue.shift()?.value).toBe(definition.serve());
        else {
          queue.add(name, each.add);
          definition.add(name, each.add);
        }
      }
    }),
    { numRuns: 500 },
  );
});

/** Plays the steps. @returns the served and the left requests, each as the number of the step that added it. */
function play(steps: readonly Step[], without: ReadonlySet<number> = new Set()) {
  const queue = new FairQueue<number>();
  const waiting: { name: number; entry: ReturnType<typeof queue.add> }[] = [];
  const served: (number | undefined)[] = [];
  const left = new Set<number>();
  for (const [name, each] of steps.entries()) {
    if (each === 'serve') {
      const found = queue.shift()?.value;
      served.push(found);
      const at = waiting.findIndex((other) => other.name === found);
      if (at >= 0) waiting.splice(at, 1);
    } else if ('add' in each) {
      if (!without.has(name)) waiting.push({ name, entry: queue.add(name, each.add) });
    } else if (without.size === 0 && waiting.length > 0) {
      const [gone] = waiting.splice(each.leave % waiting.length, 1);
      if (gone === undefined) continue;
      queue.remove(gone.entry);
      left.add(gone.name);
    }
    expect(queue.length).toBe(waiting.length);
  }
  return { served, left };
}

test('a request that leaves changes nothing for the others', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { served, left } = play(steps);
      fc.pre(left.size > 0);
      expect(play(steps, left).served).toEqual(served);
    }),
    { numRuns: 500 },
  );
});

test('within a class, the first to come is the first served', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { served } = play(steps);
      for (const size of SIZE_CLASSES.keys()) {
        const own = served.filter((name) => {
          const added = name === undefined ? undefined : steps[name];
          return typeof added === 'object' && 'add' in added && sizeOf(added.add) === size;
        });
        expect(own).toEqual(own.toSorted((a, b) => (a as number) - (b as number)));
      }
    }),
    { numRuns: 300 },
  );
});

test('the bytes served before a request are bounded, no matter how many come after it', () => {
  const many = fc.array(bytes, { maxLength: 30 });
  fc.assert(
    fc.property(many, fc.nat(30), bytes, many, (before, alreadyServed, own, after) => {
      const queue = new FairQueue<string>();
      const waiting = before.map((count) => queue.add('before', count));
      for (let at = 0; at < alreadyServed; at++) waiting.splice(waiting.indexOf(queue.shift() as never), 1);
      const size = sizeOf(own);
      const sum = (list: readonly number[]) => list.reduce((total, count) => total + count, 0);
      const ahead = sum(waiting.filter((each) => each.size === size).map((each) => each.bytes));
      const mark = queue.add('own', own);
      const all = [...before, own, ...after];
      const greatest = SIZE_CLASSES.map((_, each) =>
        Math.max(0, ...all.filter((count) => sizeOf(count) === each)),
      );
      const others = greatest.filter((most, each) => most > 0 && each !== size);
      const served: number[] = [];
      for (let at = 0; ; at++) {
        const arrives = after[at];
        if (arrives !== undefined) queue.add('after', arrives);
        const next = queue.shift();
        if (next === mark) break;
        served.push(next?.bytes as number);
      }
      expect(sum(served)).toBeLessThanOrEqual(
        ahead + sum(others.map((most) => ahead + (greatest[size] as number) + most)),
      );
    }),
    { numRuns: 500 },
  );
});

test('a large request is served although small ones keep coming', () => {
  const queue = new FairQueue<string>();
  queue.add('small', 100_000);
  queue.add('large', 2_000_000);
  const served: (string | undefined)[] = [];
  for (let at = 0; at < 100; at++) {
    served.push(queue.shift()?.value);
    queue.add('small', 100_000);
  }
  expect(served.indexOf('large')).toBeGreaterThanOrEqual(0);
  // The small ones then catch up with its 20 times as many bytes.
  expect(served.slice(0, 22).filter((value) => value === 'large')).toHaveLength(1);
});

test('removing the newest of the longest class leaves each class its share', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 60 }), fc.integer({ min: 0, max: 24 }), (all, most) => {
      const queue = new FairQueue<number>();
      const share = Math.floor(most / SIZE_CLASSES.length);
      for (const count of all) {
        const { size } = queue.add(count, count);
        if (queue.length <= most) continue;
        const removed = queue.pop(size);
        expect(queue.lengths[removed?.size as number]).toBeGreaterThanOrEqual(share);
        expect(queue.length).toBe(most);
      }
    }),
    { numRuns: 300 },
  );
});
