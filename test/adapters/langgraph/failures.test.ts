/** Graders, rewrites and searches that fail or hang. */
import type { Telemetry } from 'context-shaping';
import { type CragGraphFields, createCragGraph, type Grader } from 'context-shaping/langgraph';
import { describe, expect, test } from 'vitest';
import { answering, documents, fixedGrader, idsOf, query, web } from './support.js';

const input = { query, documents: documents(0.5) };
const crag = (fields: CragGraphFields = {}) => createCragGraph({ grader: fixedGrader(), ...fields });
const run = (fields: CragGraphFields) => crag(fields).invoke(input);
const never = () => new Promise<never>(() => {});

test('an observer that never answers holds the graph up no longer than the deadline', async () => {
  const { context, report } = await run({ shaper: { deadlineMs: 20, onReport: never, onEvict: never } });
  expect(context.length).toBeGreaterThan(0);
  expect(report.degradations.map(({ code }) => code)).toContain('observer-failed');
});

test('a telemetry that fails changes nothing, and the report says so', async () => {
  const telemetry: Telemetry = {
    begin() {
      throw new Error('out of order');
    },
  };
  const plain = await run({});
  const { context, report } = await run({ shaper: { telemetry, errorMessages: true } });
  expect(context).toEqual(plain.context);
  const codes = new Set(report.degradations.map(({ code, message }) => `${code}: ${message}`));
  expect(codes).toEqual(new Set(['observer-failed: telemetry threw: out of order']));
});

describe('a grader that fails', () => {
  const failing: [string, Grader, string][] = [
    ['throws', answering(() => Promise.reject(new Error('503'))), '503'],
    ['throws what is no error', answering(() => Promise.reject('no money')), 'no money'],
    [
      'throws at once',
      {
        name: 'odd',
        grade: () => {
          throw new Error('at once');
        },
      },
      'at once',
    ],
    ['grades too few', { name: 'odd', grade: async () => [{ grade: 1 }] }, 'must answer with 2 grades'],
    ['answers nothing', { name: 'odd', grade: async () => undefined as never }, 'must answer with 2 grades'],
    ['grades outside of the range', answering(() => ({ grade: 1.5 })), 'not a number from 0 to 1'],
    ['grades with no number', answering(() => ({ grade: Number.NaN })), 'not a number from 0 to 1'],
    ['has nothing for it', answering(() => null), 'not a number from 0 to 1'],
    ['says so', answering(() => ({ failure: 'too long' })), 'too long'],
  ];
  test.each(failing)('%s: words alone grade', async (_, grader, message) => {
    const { report } = await run({ grader, shaper: { errorMessages: true } });
    expect(report.crag?.grades.map(({ id, by }) => [id, by])).toEqual([
      ['cats', 'relevance'],
      ['dogs', 'relevance'],
    ]);
    expect(report.degradations.map(({ code }) => code)).toContain('grader-failed');
    expect(report.degradations[0]?.message).toContain(message);
  });

  test('for one chunk: the others keep their grades', async () => {
    const { report } = await run({
      grader: answering((id) => (id === 'cats' ? { grade: 0.9, reason: 'yes' } : { failure: 'busy' })),
    });
    expect(report.crag?.grades).toMatchObject([
      { id: 'cats', grade: 0.9, reason: 'yes' },
      { id: 'dogs', by: 'relevance' },
    ]);
    expect(report.degradations[0]?.message).toContain('1 of 2');
  });

  test('words grade on the scale of the grader', async () => {
    const grader = answering(() => Promise.reject(new Error('down')));
    const words = await createCragGraph().invoke(input);
    for (const thresholds of [
      { lower: 0.6, upper: 0.9 },
      { lower: 0.05, upper: 0.1 },
    ]) {
      const { verdict, report } = await run({ grader, thresholds });
      expect(verdict).toBe(words.verdict);
      expect(idsOf(report.kept)).toEqual(idsOf(words.report.kept));
    }
  });
});

describe('a rewrite or a search that fails', () => {
  test.each([
    ['throws', async () => Promise.reject(new Error('no model'))],
    [
      'throws at once',
      () => {
        throw new Error('no model');
      },
    ],
    ['writes nothing', async () => '  '],
    ['writes no text', async () => 7 as never],
    ['writes a book', async () => 'word '.repeat(500)],
  ])('a rewrite that %s: the question is searched for', async (_, rewrite) => {
    const { report } = await run({ rewrite, webSearch: async () => [web('found', 0.8)] });
    expect(report.degradations).toMatchObject([{ stage: 'rewrite', code: 'rewrite-failed' }]);
    expect(report.crag?.searches).toMatchObject([{ query: expect.stringMatching(/cats.*dogs/), found: 1 }]);
    expect(report.kept.map(({ id }) => id)).toContain('found');
  });

  test('a search that throws a value that is no error, or answers with values that are no documents', async () => {
    for (const webSearch of [async () => Promise.reject('quota'), async () => ({ error: 'quota' })]) {
      const { report } = await run({ webSearch, shaper: { errorMessages: true } });
      expect(report.degradations).toMatchObject([{ code: 'search-failed' }]);
      expect(report.degradations[0]?.message).toContain('quota');
      expect(report.crag?.searches).toMatchObject([{ found: 0, failure: expect.stringContaining('quota') }]);
    }
  });
});

describe('a limit of time', () => {
  test('what takes too long has failed', async () => {
    const grader = { name: 'slow', grade: never };
    const { report } = await run({
      timeoutMs: 20,
      grader,
      rewrite: never,
      webSearch: never,
      thresholds: { upper: 1 },
    });
    expect(report.degradations.map(({ code }) => code)).toEqual([
      'grader-failed',
      'rewrite-failed',
      'search-failed',
    ]);
  });
});
