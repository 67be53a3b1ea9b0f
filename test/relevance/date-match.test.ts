import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Given, valuesOf } from './features.js';
import { dateMatch, shares } from './naive.js';

const on = (...dates: unknown[]): Given[] => dates.map((date, at) => [`Text ${at}`, { date }]);
const match = (question: string, ...dates: unknown[]) => valuesOf('dateMatch', question, on(...dates));

describe('dates that the question names', () => {
  test.each([
    ['What did she do on 8 May 2023?', '1:56 pm on 8 May, 2023', '2:10 pm on 7 April, 2023'],
    ['What did she do in May 2023?', '2023/05/20 (Sat) 02:21', '2023/04/20 (Thu) 02:21'],
    ['Who won in 2022?', '2022-01-01', '2023-07-01'],
    ['What did she do on 8 May?', new Date('2021-05-08T12:00Z'), new Date('2021-10-08T12:00Z')],
    ['What did she do in May?', 1683504000, 1673504000],
    ['What did she do in May?', 1683504000000, '1673504000000'],
  ])('%s: %s and not %s', async (question, right, wrong) => {
    expect(await match(question, right, wrong)).toEqual([1, 0]);
  });

  test('relative ones count from the newest date of the pool', async () => {
    const dates = ['2023-06-15', '2023-06-14', '2023-06-08', '2023-05-03', 'no date'];
    expect(await match('What was it yesterday?', ...dates)).toEqual([
      expect.closeTo(2 ** (-1 / 7), 12),
      1,
      0,
      0,
      0,
    ]);
    expect(await match('What was it last May?', ...dates)).toEqual([
      expect.closeTo(2 ** (-15 / 7), 12),
      expect.closeTo(2 ** -2, 12),
      expect.closeTo(2 ** (-8 / 7), 12),
      1,
      0,
    ]);
  });

  test('the date is read from where `fields.date` says, of documents as well', async () => {
    const values = await valuesOf('dateMatch', 'Who won in 2022?', [
      ['One.', { created_at: '2022-03-01', source: 'a' }],
      ['Two.', { created_at: '2021-03-01', source: 'b' }],
    ]);
    expect(values).toEqual([1, 0]);
  });

  test.each([
    ['names no time', 'What did she do?', ['2023-05-08', '2023-05-09']],
    ['names a time, and no date is near it', 'On 8 May 2023?', ['2021-05-08', undefined]],
    [
      'names a time, and there are no dates',
      'On 8 May 2023?',
      [undefined, 'soon', {}, Number.NaN, '31 June 2023'],
    ],
  ])('tells nothing where the question %s', async (_, question, dates) => {
    expect(new Set(await match(question, ...dates))).toEqual(new Set([undefined]));
  });

  test('against the definition', async () => {
    const year = fc.constantFrom('2022', '2023', '2024');
    const month = fc.constantFrom('01', '02', '05', '12');
    const day = fc.constantFrom('01', '02', '08', '15', '28');
    const full = fc.tuple(year, month, day).map((parts) => parts.join('-'));
    const date = fc.oneof(
      full,
      full,
      fc.tuple(year, month).map((parts) => parts.join('-')),
      year,
    );
    let matches = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(full, year), { minLength: 1, maxLength: 2 }),
        fc.array(fc.option(date, { nil: undefined }), { minLength: 1, maxLength: 6 }),
        async (asked, dates) => {
          const values = await match(`What was there on ${asked.join(' and ')}?`, ...dates);
          const expected = shares(dateMatch(asked, dates));
          if (expected.every((value) => value === 0)) expect(new Set(values)).toEqual(new Set([undefined]));
          else {
            expect(values).toEqual(expected.map((value) => expect.closeTo(value, 10)));
            matches++;
          }
        },
      ),
      { numRuns: 150, seed: 4 },
    );
    expect(matches).toBeGreaterThan(75);
  });
});
