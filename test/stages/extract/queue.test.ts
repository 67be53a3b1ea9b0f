import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Queue } from '../../../src/stages/extract/queue.js';

const entry = fc.record({
  item: fc.nat(20),
  turn: fc.nat(2),
  worth: fc.constantFrom(0, 0.1, 0.5, 1, 1e-300),
});
type Entry = { item: number; turn: number; worth: number };
const inOrder = (a: Entry, b: Entry) => a.turn - b.turn || b.worth - a.worth || a.item - b.item;

test('items come in the order of their turns, their worth and their numbers', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
      const queue = new Queue();
      for (const { item, turn, worth } of entries) queue.push(item, turn, worth);
      const popped = entries.map(() => queue.pop());
      expect(popped).toEqual(entries.toSorted(inOrder));
      expect(queue.pop()).toBeUndefined();
    }),
    { numRuns: 500, seed: 1 },
  );
});

test('also where items come and go', () => {
  fc.assert(
    fc.property(fc.array(fc.option(entry), { maxLength: 60 }), (steps) => {
      const queue = new Queue();
      const sorted: Entry[] = [];
      for (const step of steps) {
        if (step === null) expect(queue.pop()).toEqual(sorted.shift());
        else {
          queue.push(step.item, step.turn, step.worth);
          sorted.push(step);
          sorted.sort(inOrder);
        }
      }
    }),
    { numRuns: 500, seed: 2 },
  );
});
