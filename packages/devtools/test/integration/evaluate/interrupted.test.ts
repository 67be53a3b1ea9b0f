import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programNamed } from '../../../../../test/adapters/cli/harness.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { bridgeCase } from '../../evaluate/cases.js';

const { start } = programNamed('context-shaping-devtools');

test('Ctrl-C in the middle of an evaluation ends it with 130, and leaves no file', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data.jsonl');
  const cases = Array.from({ length: 2000 }, (_, at) => bridgeCase(at + 1, 30));
  writeFileSync(data, cases.map((each) => JSON.stringify(each)).join('\n'));
  const to = join(folder, 'out.json');
  const { child, outcome } = start(['--verbose', 'evaluate', '--data', data, '--json', to]);
  await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()));
  child.kill('SIGINT');
  expect((await outcome).code).toBe(130);
  expect(existsSync(to)).toBe(false);
});
