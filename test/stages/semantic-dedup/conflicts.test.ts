import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createShaper, type ShapingOptions } from '../../../src/index.js';
import { Pacer } from '../../../src/runtime/pacer.js';
import { Statements } from '../../../src/stages/semantic-dedup/statements.js';
import { wordingOf } from '../../../src/stages/semantic-dedup/wording.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import type { Candidate } from '../../../src/types.js';
import { STATEMENT_PAIRS } from '../../adversarial/statement-pairs.js';
import { seededRandom } from '../../random.js';

const OTHERS = [
  'The committee met in the small hall and heard three reports.',
  'Most of the visitors came by train from the coast.',
  'A new roof protects the archive from rain.',
  'Several farmers planted walnut trees along the road.',
  'The orchestra opened its season with two symphonies.',
  'Nobody expected the ferry to leave before noon.',
];
const around = (text: string, from: number) =>
  `${OTHERS[from]} ${text} ${OTHERS[from + 1]} ${OTHERS[from + 2]}`;
const conflictsOf = async (
  texts: readonly (string | { text: string; metadata: object })[],
  options: ShapingOptions = {},
) => {
  const chunks = texts.map((each, at) => ({
    id: `${at}`,
    ...(typeof each === 'string' ? { text: each } : each),
  }));
  const { report } = await createShaper({ preview: 200, ...options }).shape({ query: 'retries', chunks });
  return report.conflicts;
};
const VERSIONS = [6, 24, 72].map((hours, at) => ({
  text: around(`Hookline retries a failed delivery for ${hours} hours.`, at),
  metadata: { title: `Webhooks v${at + 1}`, source: `v${at + 1}/webhooks.md`, date: `202${at}-05-01` },
}));

test('three versions of one statement are one conflict with three sides, in any surroundings', async () => {
  expect(await conflictsOf(VERSIONS)).toEqual([
    {
      level: 'sure',
      kinds: ['number'],
      about: 'Hookline retries a failed delivery for',
      sides: ['6 hours', '24 hours', '72 hours'].map((says, at) => ({
        ids: [`${at}`],
        indices: [at],
        says,
        excerpt: `Hookline retries a failed delivery for ${says}.`,
        source: `v${at + 1}/webhooks.md`,
        title: `Webhooks v${at + 1}`,
        date: `202${at}-05-01`,
        version: `${at + 1}`,
        support: 1,
      })),
    },
  ]);
});

test('the words of a difference stand between those with which all sides begin and end', () => {
  const retries = (hours: number, attempts: number) =>
    `Hookline retries a failed delivery for ${hours} hours, with at most ${attempts} attempts.`;
  expect(wordingOf([retries(6, 6), retries(24, 8)])).toEqual({
    about: 'Hookline retries a failed delivery for',
    says: ['6 hours, with at most 6 attempts', '24 hours, with at most 8 attempts'],
  });
  expect(wordingOf(['Zips are supported.', 'Zips are not supported.'])).toEqual({
    about: 'Zips are',
    says: ['supported', 'not supported'],
  });
  expect(wordingOf(['Ann has the key.', 'Bob has the key.'])).toEqual({
    about: 'has the key',
    says: ['Ann', 'Bob'],
  });
  expect(wordingOf(['| failed delivery | 6 hours |', '| failed delivery | 24 hours |'])).toEqual({
    about: 'failed delivery',
    says: ['6 hours', '24 hours'],
  });
});

test.each([
  ['the capital of another country', 'The capital of France is Paris.', 'The capital of Italy is Rome.'],
  ['another room', 'Room 101 has 20 seats.', 'Room 102 has 35 seats.'],
  ['another year', 'Revenue in 2021 was 4.1 million euros.', 'Revenue in 2022 was 4.8 million euros.'],
  ['another class', 'Shares of class A carry one vote.', 'Shares of class B carry ten votes.'],
  ['another reign', 'Queen Ilse reigned from 1702 to 1719.', 'King Harald reigned from 1719 to 1733.'],
  ['another substance', 'Ethanol boils at 78 °C.', 'Methanol boils at 65 °C.'],
  ['another drug', 'Ibuprofen is taken with food.', 'Omeprazole is taken before food.'],
  ['a time of day', 'The train leaves at 17:30.', 'The train leaves at 5:30 in the afternoon.'],
  ['members in another order', 'Keller, Novak and Sato lost.', 'Sato, Keller and Novak lost.'],
])('equal surroundings do not make one subject: %s', async (_, one, other) => {
  expect(await conflictsOf([around(one, 0), around(other, 0)])).toEqual([]);
});

test('lines with values are compared if the same line names them', async () => {
  const record = (name: string, width: number) => `Article ${name}\nColour: oak\nWidth: ${width} cm`;
  expect(await conflictsOf([record('4401', 80), record('4402', 100)])).toEqual([]);
  expect(await conflictsOf([record('4401', 80), record('4401', 100)])).toMatchObject([
    { sides: [{ says: '80 cm' }, { says: '100 cm' }] },
  ]);
});

test('a report without previews has no words of the texts', async () => {
  const [conflict] = await conflictsOf(VERSIONS, { preview: false });
  expect(conflict?.sides).toHaveLength(3);
  expect(JSON.stringify(conflict)).not.toMatch(/hours|Hookline/);
});

test('chunks that say the same are one side', async () => {
  const [six, day] = VERSIONS as [(typeof VERSIONS)[0], (typeof VERSIONS)[0]];
  const again = {
    text: around('Hookline retries a failed delivery for 24 hours.', 3),
    metadata: { ...day.metadata, source: 'mirror' },
  };
  const [conflict] = await conflictsOf([six, day, again]);
  expect(conflict?.sides.map(({ ids, support }) => [ids, support])).toEqual([
    [['0'], 1],
    [['1', '2'], 2],
  ]);
});

test('more than four different statements are rows of a form', async () => {
  const hours = [2, 5, 9, 14, 30].map((count) => `Hookline retries a failed delivery for ${count} hours.`);
  expect(await conflictsOf(hours.slice(0, 4).map((text, at) => around(text, at % 4)))).toHaveLength(1);
  expect(await conflictsOf(hours.map((text, at) => around(text, at % 4)))).toEqual([]);
});

test('rows of one table differ by their cells', async () => {
  const table = (value: string) =>
    `| limit | value |\n|---|---|\n| attempts per delivery | ${value} |\n| size of a request | 1 MB |`;
  const [conflict] = await conflictsOf([table('8'), `Some words before it.\n\n${table('12')}`]);
  expect(conflict).toMatchObject({
    about: 'attempts per delivery',
    sides: [{ says: '8' }, { says: '12' }],
  });
});

test('a difference of everyday words may be one of two subjects', async () => {
  const texts = [
    'The population was 6,138 at the 2010 census.',
    'The population was 8,278 at the 2010 census.',
  ].map((text, at) => around(text, 3 * at));
  expect(await conflictsOf(texts)).toEqual([]);
});

test('the order of the chunks decides only the order of the sides', async () => {
  const pairs = STATEMENT_PAIRS.filter(({ contradicts }) => contradicts);
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: pairs.length - 1 }), order, async (at, places) => {
      const { one, other } = pairs[at] as (typeof pairs)[0];
      const texts = [around(one, 0), around(other, 2), around(OTHERS[5] as string, 1)];
      const sidesIn = (report: Awaited<ReturnType<typeof conflictsOf>>, idOf: (id: number) => number) =>
        report.map(({ level, kinds, sides }) => [
          level,
          kinds,
          sides.map(({ indices, excerpt }) => [indices.map(idOf), excerpt]).sort(),
        ]);
      const plain = sidesIn(await conflictsOf(texts), (index) => index);
      const shuffled = await conflictsOf(places.map((place) => texts[place] as string));
      expect(sidesIn(shuffled, (index) => places[index] as number)).toEqual(plain);
    }),
    { numRuns: 60 },
  );
});

test('no pair of statements that contradict each other is merged, but for letter case inside a pattern', async () => {
  const merged: string[] = [];
  for (const { one, other, contradicts } of STATEMENT_PAIRS) {
    if (!contradicts) continue;
    const chunks = [one, other].map((text, at) => ({ id: `${at}`, text }));
    const { report } = await createShaper().shape({ query: '', chunks });
    if (report.evicted.length > 0) merged.push(one);
  }
  expect(merged).toEqual(['A tag may only contain characters of [a-z0-9].']);
});

test('which pairs of statements are left out does not depend on their order', async () => {
  const random = seededRandom(1);
  const names = Array.from(
    { length: 45 },
    (_, at) => `orvan${String.fromCharCode(97 + (at % 26))}${at > 25 ? 'el' : ''}`,
  );
  const pick = () => names[Math.floor(random() * names.length)];
  const texts = Array.from(
    { length: 600 },
    (_, at) => `The ${pick()} limit of the ${pick()} gateway is ${1000 + at} requests a day.`,
  );
  const rivalsIn = async (order: readonly string[]) => {
    const candidates = order.map(
      (text, index) => ({ index, text, namespace: '', sources: [{ id: text }] }) as unknown as Candidate,
    );
    const statements = new Statements(candidates, new Lexicon(), () => 0);
    const { pairs, isBounded } = await statements.rivals(new Pacer());
    expect(isBounded).toBe(true);
    return new Set(
      pairs.map(({ statements: both }) =>
        both
          .map(({ text }) => text)
          .sort()
          .join('\n'),
      ),
    );
  };
  const first = await rivalsIn(texts);
  expect(first.size).toBeGreaterThan(50);
  expect(await rivalsIn(texts.toReversed())).toEqual(first);
});

const pick = <T>(list: readonly T[]) => fc.constantFrom(...list);
/** One statement in many variants: numbers, dates, versions, names and negations, also several. */
const variants = fc
  .tuple(
    pick([
      'retries',
      'never retries',
      'does not retry',
      'does not not retry',
      'chooses to retry',
      'chooses not to retry',
    ]),
    pick([
      '',
      ' for 6 hours',
      ' for 24 hours',
      ' after 3 May 2020',
      ' after 7 June 2021',
      ' since version 2.1',
      ' since version 3.0',
      ' for Ann in Leith',
      ' for Bob in Leith',
      ' for 24 hours, with at most 8 attempts',
    ]),
  )
  .map(([verb, end]) => `Hookline ${verb} a failed delivery${end}.`);
const pools = fc
  .uniqueArray(fc.tuple(variants, fc.option(variants, { nil: undefined, freq: 2 }), fc.nat(2)), {
    minLength: 3,
    maxLength: 9,
    selector: (each) => each.join(),
  })
  .map((all) => all.map(([first, second, at]) => around([first, second].filter(Boolean).join(' '), at)));

test('sides are the same sets in any order of the chunks, and no chunk is on two', async () => {
  const sidesIn = async (texts: readonly string[]) =>
    (await conflictsOf(texts)).map(({ level, kinds, sides }) => ({
      level,
      kinds: [...kinds].sort(),
      sides: sides.map(({ indices }) => indices.map((index) => texts[index] as string).sort()).sort(),
    }));
  const sorted = (conflicts: readonly object[]) => conflicts.map((each) => JSON.stringify(each)).sort();
  let reported = 0;
  await fc.assert(
    fc.asyncProperty(
      pools.chain((texts) =>
        fc.tuple(
          fc.constant(texts),
          fc.shuffledSubarray(texts, { minLength: texts.length, maxLength: texts.length }),
        ),
      ),
      async ([texts, shuffled]) => {
        const plain = await sidesIn(texts);
        reported += plain.length;
        expect(sorted(await sidesIn(shuffled))).toEqual(sorted(plain));
        for (const { sides } of plain) expect(new Set(sides.flat()).size).toBe(sides.flat().length);
      },
    ),
    { numRuns: 100, seed: 22 },
  );
  expect(reported).toBeGreaterThan(50);
});

describe('a chunk that has the old and the new value', () => {
  const old = 'Hookline retries a failed delivery for 6 hours.';
  const now = 'Hookline retries a failed delivery for 24 hours.';
  const dated = (id: string, text: string, date: string) => ({
    text: around(text, 0),
    metadata: { source: `${id}.md`, title: 'Webhooks', date },
  });
  test.each([
    ['in the same words', `${old} ${now}`],
    ['with more words', `In the past ${old} Since spring ${now}`],
    ['in a list', `- First version: ${old}\n- Second version: ${now}`],
  ])('is on no side: %s', async (_, both) => {
    const list = dated('changes', both, '2025-01-01');
    const current = dated('current', now, '2024-01-01');
    const outdated = dated('outdated', old, '2022-01-01');
    const options: ShapingOptions = { conflicts: { prefer: 'newest', drop: true } };
    expect(await conflictsOf([list, current], options)).toEqual([]);
    expect(await conflictsOf([outdated, list], options)).toEqual([]);
    for (const pool of [
      [list, current, outdated],
      [outdated, current, list],
    ]) {
      const [conflict, ...more] = await conflictsOf(pool, options);
      expect(more).toEqual([]);
      expect(conflict?.sides.map(({ source, says, support }) => [source, says, support])).toEqual([
        ['current.md', '24 hours', 1],
        ['outdated.md', '6 hours', 1],
      ]);
    }
  });
});

/** Lines in which the count or the date of a page stands at `#`. */
const NOTES = [
  '# people found this helpful',
  '# people found this helpful.',
  '# comments',
  'This question was viewed # times.',
  'Liked by # people',
  'Based on # reviews',
  'Shared # times',
  'Page # of 120',
  'Showing 1-10 of # results',
  'Posted # days ago',
  '# min read',
  'Reading time # minutes.',
  'Only # left in stock',
  'There are currently # users online.',
  'We and our # partners store information on your device.',
  'This answer was accepted by # users.',
  'Powered by Hookline 3.#',
  '© 20# Acme',
  'Copyright 20# Acme Corporation. All rights reserved.',
  'This page was last updated on 3 May 20#.',
  'Downloaded # times this week.',
  '# Personen fanden diese Informationen hilfreich.',
  'A # personas les resultó útil.',
  'Tous droits réservés 20# Société Acme.',
] as const;
/** Statements with a subject of their own. */
const CLAIMS = [
  '# people work at Acme.',
  'Hookline retries a failed delivery for # hours.',
  'The Orvane bridge was opened in 19#.',
  'The Basic plan of Hookline costs $# a month.',
  'Passwords must have at least # characters.',
  'Copyright in Orvania lasts # years after the death of the author.',
  'Cookies of Hookline expire after # days.',
  'In 2019 Acme opened # stores.',
  'Lake Orrin is # metres deep.',
  'Redis listens on port 63#.',
] as const;
test('counters and dates of pages are no sure conflicts without a title, and claims are', async () => {
  const found: string[] = [];
  for (const [name, lines] of Object.entries({ NOTES, CLAIMS })) {
    for (const line of lines) {
      for (const [one, other] of [
        ['12', '37'],
        ['21', '24'],
        ['15', '18'],
      ] as const) {
        const texts = [one, other].map((value) => line.replace('#', value));
        const foreign = texts.map((text, at) => `${OTHERS[at]}\n\n${text}`);
        for (const pool of [texts, foreign]) {
          const isSure = (await conflictsOf(pool)).length > 0;
          if (isSure !== (name === 'CLAIMS')) found.push(pool.join(' / '));
        }
      }
    }
  }
  expect(found).toEqual([]);
});

test.each([
  'The bridge opened in 19#.',
  'The office closes at #:00.',
  'A replacement battery arrives within # days.',
])('%s: two chunks that say only this, with other values, are a sure conflict', async (line) => {
  for (const [one, other] of [
    ['12', '17'],
    ['15', '18'],
  ] as const)
    expect(await conflictsOf([line.replace('#', one), line.replace('#', other)])).toHaveLength(1);
});
