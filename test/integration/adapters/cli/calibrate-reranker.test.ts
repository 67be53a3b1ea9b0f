/** `context-shaping calibrate --reranker`, with an imitated service. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../../../adapters/cli/harness.js';
import type { JsonServer } from '../../../adapters/logprobs/servers/json-server.js';
import { bySynonyms, rerankServer } from '../../../adapters/rerankers/rerank-server.js';

const folder = mkdtempSync(join(tmpdir(), 'context-shaping-calibrate-'));
const data = join(folder, 'labelled.jsonl');
const to = join(folder, 'profile.json');
const WORDS = {
  doctor: 'physician',
  teacher: 'tutor',
  leader: 'chief',
  owner: 'proprietor',
  guard: 'sentinel',
};
const PLACES = ['Lutorjo', 'Banuko', 'Ludra', 'Zenwim', 'Bapel'];

let server: JsonServer;
beforeAll(async () => {
  server = await rerankServer('vllm', { score: (...pair) => 0.5 + bySynonyms(...pair) / 10 });
  const lines = Object.entries(WORDS).flatMap(([word, other]) =>
    PLACES.map((place) =>
      JSON.stringify({
        question: `Who is the ${word} of ${place}?`,
        passages: [
          { text: `Everyone asks who the ${word} of ${place} is.`, relevant: false },
          { text: `In ${place}, somebody works as the ${other}.`, relevant: true },
          { text: 'My cat likes to sleep in the sun.', relevant: false },
        ],
      }),
    ),
  );
  writeFileSync(data, lines.join('\n'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const calibrate = (args: string[], env: Record<string, string> = {}) =>
  cli(['calibrate', '--data', data, '--to', to, ...args], { env });

test('a reranker is measured as a judge, with its key', async () => {
  const args = ['--reranker', 'v1', '--model', 'm', '--base-url', server.address];
  const { code, stdout } = await calibrate(args, { RERANKER_API_KEY: 'secret-key' });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^reranker:v1:m:org\/model\n25 questions, 75 passages/);
  const { methods } = JSON.parse(readFileSync(to, 'utf8'));
  expect(Object.keys(methods)).toEqual(['judge']);
  expect(methods.judge.ecs.auc).toBe(1);
  expect(server.asked.every(({ headers }) => headers.authorization === 'Bearer secret-key')).toBe(true);
});

test.each<[string, string[], RegExp]>([
  ['no address', ['--reranker', 'tei'], /--reranker requires --base-url/],
  ['another method', ['--reranker', 'tei', '--method', 'answer'], /--reranker is a judge.*--method answer/],
  ['a provider', ['--reranker', 'tei', '--provider', 'ollama'], /Give either --reranker or --provider/],
  ['an unknown service', ['--reranker', 'bm25'], /--reranker/],
])('with %s it says so', async (_, args, message) => {
  const { code, stderr } = await calibrate(args);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
});

test('a refused key is named by its variable', async () => {
  const { jsonServer } = await import('../../../adapters/logprobs/servers/json-server.js');
  const closed = await jsonServer(() => ({ status: 401, json: { error: 'who?' } }));
  const { code, stderr } = await calibrate(['--reranker', 'tei', '--base-url', closed.address]);
  await closed.close();
  expect(code).not.toBe(0);
  expect(stderr).toContain('Give the key that the server expects in RERANKER_API_KEY.');
});
