import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedTimes, spanOf, spansAbout } from '../../../src/text/facts/spans.js';

const DAY = 86_400_000;
const dayOf = (iso: string) => Date.parse(`${iso}T00:00Z`) / DAY;
const iso = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
const shown = (text: string) => {
  const span = spanOf(text);
  return span && [iso(span.first), iso(span.last)];
};
/** A Thursday. */
const TODAY = '2023-06-15';
const asked = (question: string, today = TODAY) =>
  namedTimes(question, dayOf(today))
    .flatMap((time) => spansAbout(time, dayOf(today)))
    .map(({ first, last }) => (first === last ? iso(first) : `${iso(first)} to ${iso(last)}`));

describe('the date of a text', () => {
  test.each([
    '2023-05-08',
    '2023-05-08T23:59:59.999Z',
    '1:56 pm on 8 May, 2023',
    '2023/05/08 (Mon) 02:21',
    'Mon, 08 May 2023 10:00:00 GMT',
    'May 8th, 2023',
    '8.5.2023',
    '8 mai 2023',
    '20230508',
    '202305081356',
    "D:20230508135600+02'00'",
    '1683504000',
    '1683504000.25',
    '1683590399999',
    ' 2023-05-08\n',
  ])('%s', (text) => {
    expect(shown(text)).toEqual(['2023-05-08', '2023-05-08']);
  });

  test.each([
    ['2023', '2023-01-01', '2023-12-31'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['May 2023', '2023-05-01', '2023-05-31'],
    ['0001-01-01', '0001-01-01', '0001-01-01'],
  ])('%s is all of its days', (text, first, last) => {
    expect(shown(text)).toEqual([first, last]);
  });

  test.each([
    '',
    'yesterday',
    'Friday',
    '8 May',
    '5/8/2023',
    '2023-02-29',
    '2023-13-01',
    '20231301',
    '31 June 2023',
    '12',
    'true',
    'NaN',
    '-1',
    '9e99',
    '99999999999999999999',
    `${' x'.repeat(60)} 2023-05-08`,
  ])('%s states none', (text) => {
    expect(spanOf(text)).toBeUndefined();
  });

  test('gives no days or whole days in order, for every text', () => {
    const digits = fc.stringMatching(/^[0-9:/. T-]{1,20}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (text) => {
        const span = spanOf(text);
        if (span === undefined) return;
        expect(Number.isInteger(span.first) && Number.isInteger(span.last)).toBe(true);
        expect(span.last).toBeGreaterThanOrEqual(span.first);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  test('every day as its ISO date, in seconds, and in milliseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: dayOf('1980-01-01'), max: dayOf('2099-12-31') }), (day) => {
        const expected = { first: day, last: day };
        expect(spanOf(iso(day))).toEqual(expected);
        expect(spanOf(String(day * 86_400 + 3600))).toEqual(expected);
        expect(spanOf(String(day * DAY + DAY - 1))).toEqual(expected);
      }),
      { numRuns: 500, seed: 2 },
    );
  });
});

describe('the times that a question names', () => {
  test.each([
    ['What happened on October 3, 2023?', ['2023-10-03']],
    ['what happened on october 3rd 2023', ['2023-10-03']],
    ['Where was she in May 2023?', ['2023-05-01 to 2023-05-31']],
    ['Who won in 2022?', ['2022-01-01 to 2022-12-31']],
    ['Who won the 2022 final?', ['2022-01-01 to 2022-12-31']],
    ['Between 2021-05-08 and 2022-05-09?', ['2021-05-08', '2022-05-09']],
    ['On 5/8/2023?', ['2023-05-08', '2023-08-05']],
    ['What did she say on 8 May?', ['2022-05-08', '2023-05-08']],
    ['What did she say in May?', ['2022-05-01 to 2022-05-31', '2023-05-01 to 2023-05-31']],
    ['What was it on 29 February?', []],
    ['What was it yesterday?', ['2023-06-14']],
    ['What is it today?', [TODAY]],
    ['What did he buy on Friday?', ['2023-06-09']],
    ['What did he buy on Thursday?', [TODAY]],
    ['What did he buy on Friday, 12 May 2023?', ['2023-05-12']],
    ['What did he buy last Friday?', ['2023-06-09']],
    ['What did he buy last Thursday?', ['2023-06-08']],
    ['What did he buy this Thursday?', [TODAY]],
    ['What did he buy last week?', ['2023-06-05 to 2023-06-11']],
    ['What did he buy this week?', ['2023-06-12 to 2023-06-18']],
    ['What did he buy last weekend?', ['2023-06-10 to 2023-06-11']],
    ['What did he buy last month?', ['2023-05-01 to 2023-05-31']],
    ['What did he buy this month?', ['2023-06-01 to 2023-06-30']],
    ['What did he buy last year?', ['2022-01-01 to 2022-12-31']],
    ['What did he buy last night?', ['2023-06-14']],
    ['What did he buy last May?', ['2023-05-01 to 2023-05-31']],
    ['What did he buy last June?', ['2022-06-01 to 2022-06-30']],
    ['What did he buy this June?', ['2023-06-01 to 2023-06-30']],
    ['What did he buy last July?', ['2022-07-01 to 2022-07-31']],
    ['What did he buy in the last week?', ['2023-06-08 to 2023-06-15']],
    ['What did he buy in the past three days?', ['2023-06-12 to 2023-06-15']],
    ['What did he buy in the last 2 months?', ['2023-04-15 to 2023-06-15']],
    ['What did he buy 10 days ago?', ['2023-06-05']],
    ['What did he buy two weeks ago?', ['2023-05-31 to 2023-06-02']],
    ['What did he buy a couple of days ago?', ['2023-06-13']],
    ['What did he buy a month ago?', ['2023-05-12 to 2023-05-20']],
    ['What did he buy a year ago?', ['2022-04-24 to 2022-08-06']],
  ])('%s', (question, expected) => {
    expect(asked(question)).toEqual(expected);
  });

  test.each([
    'How many days ago did he buy it?',
    'When did she last visit a museum?',
    'What was her last name last time?',
    'She may go, and they march 10 miles.',
    'How much is 2000 dollars, $2000, or 1999 km?',
    'What do we sing at Sunday mass, and on a Friday?',
    'What was next week?',
    '',
  ])('none: %s', (question) => {
    expect(asked(question)).toEqual([]);
  });

  test('around the turn of a year', () => {
    expect(asked('Last month?', '2024-01-02')).toEqual(['2023-12-01 to 2023-12-31']);
    expect(asked('Last weekend?', '2024-01-07')).toEqual(['2023-12-30 to 2023-12-31']);
    expect(asked('Last weekend?', '2024-01-08')).toEqual(['2024-01-06 to 2024-01-07']);
    expect(asked('On Monday?', '2024-01-01')).toEqual(['2024-01-01']);
  });

  test('weekdays of any day, before 1970 as well', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (day) => {
        const [time] = namedTimes('What was it last Sunday?', day);
        expect(time).toHaveProperty('first');
        const { first } = time as { first: number };
        expect(new Date(first * DAY).getUTCDay()).toBe(0);
        expect(day - first).toBeGreaterThan(0);
        expect(day - first).toBeLessThan(8);
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
