import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Case, Dataset } from './data/case.js';
import { loadLocomo } from './data/locomo.js';
import { loadLongMemEvalSessions, loadLongMemEvalTurns } from './data/longmemeval.js';
import { loadHotpot, loadMusique } from './data/multihop.js';
import { loadNaturalQuestions } from './data/nq.js';
import { loadSlimContext } from './data/slimcontext.js';
import { makeDataFolder } from './data-folder.js';
import { holdsAnswer } from './metrics.js';

const { folder, remove } = makeDataFolder();
const empty = mkdtempSync(join(tmpdir(), 'eval-empty-'));
afterAll(() => {
  remove();
  rmSync(empty, { recursive: true });
});

const LOADERS = [
  loadNaturalQuestions,
  loadHotpot,
  loadMusique,
  loadLocomo,
  loadLongMemEvalSessions,
  loadLongMemEvalTurns,
  loadSlimContext,
];
const load = (loader: (folder: string) => Dataset | undefined) => loader(folder) as Dataset;
const first = (loader: (folder: string) => Dataset | undefined) => load(loader).cases[0] as Case;

test.each(LOADERS)(
  '%o: what is relevant is in the pool, ids are distinct, reading again gives the same',
  (loader) => {
    const { cases } = load(loader);
    expect(cases.length).toBeGreaterThan(0);
    for (const { chunks, relevant } of cases) {
      const ids = chunks.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(relevant.length).toBeGreaterThan(0);
      expect(ids).toEqual(expect.arrayContaining([...relevant]));
    }
    expect(load(loader).cases).toEqual(cases);
    expect(loader(empty)).toBeUndefined();
  },
);

test('a file that is not of the format is named, with what is wrong', () => {
  const file = join(empty, 'locomo.json');
  writeFileSync(file, '[{"sample_id": 7}]');
  expect(() => loadLocomo(empty)).toThrow(/locomo\.json: [\s\S]*sample_id/);
  writeFileSync(file, '[');
  expect(() => loadLocomo(empty)).toThrow(/locomo\.json: .*JSON/);
  rmSync(file);
});

test('NQ: one passage of a pool answers, the others are the hardest that do not', () => {
  const { cases, counts } = load(loadNaturalQuestions);
  expect(counts).toEqual({ 'questions used': 24, 'questions skipped, gold passage without an answer': 1 });
  for (const { chunks, answers, relevant } of cases) {
    expect(chunks).toHaveLength(20);
    const answering = chunks.filter(({ text }) => holdsAnswer(text, answers)).map(({ id }) => id);
    expect(answering).toEqual(relevant);
    // It has no word of the questions.
    expect(chunks.some(({ text }) => text.startsWith('Leith'))).toBe(false);
  }
  const places = cases.map(({ chunks, relevant }) => chunks.findIndex(({ id }) => id === relevant[0]));
  expect(new Set(places).size).toBeGreaterThan(5);
  expect(loadNaturalQuestions(folder, 99)?.cases).toEqual([]);
});

test('HotpotQA: supporting sentences are facts of their documents; one that is not there is skipped', () => {
  const { chunks, facts, relevant } = first(loadHotpot);
  expect(chunks[1]).toEqual({
    id: 'd1',
    text: 'Leith\nLeith is a town. The Esk runs through it.',
    metadata: { title: 'Leith', source: 'Leith' },
  });
  expect(relevant).toEqual(['d0', 'd1']);
  expect(facts.map(({ text }) => text.trim())).toEqual([
    'She was born in Leith.',
    'The Esk runs through it.',
  ]);
  expect(load(loadHotpot).counts).toMatchObject({ facts: 2, 'facts skipped, not in the pool': 1 });
});

test('MuSiQue: supporting paragraphs are facts, with the answers of their steps', () => {
  const { facts, answers, category } = first(loadMusique);
  expect(facts).toEqual([
    { chunk: 'd1', text: 'Ada was born in Leith.', answer: 'Leith' },
    { chunk: 'd2', text: 'The Esk runs through Leith.', answer: 'Esk' },
  ]);
  expect(answers).toEqual(['Esk', 'River Esk']);
  expect(category).toBe('2 hops');
});

test('LoCoMo: turns with speaker, session, place and date; slips in the evidence are mended or counted', () => {
  const { cases, counts } = load(loadLocomo);
  expect(cases.map(({ relevant }) => relevant)).toEqual([['D1:1'], ['D1:1', 'D2:1'], ['D1:2']]);
  expect(cases.map(({ category }) => category)).toEqual(['single-hop', 'multi-hop', 'category 9']);
  expect(cases[0]?.chunks[1]).toEqual({
    id: 'D1:2',
    text: 'Show me. a photo of a red boat',
    metadata: { speaker: 'Ben', source: 'session_1', position: 1, date: '1:56 pm on 8 May, 2023' },
  });
  expect(cases[1]?.chunks).toBe(cases[0]?.chunks);
  expect(counts).toEqual({
    conversations: 1,
    'questions used': 3,
    'evidence entries repaired': 1,
    'evidence entries skipped, naming no turn': 1,
    'questions skipped, without evidence': 1,
  });
});

test('LongMemEval: sessions, each once, as lines of who said what', () => {
  const { chunks, relevant } = first(loadLongMemEvalSessions);
  expect(relevant).toEqual(['s2']);
  expect(chunks.map(({ id }) => id)).toEqual(['s1', 's2']);
  expect(chunks[1]).toEqual({
    id: 's2',
    text: 'user: I sold my red boat.\nassistant: For how much?\nuser: For 900 pounds.',
    metadata: { source: 's2', position: 1, date: '2023/05/21 (Sun) 10:00' },
  });
  expect(load(loadLongMemEvalSessions).counts).toMatchObject({ 'sessions skipped, twice in a haystack': 2 });
});

test('LongMemEval: marked turns are found in the whole haystack; blank turns are left out', () => {
  const { chunks, relevant } = first(loadLongMemEvalTurns);
  expect(relevant).toEqual(['s2#2']);
  expect(chunks.map(({ id }) => id)).toEqual(['s1#0', 's1#1', 's2#0', 's2#1', 's2#2']);
  expect(chunks[4]).toEqual({
    id: 's2#2',
    text: 'For 900 pounds.',
    metadata: { speaker: 'user', source: 's2', position: 2, date: '2023/05/21 (Sun) 10:00' },
  });
  expect(load(loadLongMemEvalTurns).counts).toMatchObject({
    'questions used': 1,
    'questions skipped, not in the file with marked turns': 1,
  });
});
