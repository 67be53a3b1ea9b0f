import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Slots } from '../../src/math/slots.js';

test('numbers terms in the order in which they are added, as a map does', () => {
  const terms = fc.array(fc.oneof(fc.nat(50), fc.nat(5000), fc.nat(2 ** 31 - 2)), { maxLength: 3000 });
  fc.assert(
    fc.property(terms, terms, (added, others) => {
      const slots = new Slots();
      const expected = new Map<number, number>();
      for (const term of added) {
        if (!expected.has(term)) expected.set(term, expected.size);
        expect(slots.add(term)).toBe(expected.get(term));
      }
      expect(slots.size).toBe(expected.size);
      for (const term of [...added, ...others]) expect(slots.of(term)).toBe(expected.get(term) ?? -1);
    }),
    { seed: 7, numRuns: 200 },
  );
});
