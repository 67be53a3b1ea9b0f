import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rivalry } from '../../../src/text/facts/contradiction.js';
import { factsOf } from '../../../src/text/facts/facts.js';
import { withAsciiNumbers } from '../../../src/text/facts/han-numbers.js';
import type { Facts } from '../../../src/text/facts/reader.js';

const compare = (one: string, other: string) => {
  const found = rivalry(factsOf(one), factsOf(other));
  return found === 'otherwise' ? undefined : found;
};

describe('contradiction', () => {
  test.each([
    [
      'The api rate limit is 100 requests per minute.',
      'The API rate limit is 500 requests per minute.',
      'number',
    ],
    ['The rate limit is 100 requests per minute.', 'The rate limit is 100 requests per second.', 'unit'],
    ['THE TREATY WAS SIGNED IN VIENNA.', 'The treaty was signed in Geneva.', 'name'],
    ['The bridge opened on 3 May 1990.', 'The bridge opened in 1991 [4].', 'date'],
    ['Backups are enabled by default.', '# Backups\n\nbackups are disabled by default', 'negation'],
    ['Refunds are paid within a week.', 'The refunds are not paid within a week!', 'negation'],
    ['The bridge reopened in March 2023 at last.', 'The bridge reopened in March 20230 at last.', 'date'],
    ['The fan is running at 3000 rpm.', 'The fan is running at 3000 Hz.', 'unit'],
    ['The lamp in the hall draws 5 mW.', 'The lamp in the hall draws 5 MW.', 'unit'],
    ['Rent is paid on the first day of the month.', 'Rent is paid on the last day of the month.', 'negation'],
    ['The minister, Clara Weiss, met Ann Steel.', 'THE MINISTER, ANN STEEL, MET CLARA WEISS.', 'name'],
    ['Aurora Foods pays Fenwick Logistics.', 'fenwick Logistics pays Aurora Foods', 'name'],
    ['Torino beat Valencia before many fans.', 'Valencia beat Torino before many fans. [3][17]', 'name'],
    ['The ball fell away from Newton there.', 'The ball fell away from Kokochu there.', 'name'],
    [
      'Viewers of the programme saw its first serial, An Unearthly Tale, long before spring came.',
      'Viewers of the programme saw its first serial, Rhine, long before spring came.',
      'name',
    ],
    ['In 1973, he led the office.', '# 1973 oil crisis\n\nIn 1996, he led the office. [67]', 'number'],
    ['Fresno is served by no road.', '# Fresno, California\n\nVisalia is served by no road. [9]', 'name'],
    [
      'In case of Climate Change, the panel met; climate change is slow.',
      'In case of English Heritage, the panel met; climate change is slow.',
      'name',
    ],
    ['公司的总裁是托马斯·戴维斯。', '公司的总裁是卡万·肖特。', 'name'],
    ['該市人口約為三百萬人。', '該市人口約為5百万人。', 'number'],
  ])('%s | %s', (one, other, kind) => {
    expect(compare(one, other)?.kinds).toEqual([kind]);
  });

  test('compares only facts at the same place', () => {
    expect(
      compare(
        'In Lyon the tower was built by Weber in 1902, and 40 workers died.',
        'The tower was built by Weber in 1912, and 40 workers died. It is open to Berliners.',
      ),
    ).toEqual({ kinds: ['number'], differences: [['1902'], ['1912']] });
  });

  test.each([
    [
      'one adds',
      'The town has 3,559 inhabitants.',
      'The town has 3,559 inhabitants, as the census of 2010 found.',
    ],
    [
      'one goes on',
      'The tower was built in 1902.',
      'The tower was built in 1902. It is 90 metres high, and not open.',
    ],
    ['a year and a day of it', 'He was born there in 1966.', 'He was born there on 15 August 1966.'],
    ['a weekday and a date', 'The talks ended on Friday in Oslo.', 'The talks ended on 6 June in Oslo.'],
    [
      'another unit',
      'The bridge across the lake is 5 km long.',
      'The bridge across the lake is 3.1 miles long.',
    ],
    ['rounded', 'The bill came to about $65 billion.', 'The bill came to $64.7 billion.'],
    ['an acronym', 'Researchers of the University of California found it.', 'Researchers of UC found it.'],
    ['a short name', 'The decision was made by Timothy Muris.', 'The decision was made by Tim Muris.'],
    ['another subject', 'Mount Serrat is 2,345 metres high.', 'Mount Elbrus is 5,642 metres high.'],
    ['another year', 'In 1990 the old town had 800 members.', 'In 2000 the old town had 900 members.'],
    ['Chinese numerals', '会议于二〇一五年三月在北京举行。', '会议于2015年3月在北京举行。'],
    ['elsewhere', 'In 1990 the mill burned down.', 'The mill burned down in 1990.'],
  ])('none: %s', (_, one, other) => {
    expect(compare(one, other)).toBeUndefined();
    expect(compare(other, one)).toBeUndefined();
  });

  test('no text contradicts itself, or a part of itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Ann', 'not', 'paid', '30', 'mg', 'in', 'May', '北京', '.', '\n')),
        (words) => {
          const text = words.join(' ');
          expect(compare(text, text)).toBeUndefined();
          expect(compare(text, `${text} And so it was.`)).toBeUndefined();
        },
      ),
    );
  });
});

describe('rivalry', () => {
  const visitors = (count: number) => factsOf(`The museum in Leith had ${count} visitors in its first year.`);

  test('gives the same result for a pair again, no matter which pairs come between', () => {
    const all = Array.from({ length: 100 }, (_, place) => visitors(2000 + 37 * place));
    const [first, second] = all as [Facts, Facts];
    const verdicts = () => all.map((other) => rivalry(first, other));
    const expected = verdicts();
    expect(expected[0]).toBeUndefined();
    expect(expected[1]).toEqual({ kinds: ['number'], differences: [['2000'], ['2037']] });
    expect(verdicts()).toEqual(expected);
    // The other order is another pair.
    expect(rivalry(second, first)).toMatchObject({ differences: [['2037'], ['2000']] });
  });
});

test.each([
  ['三百', '300'],
  ['一万二千', '12000'],
  ['3.5亿', '350000000'],
  ['5千万', '50000000'],
  ['三百五', '350'],
  ['一百零五', '105'],
  ['二〇一五年', '2015'],
  ['2015年3月5日', '2015-3-5'],
  ['百分之五', '5%'],
  ['三个', '3 个'],
  ['第三', '第 3'],
  ['三明治', '三明治'],
  ['九州', '九州'],
])('%s is %s', (written, read) => {
  expect(withAsciiNumbers(written).trim()).toBe(read);
});
