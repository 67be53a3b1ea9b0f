import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exp, exp2, log, log2 } from '../../../src/math/elementary.js';

const numRuns = 100_000;
/** Units in the last place between two numbers. */
const apart = (own: number, other: number) =>
  Object.is(own, other) ? 0 : Math.abs(own - other) / (Math.abs(other) * Number.EPSILON);

test.each([
  ['log', log, Math.log, 0, 1e300, 2],
  ['log2', log2, Math.log2, 0, 1e300, 2],
  ['exp', exp, Math.exp, -700, 700, 2],
  ['exp2', exp2, (x: number) => 2 ** x, -900, 900, 4],
] as const)('%s is near that of the engine', (_, own, engine, min, max, most) => {
  fc.assert(
    fc.property(fc.double({ min, max, noNaN: true }), (x) => apart(own(x), engine(x)) <= most),
    { numRuns, seed: 20_261_122 },
  );
});

test('values with known bits', () => {
  expect([log(0), log(1), log(-1), log2(8), log2(2 ** -1074), exp(0), exp(2), exp(-1000)]).toEqual([
    -Infinity,
    0,
    NaN,
    3,
    -1074,
    1,
    7.38905609893065,
    0,
  ]);
  expect([exp2(-1), exp2(10), exp2(-1000), exp2(0)]).toEqual([0.5, 1024, 2 ** -1000, 1]);
  // An engine with another last bit would give another digest of the same report.
  expect([log(7), log(0.3), log2(10), exp(2.5), exp(-0.7)]).toEqual([
    1.9459101490553132, -1.2039728043259361, 3.321928094887362, 12.182493960703473, 0.4965853037914095,
  ]);
});
