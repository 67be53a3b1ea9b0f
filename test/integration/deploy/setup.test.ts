/** Starts the services of the compose file here: a real Redis with the setup of the container, and a real PostgreSQL. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createReviewQueue } from 'context-shaping/langgraph';
import { createService } from 'context-shaping-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { asking, thread } from '../../adapters/langgraph/review-graphs.js';
import { checkpointers } from '../../adapters/langgraph/servers.js';
import { type JsonServer, jsonServer } from '../../adapters/logprobs/servers/json-server.js';
import { containers, hasTools, scriptOf } from '../../deploy/compose.js';
import { freePort } from '../../deploy/free-port.js';
import { mustHaveAll } from '../../must-have-all.js';

const PASSWORD = 'a1b2c3d4';
const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secret = join(folder, 'password');
writeFileSync(secret, `${PASSWORD}\n`);

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

describe.runIf((hasRedis && hasTools) || mustHaveAll)('the setup of the container', () => {
  let model: JsonServer;
  let port: number;
  let redis: ReturnType<typeof spawn>;
  beforeAll(async () => {
    // Vectors by the first letter of the texts, in another order than they were sent.
    model = await jsonServer(({ body }) => ({
      json: {
        data: (body.input as string[])
          .map((text, index) => ({ index, embedding: [text.charCodeAt(0) - 97, 10] }))
          .reverse(),
      },
    }));
    port = await freePort();
    const start = scriptOf(containers().cache?.command, {
      '/run/secrets/redis_password': secret,
      'redis-server -': `redis-server - --port ${port} --bind 127.0.0.1 --dir ${folder}`,
    });
    // In a group of its own: the shell is not the server.
    redis = spawn('sh', ['-c', start], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    for await (const line of redis.stdout as NodeJS.ReadableStream)
      if (String(line).includes('Ready to accept')) break;
  });
  afterAll(async () => {
    await model.close();
    process.kill(-(redis.pid as number));
  });

  const cli = async (...args: string[]) => {
    const env = { ...process.env, REDISCLI_AUTH: PASSWORD };
    const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(port), ...args], { env });
    return stdout.trim().split('\n');
  };

  /** Asks a new service with a fresh setup; the model and Redis as given by the environment. */
  async function ask(env: Record<string, string>, texts: readonly string[]) {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const setup = `${pathToFileURL(resolve('deploy/setup.js')).href}?${Math.random()}`;
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
  const settings = () => ({
    EMBEDDINGS_URL: `${model.address}/v1`,
    EMBEDDINGS_MODEL: 'letters',
    REDIS_URL: `redis://127.0.0.1:${port}`,
    REDIS_PASSWORD_FILE: secret,
  });

  test('Redis is healthy by its own check', async () => {
    const check = scriptOf(containers().cache?.healthcheck?.test, {
      '/run/secrets/redis_password': secret,
      'redis-cli': `redis-cli -p ${port}`,
    });
    await promisify(execFile)('sh', ['-c', check]);
    await expect(promisify(execFile)('sh', ['-c', check.replace(secret, '/dev/null')])).rejects.toMatchObject(
      { code: 1 },
    );
  });

  test('a text is embedded once, and its vector kept for a month', async () => {
    const before = model.asked.length;
    const { report } = await ask(settings(), ['apple pie', 'zebra crossing']);
    expect(report.degradations).toEqual([]);
    expect(report.kept[0].features.cosine).toBeDefined();
    expect(report.kept[0].id).toBe('1');
    expect(model.asked.slice(before)).toMatchObject([
      {
        path: '/v1/embeddings',
        body: { model: 'letters', input: expect.arrayContaining(['apple pie', 'x']) },
      },
    ]);
    const again = await ask(settings(), ['apple pie', 'zebra crossing']);
    expect(again.report.digest).toBe(report.digest);
    expect(model.asked).toHaveLength(before + 1);
    const keys = await cli('--scan');
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      expect(key).toMatch(/^context-shaping:/);
      expect(Number((await cli('ttl', key))[0])).toBeGreaterThan(29 * 24 * 60 * 60);
    }
  });

  test('without Redis the model answers, and without the model the words', async () => {
    const closed = `redis://127.0.0.1:${await freePort()}`;
    const withoutCache = await ask({ ...settings(), REDIS_URL: closed }, ['apple tart', 'zebra']);
    expect(withoutCache.report.degradations).toEqual([]);
    expect(withoutCache.report.kept[0].features.cosine).toBeDefined();
    const gone = { ...settings(), EMBEDDINGS_URL: `http://127.0.0.1:${await freePort()}/v1` };
    const withoutModel = await ask(gone, ['apple cake', 'zebra x']);
    expect(withoutModel.report.degradations).toMatchObject([{ code: 'embedder-failed' }]);
  });

  test('without an address there is no embedder', async () => {
    const { report } = await ask({ EMBEDDINGS_URL: '' }, ['apple', 'zebra']);
    expect(report.degradations).toEqual([]);
    expect(report.kept[0].features?.cosine).toBeUndefined();
  });

  test('a key is sent to the model', async () => {
    await ask({ ...settings(), REDIS_URL: '', EMBEDDINGS_API_KEY_FILE: secret }, ['one', 'two']);
    expect(model.asked.at(-1)?.headers.authorization).toBe(`Bearer ${PASSWORD}`);
  });
});

const postgres = checkpointers.find(({ name }) => name === 'PostgreSQL');

test.runIf((postgres?.available && hasTools) || mustHaveAll)(
  'the reviews of the compose file are those of the database',
  async () => {
    const { checkpointer, connection, close } = await (postgres as NonNullable<typeof postgres>).open();
    onTestFinished(close);
    await asking({ checkpointer }).invoke({ query: 'Is it so?' }, thread('one'));
    const [address = '', schema = ''] = connection.split('#');
    const at = address.replace(/(?=@)/, `:$(cat ${secret})`);
    const script = scriptOf(containers().reviews?.entrypoint, {
      'postgres://shaping:$(cat /run/secrets/postgres_password)@database/shaping': at,
      'node node_modules/context-shaping/dist/esm/adapters/cli/main.js': `${process.execPath} --conditions=context-shaping-source --import tsx adapters/cli/main.ts`,
    });
    const command = containers().reviews?.command ?? [];
    const args = ['-c', script, 'reviews', ...command, '--schema', schema, '--format', 'json'];
    const { stdout } = await promisify(execFile)('sh', args);
    expect(JSON.parse(stdout)).toEqual(await createReviewQueue({ checkpointer }).list());
    expect(JSON.parse(stdout)).toMatchObject([{ request: { query: 'Is it so?' } }]);
  },
);
