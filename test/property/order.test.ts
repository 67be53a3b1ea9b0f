/**
 * With `ranked: false`, no result depends on the order of the input.
 *
 * More cases than usual: CONTEXT_SHAPING_CASES=100000 npx vitest run test/property/order.test.ts
 */
import { type Chunk, createShaper, type ShapingOptions, type ShapingReport } from 'context-shaping';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inPlace, TURNED_ROUND } from '../adversarial/turned-round.js';
import { options as anyOptions, text as anyText } from '../support.js';

const CASES = Number(process.env.CONTEXT_SHAPING_CASES ?? 300);
const SEED = Number(process.env.CONTEXT_SHAPING_SEED ?? 1);

const pick = <T>(...all: T[]): fc.Arbitrary<T> => fc.constantFrom(...all);
/** Statements that copy, contradict or deny one another. */
const statement = fc.oneof(
  fc
    .tuple(
      pick('Cormorant', 'The service', 'Version 2'),
      pick('6', '24', '72', 'six'),
      pick('hours', 'days', 'h'),
    )
    .map(([subject, number, unit]) => `${subject} retries a failed webhook delivery for ${number} ${unit}.`),
  fc
    .tuple(pick('', 'not ', 'not not ', 'never '), pick('on weekends', 'on Mondays', ''))
    .map(([word, tail]) =>
      `The guide tells members ${word}to share the spare keys ${tail}.`.replace(' .', '.'),
    ),
  fc
    .tuple(pick('Ann', 'Bob'), pick('is', 'is not'), pick('the owner', 'an owner', 'no owner'))
    .map(([name, verb, thing]) => `${name} ${verb} ${thing} of the old mill by the river in Leeds.`),
  fc
    .tuple(pick('3 May 1932', '4 May 1932', '1933'), pick('', ' after seven years of work'))
    .map(([date, tail]) => `The bridge was opened to traffic on ${date}${tail}.`),
);
const WORDS =
  'the old mill by river was not built in 1890 1891 by Ann Bob for 12 new families who never paid rent to Leeds'.split(
    ' ',
  );
/** Near copies of one long sentence, each with some words left out, repeated or replaced, so that likeness is no relation of equals. */
const nearCopy = fc
  .array(fc.tuple(fc.nat(WORDS.length - 1), pick('', 'not', 'not not', 'very', ...WORDS)), { maxLength: 4 })
  .map((edits) => {
    const words = [...WORDS];
    for (const [at, word] of edits) words[at] = word;
    return `${words.filter((word) => word !== '').join(' ')}.`.replace(/^t/, 'T');
  });
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(nearCopy, { minLength: 1, maxLength: 2 }).map((all) => all.join(' ')) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...Object.values(TURNED_ROUND))
      .chain((pair) => inPlace(pair))
      .chain((pair) => fc.constantFrom(...pair)),
  },
  { weight: 6, arbitrary: fc.array(statement, { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')) },
  { weight: 1, arbitrary: anyText },
);
const form = pick<(text: string) => string>(
  (each) => each,
  (each) => each,
  (each) => each.toUpperCase(),
  (each) => each.replaceAll('.', '!'),
  (each) => `# Webhooks\n\n${each}`,
  (each) => `${each} Read more below.`,
);
const chunk = fc.record(
  {
    score: pick(0, 0.2, 0.5, 0.5, 0.9),
    embedding: fc.array(pick(-1, 0, 1, 2), { minLength: 3, maxLength: 3 }),
    metadata: fc.record(
      {
        source: pick('a', 'b', 'c'),
        title: pick('Webhooks', 'The bridge', 'Keys'),
        trust: pick('own', 'web'),
        date: pick('2020-01-01', '2024-05-01'),
        position: fc.nat(3),
      },
      { requiredKeys: [] },
    ),
    rendered: pick('as it is shown'),
  },
  { requiredKeys: [] },
);
const pool: fc.Arbitrary<Chunk[]> = fc
  .array(fc.tuple(text, form, chunk, fc.nat(99)), { minLength: 2, maxLength: 14 })
  .map((all) => {
    // Chunks may share an id only if they have one text.
    const known = new Map<string, string>();
    return all.map(([each, change, rest, number], at) => {
      const own = change(each);
      const wanted = `c${number % 12}`;
      const id = (known.get(wanted) ?? own) === own ? wanted : `d${number}-${at}`;
      known.set(id, own);
      return { id, text: own, ...rest };
    });
  });

const options = fc
  .tuple(
    anyOptions,
    fc.record(
      {
        trust: fc.constant([
          { value: 'own', k: 2 },
          { value: 'web', maxTokens: 60 },
        ]),
        frame: fc.constant({}),
        extract: pick<false | object>(false, {}),
        preview: fc.constant(80),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([one, other]) => {
    const { order, pin, ...rest } = one;
    return {
      ...rest,
      ...other,
      ...(pin ? { pin } : {}),
      ...(order === undefined || order === 'input' ? {} : { order }),
      ranked: false as const,
    };
  });

const PLACES = new Set(['index', 'indices']);
/** All that a user sees of a result, without places in the input. */
function seen(chunks: readonly { id: string; text: string }[], report: ShapingReport): unknown {
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, each) => (PLACES.has(key) ? undefined : each)));
  return plain({
    kept: chunks.map(({ id, text: own }) => ({ id, text: own })),
    evicted: report.evicted.map((each) => JSON.stringify(plain(each))).sort(),
    conflicts: report.conflicts,
    flags: report.flags.map((each) => JSON.stringify(plain(each))).sort(),
    degradations: report.degradations.map(({ code }) => code),
    tokens: report.tokens.output,
  });
}

test(`${CASES} generated pools: with \`ranked: false\`, the order of the input changes nothing`, async () => {
  let conflicts = 0;
  let evicted = 0;
  await fc.assert(
    fc.asyncProperty(
      pool,
      pick('', 'How long does Cormorant retry?', 'Who is the owner of the mill?', 'to share the keys'),
      options,
      fc.infiniteStream(fc.nat()),
      async (given, query, settings, dice) => {
        const shaper = createShaper(settings as unknown as ShapingOptions);
        const shuffled = given
          .map((each) => ({ each, at: dice.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ each }) => each);
        const [first, ...others] = await Promise.all(
          [given, given.toReversed(), shuffled].map(async (chunks) => {
            const { chunks: kept, report } = await shaper.shape({ query, chunks });
            conflicts += report.conflicts.length;
            evicted += report.evicted.length;
            return seen(kept, report);
          }),
        );
        for (const other of others) expect(other).toEqual(first);
      },
    ),
    { numRuns: CASES, seed: SEED },
  );
  expect(conflicts).toBeGreaterThan(CASES / 2);
  expect(evicted).toBeGreaterThan(CASES);
});
