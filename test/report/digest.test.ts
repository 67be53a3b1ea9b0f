import { afterEach, expect, test, vi } from 'vitest';
import { createShaper } from '../../src/index.js';
import { digestOf } from '../../src/report/digest.js';

afterEach(() => vi.restoreAllMocks());

// Padding begins a second block from 56 bytes on; a lone surrogate has no UTF-8.
const TEXTS = [
  '',
  'abc',
  'x'.repeat(55),
  'x'.repeat(56),
  'x'.repeat(64),
  'héllo 🙂\0',
  'a\ud800b',
  'ß'.repeat(9999),
];

test('one digest with and without the runtime’s own', () => {
  const asked = vi.spyOn(process, 'getBuiltinModule');
  const own = TEXTS.map(digestOf);
  const loaded = asked.mock.results.filter((_, call) => asked.mock.calls[call]?.[0] === 'node:crypto');
  expect(loaded).toHaveLength(TEXTS.length);
  expect(loaded[0]?.value).toHaveProperty('createHash');
  asked.mockReturnValue(undefined as never);
  expect(TEXTS.map(digestOf)).toEqual(own);
  expect(own[1]).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('where there is no process, as in a browser', () => {
  const own = TEXTS.map(digestOf);
  vi.stubGlobal('process', undefined);
  const there = TEXTS.map(digestOf);
  vi.unstubAllGlobals();
  expect(there).toEqual(own);
});

test('a report with long lists has the digest of its JSON', async () => {
  const chunks = Array.from({ length: 200 }, (_, at) => ({
    id: `c${at} \ud800`,
    text: `The ${at}th bridge is old.`,
  }));
  const { report } = await createShaper({ k: 3, semanticDedup: false }).shape({
    query: 'Which bridge is old?',
    chunks,
  });
  const { digest, stages, ...rest } = report;
  const told = { ...rest, stages: stages.map(({ milliseconds: _, ...stage }) => stage) };
  const inOrder = Object.fromEntries(
    Object.keys(report).flatMap((key) => (key === 'digest' ? [] : [[key, told[key as keyof typeof told]]])),
  );
  expect(report.evicted.length).toBeGreaterThan(100);
  expect(digestOf(JSON.stringify(inOrder))).toBe(digest);
});
