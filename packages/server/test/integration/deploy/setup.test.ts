/** The setup of the container, with a server of vectors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createService } from 'context-shaping-server';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type JsonServer, jsonServer } from '../../../../../test/adapters/logprobs/servers/json-server.js';
import { freePort } from '../../../../../test/free-port.js';

const KEY = 'a1b2c3d4';
const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
const secret = join(folder, 'key');
writeFileSync(secret, `${KEY}\n`);

let model: JsonServer;
beforeAll(async () => {
  // Vectors by the first letter of the texts, in another order than they were sent.
  model = await jsonServer(({ body }) => ({
    json: {
      data: (body.input as string[])
        .map((text, index) => ({ index, embedding: [text.charCodeAt(0) - 97, 10] }))
        .reverse(),
    },
  }));
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true });
});

/** Asks a new service with a fresh setup; the model as given by the environment. */
async function ask(env: Record<string, string>, texts: readonly string[]) {
  for (const [name, value] of Object.entries({ EMBEDDINGS_MODEL: 'letters', ...env }))
    vi.stubEnv(name, value);
  const setup = `${pathToFileURL(resolve('packages/server/deploy/setup.js')).href}?${Math.random()}`;
  const service = await createService({ workers: 0, logger: false, setup });
  onTestFinished(() => service.close());
  const body = {
    query: 'x',
    chunks: texts.map((text, id) => ({ id: String(id), text })),
    options: { k: 1, ranked: false },
  };
  const answer = await service.app.inject({ method: 'POST', url: '/v1/shape', body });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

test('texts are embedded by the model', async () => {
  const { report } = await ask({ EMBEDDINGS_URL: `${model.address}/v1` }, ['apple pie', 'zebra crossing']);
  expect(report.degradations).toEqual([]);
  expect(report.kept).toMatchObject([{ id: '1', features: { cosine: expect.any(Number) } }]);
  expect(model.asked).toMatchObject([
    { path: '/v1/embeddings', body: { model: 'letters', input: expect.arrayContaining(['apple pie', 'x']) } },
  ]);
});

test('without the model, words decide, and the report says so', async () => {
  const { report } = await ask({ EMBEDDINGS_URL: `http://127.0.0.1:${await freePort()}/v1` }, ['apple', 'x']);
  expect(report.degradations).toMatchObject([{ code: 'embedder-failed' }]);
});

test('without an address there is no embedder', async () => {
  const { report } = await ask({ EMBEDDINGS_URL: '' }, ['apple', 'zebra']);
  expect(report.degradations).toEqual([]);
  expect(report.kept[0].features?.cosine).toBeUndefined();
});

test('a key is sent to the model', async () => {
  await ask({ EMBEDDINGS_URL: `${model.address}/v1`, EMBEDDINGS_API_KEY_FILE: secret }, ['one', 'two']);
  expect(model.asked.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
});
