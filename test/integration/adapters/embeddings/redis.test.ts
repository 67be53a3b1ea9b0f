import { RedisByteStore } from '@langchain/community/storage/ioredis';
import { cachedEmbedder, fromLangChainEmbeddings } from 'context-shaping/embeddings';
import { Redis } from 'ioredis';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { HashEmbeddings, vectorOf } from '../../../adapters/embeddings/support.js';
import { mustHaveAll } from '../../../must-have-all.js';

const ADDRESS = { host: '127.0.0.1', port: 6379 };
const namespace = `context-shaping-test-${crypto.randomUUID()}`;
const client = new Redis({
  ...ADDRESS,
  lazyConnect: true,
  maxRetriesPerRequest: 1,
  retryStrategy: () => null,
});
client.on('error', () => {});
const reachable = await client.connect().then(
  () => true,
  () => false,
);

// In continuous integration a missing server fails the test; elsewhere the test is reported as skipped.
test.runIf(mustHaveAll)('Redis is reachable', () => expect(reachable).toBe(true));

describe.skipIf(!reachable)('RedisByteStore on a real server', () => {
  const store = new RedisByteStore({ client, namespace });
  const keys = () => client.keys(`${namespace}*`);
  const setUp = (model: string) => {
    const embeddings = new HashEmbeddings();
    return {
      embeddings,
      cached: cachedEmbedder(fromLangChainEmbeddings(embeddings), { store, namespace: model }),
    };
  };
  const clear = async () => {
    const found = await keys();
    if (found.length > 0) await client.del(...found);
  };
  beforeEach(clear);
  afterAll(async () => {
    await clear();
    await client.quit();
  });

  test('vectors survive the store, bit for bit', async () => {
    const texts = Array.from({ length: 50 }, (_, at) => `passage ${at} über 大桥 ${'x'.repeat(at)}`);
    const { cached, embeddings } = setUp('m');
    const cold = await cached.embed(texts, { queryIndex: 0 });
    expect(await keys()).toHaveLength(50);
    const asked = embeddings.requests.length;
    const other = setUp('m');
    expect(await other.cached.embed(texts, { queryIndex: 0 })).toEqual(cold);
    expect(embeddings.requests).toHaveLength(asked);
    expect(other.embeddings.requests).toEqual([]);
    expect(Array.from(cold[7] as ArrayLike<number>)).toEqual(vectorOf(texts[7] as string, 'documents'));
  });

  test('numbers of every kind: the store decodes its values as UTF-8', async () => {
    const vector = Float32Array.from(
      { length: 1536 },
      (_, at) => Math.sin(at * 12.9898) * 10 ** ((at % 60) - 30),
    );
    const embedder = { embed: async (texts: readonly string[]) => texts.map(() => vector) };
    await cachedEmbedder(embedder, { store, namespace: 'n' }).embed(['t'], {});
    const never = { embed: async () => Promise.reject(new Error('asked again')) };
    expect(await cachedEmbedder(never, { store, namespace: 'n' }).embed(['t'], {})).toEqual([vector]);
  });

  test('an entry that something else wrote is replaced', async () => {
    const { cached, embeddings } = setUp('m');
    await cached.embed(['t'], {});
    const [key] = (await keys()) as [string];
    await client.set(key, Buffer.from([0xff, 0xfe, 0, 1]));
    await cached.embed(['t'], {});
    await cached.embed(['t'], {});
    expect(embeddings.requests).toHaveLength(2);
  });
});

test('a server that is not there costs a call nothing but the wait', async () => {
  const nobody = new Redis({
    host: '127.0.0.1',
    port: 1,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  nobody.on('error', () => {});
  const errors: unknown[] = [];
  const cached = cachedEmbedder(fromLangChainEmbeddings(new HashEmbeddings()), {
    store: new RedisByteStore({ client: nobody }),
    namespace: 'm',
    onStoreError: (_, operation) => void errors.push(operation),
  });
  expect(await cached.embed(['t'], {})).toHaveLength(1);
  expect(errors).toContain('get');
  nobody.disconnect();
});
