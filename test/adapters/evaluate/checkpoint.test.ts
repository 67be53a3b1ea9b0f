import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEvaluationCase } from '../../../adapters/evaluate/case.js';
import { openCheckpoint } from '../../../adapters/evaluate/checkpoint.js';
import type { CaseRecord, Plan } from '../../../adapters/evaluate/measure.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { bridgeCase } from './cases.js';

const plan: Plan = { methods: [{ name: 'a', options: { k: 2 } }], budgets: [10], seed: 1 };
const given = (number: number) => parseEvaluationCase(bridgeCase(number));
const record = (id: string): CaseRecord => ({
  id,
  group: id,
  units: 1,
  inPool: 0,
  chunks: 2,
  tokens: 9,
  methods: [],
});

test('the measured cases are there again, without the line that was being written', async () => {
  const path = join(temporaryFolder(), 'checkpoint');
  const first = await openCheckpoint(path, plan, true);
  await first.add(1, given(1), record('one'));
  await first.add(3, given(3), record('three'));
  await first.close();
  appendFileSync(path, '{"number":4,"digest":"');
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const again = await openCheckpoint(path, plan, true);
  expect(again.recordOf(1, given(1))).toEqual(record('one'));
  expect(again.recordOf(3, given(3))).toEqual(record('three'));
  expect(again.recordOf(2, given(2))).toBeUndefined();
  // The third line of the data is another case now.
  expect(again.recordOf(3, given(4))).toBeUndefined();
  await again.add(2, given(2), record('two'));
  await again.close();
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(5);

  const anew = await openCheckpoint(path, plan, false);
  expect(anew.recordOf(1, given(1))).toBeUndefined();
  await anew.close();
  await anew.remove();
  expect(existsSync(path)).toBe(false);
});

test('a checkpoint of other options, and a folder that is not there, are errors', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'checkpoint');
  await (await openCheckpoint(path, plan, false)).close();
  const wrong = { kind: 'invalid-input', field: 'checkpoint' };
  await expect(openCheckpoint(path, { ...plan, budgets: [20] }, true)).rejects.toMatchObject(wrong);
  await expect(openCheckpoint(join(folder, 'none', 'a'), plan, false)).rejects.toMatchObject(wrong);
});
