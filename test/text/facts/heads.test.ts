/** The quick comparison of two texts must agree with the full reading of their facts. */
import { expect, test } from 'vitest';
import { factsOf } from '../../../src/text/facts/facts.js';
import { areFarther, headsOf } from '../../../src/text/facts/heads.js';
import { statementOverlap } from '../../../src/text/facts/statement.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import { REWRITE_RULES } from '../../adversarial/rewrites.js';
import { makePairs } from '../../adversarial/rules.js';
import { seededRandom } from '../../random.js';

const lexicon = new Lexicon();
const far = (one: string, other: string, distance: number) => {
  const [left, right] = [lexicon.found(one, headsOf), lexicon.found(other, headsOf)];
  return left !== undefined && right !== undefined && areFarther(left, right, distance);
};
const pairs = makePairs(REWRITE_RULES);
const distance = (one: string, other: string) => 1 - statementOverlap(factsOf(one), factsOf(other));

test('other spellings of one statement are not far from it', () => {
  for (const { texts } of pairs) expect(far(...texts, 0)).toBe(false);
});

test('texts that are found far from each other are so by their facts', () => {
  const random = seededRandom(1);
  const statements = [...new Set(pairs.flatMap(({ texts }) => texts))];
  const some = (count: number) =>
    Array.from({ length: count }, () => statements[Math.floor(random() * statements.length)] as string);
  let found = 0;
  for (let round = 0; round < 2000; round++) {
    const shared = some(4);
    const [one, other] = [some(round % 4), some(round % 3)].map((own) => [...own, ...shared].join(' ')) as [
      string,
      string,
    ];
    const actual = distance(one, other);
    for (const bound of [0, 0.06, 0.2, 0.4]) {
      if (!far(one, other, bound)) continue;
      found++;
      expect(actual).toBeGreaterThan(bound);
    }
  }
  expect(found).toBeGreaterThan(500);
});

test('the comparison says nothing about texts with hidden characters in words', () => {
  expect(far('hyphenation everywhere', 'another sentence altogether', 0)).toBe(true);
  expect(far('hy\u00adphenation everywhere', 'another sentence altogether', 0)).toBe(false);
});
