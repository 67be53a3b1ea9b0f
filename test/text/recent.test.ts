import { expect, test } from 'vitest';
import { Recent } from '../../src/text/recent.js';

const text = (name: string) => name.padEnd(10, '.');

test('remembers a value until so many characters came after it', () => {
  const recent = new Recent<number>(30);
  for (const [value, name] of ['a', 'b', 'c'].entries()) recent.set(text(name), value);
  expect(['a', 'b', 'c', 'd'].map((name) => recent.get(text(name)))).toEqual([0, 1, 2, undefined]);
  for (const name of ['d', 'e', 'f', 'g']) recent.set(text(name), 0);
  expect(recent.get(text('a'))).toBeUndefined();
  expect(recent.get(text('d'))).toBe(0);
});

test('a value that is often asked for stays, with any number of later values', () => {
  const recent = new Recent<number>(30);
  recent.set(text('often'), 1);
  for (let each = 0; each < 100; each++) {
    recent.set(text(`${each}`), each);
    expect(recent.get(text('often'))).toBe(1);
  }
});

test('never keeps more than twice the bound', () => {
  const recent = new Recent<number>(100);
  const texts = Array.from({ length: 1000 }, (_, each) => text(`${each}`));
  for (const each of texts) recent.set(each, 1);
  // From the last on: to ask for old ones makes them young, and others are forgotten for them.
  const kept = texts.toReversed().filter((each) => recent.get(each) !== undefined);
  expect(kept.length).toBeGreaterThanOrEqual(10);
  expect(kept.length).toBeLessThanOrEqual(20);
});

test('does not keep long texts', () => {
  const recent = new Recent<number>(2 ** 20);
  const long = 'a'.repeat(2 ** 14);
  recent.set(long, 1);
  recent.set(`${long}a`, 2);
  expect([recent.get(long), recent.get(`${long}a`)]).toEqual([1, undefined]);
});
