/** Statements with the same words that say the opposite are never copies, and other forms of one text always are. */
import { createShaper } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inPlace, SAME_FORMS, sameText, TURNED_ROUND } from '../../adversarial/turned-round.js';

const CASES = { numRuns: 120, seed: 1 };
const OTHERS = [
  'The gardener waters the roses behind the old mill when evenings are warm and dry.',
  'Ferries leave the pier every hour, except in storms.',
];

async function reasonOf(texts: readonly string[]): Promise<string | undefined> {
  const chunks = texts.map((text, at) => ({ id: `${at}`, text }));
  return (await createShaper().shape({ query: '', chunks })).report.evicted[0]?.reason;
}

describe.each([
  ['alone', [] as string[]],
  ['in a pool', OTHERS],
])('%s', (_, others) => {
  test.each(Object.entries(TURNED_ROUND))('%s: both stay', async (_, pair) => {
    await fc.assert(
      fc.asyncProperty(inPlace(pair), async ([one, other]) => {
        expect(await reasonOf([one, ...others, other])).toBeUndefined();
      }),
      CASES,
    );
  });

  test.each(Object.entries(SAME_FORMS))('%s: one stays', async (_, change) => {
    await fc.assert(
      fc.asyncProperty(sameText, async (text) => {
        expect(await reasonOf([text, ...others, change(text)])).toMatch(/-duplicate$/);
      }),
      CASES,
    );
  });
});

test.each([
  ['They re-sign the contract today.', 'They resign the contract today.'],
  ['Keep it if x- y is 5.', 'Keep it if xy is 5.'],
  ['Keep it if a &lt; b holds.', 'Keep it if a > b holds.'],
  ['Write `&amp;` in the text.', 'Write `&` in the text.'],
  ['Write &amp;lt; in the text.', 'Write < in the text.'],
])('%s | %s: both stay', async (one, other) => {
  expect(await reasonOf([one, other])).toBeUndefined();
});

test.each(['They resign the contract today.', 'They re-sign the contract today.'])(
  'across a line end, both readings are possible: %s',
  async (text) => {
    const divided = 'They re-\nsign the contract today.';
    expect(await reasonOf([text, divided])).toBe('semantic-duplicate');
    const chunks = ['They resign the contract today.', divided, 'They re-sign the contract today.'];
    const { report } = await createShaper().shape({
      query: '',
      chunks: chunks.map((each, at) => ({ id: `${at}`, text: each })),
    });
    expect(report.evicted.map(({ id }) => id)).toEqual(['1']);
  },
);
