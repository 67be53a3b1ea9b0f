import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelOf, writeModel } from '../../../../../test/adapters/embeddings/static-model.js';
import { makeDataFolder } from '../../../eval/data-folder.js';

const { folder, remove } = makeDataFolder();
afterAll(remove);

const WORDS = ['[UNK]', 'the', 'of', 'and', 'in', 'is', 'was', 'a', 'who', 'what', 'where', 'city', 'name'];

const run = (...flags: string[]) =>
  spawnSync(
    process.execPath,
    ['--conditions=context-shaping-source', '--import', 'tsx', 'packages/research/eval/main.ts', ...flags],
    { encoding: 'utf8' },
  );

test('runs every suite whose data is there, and says what it skips', () => {
  const json = join(folder, 'results.json');
  const { stdout, stderr, status } = run('--data', folder, '--json', json, '--limit', '4');
  expect(stderr).toContain('No --model');
  expect(status).toBe(Number(stdout.includes('Failed: ')));
  expect(stdout).toContain('paraphrase: skipped, its data is not in');
  expect(stdout).toContain('real-lists: skipped, it needs --models');
  for (const title of [
    'Natural Questions',
    'HotpotQA',
    'MuSiQue',
    'LoCoMo',
    'LongMemEval sessions',
    'Evidence kept',
    'Calibration of the relevance of chunks',
    'Logs of failed runs',
    '20 tables as one result, JSON',
  ])
    expect(stdout).toContain(title);
  expect(stdout).toContain('Skipped without --model: LangChain EmbeddingsFilter');
  expect(stdout).toMatch(/Do no harm: /);
  const { results } = JSON.parse(readFileSync(json, 'utf8'));
  const nq = results.find(({ suite }: { suite: string }) => suite === 'nq');
  const methodOf = (name: string) => nq.methods.find(({ method }: { method: string }) => method === name);
  expect(methodOf('BM25 top-k').metrics['answer kept at 2x'].mean).toBe(1);
  expect(methodOf('random').metrics['answer kept at 2x'].mean).toBeLessThan(1);
  expect(nq.comparisons[0]).toMatchObject({ method: 'ours', baseline: 'BM25 top-k' });
});

test('lists by vectors, by words and by both; vectors of a model are made once', () => {
  const [model, vectors] = [join(folder, 'model'), join(folder, 'vectors')];
  writeModel(
    model,
    modelOf(Object.fromEntries(WORDS.map((word, at) => [word, [Math.sin(at), Math.cos(at)]]))),
  );
  const asked = [
    '--suite',
    'real-lists',
    '--models',
    model,
    '--vectors',
    vectors,
    '--limit',
    '3',
    '--sets',
    'HotpotQA',
  ];
  const { stdout, stderr } = run('--data', folder, ...asked);
  for (const order of ['dense', 'hybrid', 'BM25'])
    expect(stdout, stderr).toContain(`${order} lists, vectors of model: evidence kept at 1/10 of the tokens`);
  for (const method of [
    'ours, vectors',
    'ours, shuffled vectors',
    'naive, cosines as prior',
    'sentences by cosine',
  ])
    expect(stdout).toContain(method);
  const made = () => readdirSync(join(vectors, 'model')).toSorted();
  const first = made();
  expect(first.length).toBeGreaterThan(0);
  expect(run('--data', folder, ...asked).stdout).toBe(stdout);
  expect(made()).toEqual(first);
});

test('only the suites that are asked for, and no others than there are', () => {
  const { stdout } = run('--data', folder, '--suite', 'slimcontext', '--limit', '1');
  expect(stdout).toContain('SlimContext’s benchmark');
  expect(stdout).not.toContain('HotpotQA');
  expect(run('--data', folder, '--suite', 'nonsense').stderr).toContain('Allowed choices are nq');
  expect(run('--data', folder, '--limit', '0').stderr).toContain('at least 1');
});

test('the figures of a plot: what each method keeps of tokens and answers, budget by budget', () => {
  const file = join(folder, 'evidence.json');
  expect(run('--data', folder, '--limit', '3', '--evidence', file).status).toBe(0);
  const { questions, points } = JSON.parse(readFileSync(file, 'utf8'));
  expect(questions).toBeGreaterThan(0);
  const ours: { factor: number; tokens: number; kept: number }[] = points.filter(
    ({ method }: { method: string }) => method === 'ours',
  );
  expect(ours.map(({ factor }) => factor)).toEqual([1.5, 2, 3, 4, 6, 8, 10, 15, 20]);
  for (const { factor, tokens, kept } of ours) {
    // Figures are rounded to four decimals, and the budget is filled.
    expect(tokens).toBeLessThanOrEqual(1 / factor + 0.00005);
    expect(kept).toBeLessThanOrEqual(1);
  }
});
