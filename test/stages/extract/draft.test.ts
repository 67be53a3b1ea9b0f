/** The order in which units are taken: gain per root of cost. A header takes its room once. */
import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../../src/input/options.js';
import { toCandidates } from '../../../src/input/to-candidates.js';
import { withSignals } from '../../../src/pool/candidate.js';
import { Draft } from '../../../src/stages/extract/draft.js';
import { unitsOf } from '../../../src/text/units/units.js';

const HEADER = '| name | year |';
const DELIMITERS = '|---|---|';
const FIRST = '| pier | 1890 |';
const SECOND = '| mole | 1777 |';
const TABLE = [HEADER, DELIMITERS, FIRST, SECOND].join('\n');
/** As long as a row. */
const GOOD = 'Sea was calm...';
const POOR = 'Sun was high...';

/** The units in the order in which they are taken, of texts with the relevance of each unit. Tokens are characters. */
async function taken(
  given: readonly (readonly [text: string, relevance: readonly number[]])[],
  available = 999,
) {
  const chunks = given.map(([text], at) => ({ id: `c${at}`, text }));
  const { candidates } = toCandidates({ query: '', chunks }, resolveOptions({}));
  const units = given.map(([text]) => unitsOf(text));
  const scored = given
    .flatMap(([, relevances], chunk) =>
      relevances.map((relevance, place) => ({ chunk, place, relevance, says: 100 * chunk + place })),
    )
    .filter(({ relevance }) => relevance > 0)
    .sort((a, b) => b.relevance - a.relevance || a.chunk - b.chunk || a.place - b.place);
  const draft = new Draft(
    candidates.map((each) => withSignals(each, { tokens: each.text.length })),
    units,
    scored,
    {
      gap: ' … ',
      limits: { available },
      countTokens: (text) => text.length,
    },
  );
  draft.fill();
  draft.settle();
  return draft.taken().map(({ chunk, place }) => {
    const { start, end } = units[chunk]![place]!;
    return given[chunk]![0].slice(start, end);
  });
}

describe('the next unit is that of the most relevance per root of its tokens', () => {
  // Each costs 16, and one more.
  test.each([
    ['a row before poorer prose', [0, 0, 0.5, 0.31], 0.6, 0.3, [GOOD, FIRST, SECOND, POOR]],
    ['a row after better prose', [0, 0, 0.5, 0.29], 0.6, 0.3, [GOOD, FIRST, POOR, SECOND]],
    ['the better row first', [0, 0, 0.3, 0.5], 0.6, 0.1, [GOOD, SECOND, FIRST, POOR]],
  ])('%s', async (_, rows, good, poor, expected) => {
    expect(
      await taken([
        [TABLE, rows],
        [GOOD, [good]],
        [POOR, [poor]],
      ]),
    ).toEqual(expected);
  });

  test('a table whose header and best row fit is preferred to prose of less worth, and left if they do not fit', async () => {
    const given = [
      [TABLE, [0, 0, 0.5, 0]],
      [POOR, [0.3]],
    ] as const;
    // The delimiter row is left out before the row is.
    const room = HEADER.length + 1 + FIRST.length;
    expect(await taken(given, room + 1 + DELIMITERS.length)).toEqual([FIRST]);
    expect(await taken(given, room)).toEqual([FIRST]);
    expect(await taken(given, room - 1)).toEqual([POOR]);
  });

  test('a long unit is taken before a short one only if it is more relevant by the root of the lengths', async () => {
    // Costs of 100 and 25, with the separator and one more: roots of 10 and 5.
    const long = `${'a'.repeat(97)}.`;
    const short = `${'b'.repeat(22)}.`;
    const of = (relevance: number) =>
      taken([
        [long, [relevance]],
        [short, [0.4]],
      ]);
    expect(await of(0.81)).toEqual([long, short]);
    expect(await of(0.79)).toEqual([short, long]);
  });
});
