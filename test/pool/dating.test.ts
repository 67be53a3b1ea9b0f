/** Dates and versions of texts: where they are read, which texts have none, and which is later. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DATINGS,
  dated,
  dateIn,
  dateOf,
  datingOf,
  isLater,
  versionIn,
  versionOf,
} from '../../src/pool/dating.js';
import type { Source } from '../../src/types.js';

const ofSource = (source: Partial<Source>, rest = {}) => ({ source: { id: 'a', ...source }, ...rest });

describe('a date', () => {
  test.each([
    ['2024-05-01', '2024-05-01'],
    ['2024-05', '2024-05'],
    ['2024', '2024'],
    [' 2024-05-01 ', '2024-05-01'],
    ['2024-05-01T10:30:00Z', '2024-05-01T10:30:00.000Z'],
    ['2024-05-01 10:30', '2024-05-01T10:30:00.000Z'],
    ['2024-05-01T10:30:00.250+02:00', '2024-05-01T08:30:00.250Z'],
    ['1714521600', '2024-05-01T00:00:00.000Z'],
    ['1714521600000', '2024-05-01T00:00:00.000Z'],
    ['D:20240501120000Z', '2024-05-01'],
    ['20240501', '2024-05-01'],
    ['1 May 2024', '2024-05-01'],
    ['May 2024', '2024-05'],
    ['2024-05-01T25:00', '2024-05-01'],
    ['25/12/2024', '2024-12-25'],
  ])('as a value: %s', (value, text) => {
    expect(dateOf(value)?.text).toBe(text);
  });

  test.each(['', 'soon', '5/8/2024', '2024-13-01', '2024-02-30', 'v2', 'x'.repeat(5000)])(
    'is not: %s',
    (value) => {
      expect(dateOf(value)).toBeUndefined();
    },
  );

  test.each([
    ['docs/2024/manual.md', '2024'],
    ['docs/2024/05/manual-2024-05-01.md', '2024-05-01'],
    ['blog/2024/05/01/retries', '2024-05-01'],
    ['manual-2024-05.pdf', '2024-05'],
    ['manual_20240501.pdf', '2024-05-01'],
    ['Manual, May 2024', '2024-05'],
    ['may-2024-release-notes', '2024-05'],
    ['Manual of 1 May 2024', '2024-05-01'],
    ['Manual (2023)', '2023'],
    ['Manual v2, May 2024', '2024-05'],
    ['manual.2024.pdf', '2024'],
  ])('in a name: %s', (name, text) => {
    expect(dateIn(name)?.text).toBe(text);
  });

  test.each([
    undefined,
    '',
    'manual.md',
    'From 2023 to 2024',
    'docs/2023/manual-2024.md',
    'RFC 9110',
    'port 8080',
    'id-120245',
    'Release 1.2024',
  ])('is not in the name: %s', (name) => {
    expect(dateIn(name)).toBeUndefined();
  });
});

describe('a version', () => {
  test.each([
    ['3', '3'],
    ['v2.1', '2.1'],
    ['version 3', '3'],
    ['2.1.0-rc.1', '2.1.0-rc.1'],
    ['1.0.0+build.5', '1.0.0'],
    ['2024-05-01', '2024-05-01'],
  ])('as a value: %s', (value, text) => {
    expect(versionOf(value)?.text).toBe(text);
  });

  test.each(['', 'latest', 'v', '1.x', 'version three', '2.1 of the manual'])('is not: %s', (value) => {
    expect(versionOf(value)).toBeUndefined();
  });

  test.each([
    ['Manual v2', '2'],
    ['Manual V2.1', '2.1'],
    ['Manual, version 3', '3'],
    ['Manual rev. 4', '4'],
    ['docs/v2/manual.md', '2'],
    ['manual_v2.pdf', '2'],
    ['manual-2.1.0.pdf', '2.1.0'],
    ['manual 2.1.0-beta.2', '2.1.0-beta.2'],
    ['v2/manual-v2.0.md', '2'],
  ])('in a name: %s', (name, text) => {
    expect(versionIn(name)?.text).toBe(text);
  });

  test.each([
    undefined,
    'Manual',
    'Section 2.1',
    'From v1 to v2',
    'http://10.0.0.1/manual',
    'of 2024.05.01',
    'of 01.05.2024',
    'dev2',
    'MPV2x',
  ])('is not in the name: %s', (name) => {
    expect(versionIn(name)).toBeUndefined();
  });
});

describe('which is later', () => {
  const later = (one: string, other: string, read: typeof dateOf) => {
    const [a, b] = [read(one)?.value, read(other)?.value];
    return a !== undefined && b !== undefined && isLater(a, b);
  };
  test.each([
    ['2024-05-02', '2024-05-01'],
    ['2024-06', '2024-05-31'],
    ['2025', '2024-12'],
    ['2024-05-01T10:00Z', '2024-05-01T09:59:59Z'],
  ])('the date %s, not %s', (one, other) => {
    expect([later(one, other, dateOf), later(other, one, dateOf)]).toEqual([true, false]);
  });

  test.each([
    ['2024-05', '2024-05-01'],
    ['2024', '2024-12'],
    ['2024-05-01', '2024-05-01T23:00Z'],
    ['2024-05-01', '2024-05-01'],
  ])('neither of the dates %s and %s', (one, other) => {
    expect([later(one, other, dateOf), later(other, one, dateOf)]).toEqual([false, false]);
  });

  test.each([
    ['2', '1.9'],
    ['1.10', '1.9'],
    ['2.0.1', '2'],
    ['2.0', '2.0-rc.1'],
    ['2.0-rc.10', '2.0-rc.9'],
    ['2.0-rc', '2.0-beta.7'],
  ])('the version %s, not %s', (one, other) => {
    expect([later(one, other, versionOf), later(other, one, versionOf)]).toEqual([true, false]);
  });

  test('neither of equal versions, and a date is not compared with a version', () => {
    expect(later('2', 'v2.0.0', versionOf)).toBe(false);
    const [date, version] = [dateOf('2024')?.value, versionOf('3')?.value];
    expect(isLater(date as never, version as never) || isLater(version as never, date as never)).toBe(false);
  });
});

test('every kind says where it was read', () => {
  const claim = ofSource(
    { date: '2024-05-01', title: 'Manual v2, May 2024', source: '2023/v1/manual.md' },
    { datePath: 'created_at', version: '2.1' },
  );
  expect(DATINGS.map((dating) => dated(claim, dating)).map((found) => [found?.from, found?.text])).toEqual([
    ['metadata.created_at', '2024-05-01'],
    ['metadata.version', '2.1'],
    ['the version in the title', '2'],
    ['the version in the source', '1'],
    ['the date in the title', '2024-05'],
    ['the date in the source', '2023'],
  ]);
  expect(datingOf({ claims: [claim], sources: [claim.source] })).toMatchObject({
    date: { text: '2024-05-01', from: 'metadata.created_at' },
    version: { text: '2.1', from: 'metadata.version' },
  });
});

test('a candidate without claims is read from its own source; one without dates has none', () => {
  expect(datingOf({ sources: [{ id: 'a', title: 'Manual v3' }] })).toMatchObject({ version: { text: '3' } });
  expect(datingOf({ sources: [{ id: 'a' }] })).toEqual({});
});

test('any text is read without an error, in time that grows with its length only up to a limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const found of [dateOf(text), versionOf(text), dateIn(text), versionIn(text)]) {
        if (found !== undefined) expect(isLater(found.value, found.value)).toBe(false);
      }
    }),
    { numRuns: 2000 },
  );
  const started = performance.now();
  for (const text of ['1.'.repeat(1e6), 'v'.repeat(1e6), '2024-'.repeat(1e6), '1'.repeat(1e6)])
    for (const read of [dateOf, versionOf, dateIn, versionIn]) read(text);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('days are ordered as their numbers are', () => {
  const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, day, (one, other) => {
      const [a, b] = [one, other].map((date) => date.toISOString().slice(0, 10)) as [string, string];
      for (const read of [dateOf, (text: string) => dateIn(`docs/${text.replaceAll('-', '/')}/manual.md`)]) {
        const [first, second] = [read(a), read(b)];
        expect([first?.text, second?.text]).toEqual([a, b]);
        expect(isLater(first?.value as never, second?.value as never)).toBe(a > b);
      }
    }),
  );
});
