import { InMemoryStore } from '@langchain/core/stores';
import { createShaper, type Embedder } from 'context-shaping';
import {
  type CachedEmbedderOptions,
  cachedEmbedder,
  fromLangChainEmbeddings,
} from 'context-shaping/embeddings';
import { describe, expect, test, vi } from 'vitest';
import { HashEmbeddings, pause, vectorOf } from './support.js';

const store = () => new InMemoryStore<Uint8Array>();
const keysOf = async (of: InMemoryStore<Uint8Array>) => {
  const keys: string[] = [];
  for await (const key of of.yieldKeys()) keys.push(key);
  return keys.sort();
};
/** A cache over embeddings that count their requests. */
function setUp(
  options: Partial<CachedEmbedderOptions> = {},
  work?: ConstructorParameters<typeof HashEmbeddings>[0],
) {
  const embeddings = new HashEmbeddings(work);
  const embedder = fromLangChainEmbeddings(embeddings, { maxRetries: 0 });
  const cached = cachedEmbedder(embedder, { store: store(), namespace: 'hash-1', ...options });
  const sent = () =>
    embeddings.requests.flatMap(({ method, texts }) => texts.map((text) => `${method}: ${text}`));
  return { embeddings, cached, sent };
}
const numbers = (vectors: readonly ArrayLike<number>[]) => vectors.map((vector) => Array.from(vector));

test('a text is embedded once, also for another embedder over the same store', async () => {
  const shared = store();
  const [one, two] = [setUp({ store: shared }), setUp({ store: shared })];
  const first = await one.cached.embed(['a b', 'c d', 'what?'], { queryIndex: 2 });
  expect(numbers(first)).toEqual([
    vectorOf('a b', 'documents'),
    vectorOf('c d', 'documents'),
    vectorOf('what?', 'query'),
  ]);
  expect(await two.cached.embed(['c d', 'what?', 'e f'], { queryIndex: 1 })).toEqual([
    first[1],
    first[2],
    expect.anything(),
  ]);
  expect(two.sent()).toEqual(['documents: e f']);
  await two.cached.embed(['a b', 'what?'], { queryIndex: 1 });
  expect(two.sent()).toHaveLength(1);
});

test('a text as a query and as a passage are two entries', async () => {
  const shared = store();
  const { cached, sent } = setUp({ store: shared });
  await cached.embed(['same'], { queryIndex: 0 });
  await cached.embed(['same'], {});
  expect(sent()).toEqual(['query: same', 'documents: same']);
  // SHA-256 of "same"; a changed key would make every stored cache useless.
  const hash = '0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5';
  expect(await keysOf(shared)).toEqual([`hash-1:document:${hash}`, `hash-1:query:${hash}`]);
});

test('namespaces do not meet; their keys hold only what stores on files allow', async () => {
  const shared = store();
  for (const namespace of ['BAAI/bge-m3', 'BAAI_bge-m3', 'BAAI\\bge-m3', 'модель', 'nomic-embed-text:v1.5']) {
    const { cached, sent } = setUp({ store: shared, namespace });
    await cached.embed(['text'], {});
    expect(sent()).toHaveLength(1);
  }
  const keys = await keysOf(shared);
  expect(keys).toHaveLength(5);
  for (const key of keys) expect(key).toMatch(/^[a-zA-Z0-9_\-:.]+$/);
});

test('the first answer equals every later one: both have 32 bits', async () => {
  const embedder = { embed: async (texts: readonly string[]) => texts.map(() => [0.1, 1 / 3, -1e-7]) };
  const cached = cachedEmbedder(embedder, { store: store(), namespace: 'thirds' });
  const [cold, warm] = [await cached.embed(['t'], {}), await cached.embed(['t'], {})];
  expect(warm).toEqual(cold);
  expect(numbers(cold)).toEqual([[0.1, 1 / 3, -1e-7].map(Math.fround)]);
});

describe('calls at the same time', () => {
  test('share one request for common texts, duplicates within a call included', async () => {
    const { cached, sent } = setUp({}, () => pause(10));
    const [one, two] = await Promise.all([cached.embed(['a', 'b', 'a'], {}), cached.embed(['b', 'c'], {})]);
    expect(sent().sort()).toEqual(['documents: a', 'documents: b', 'documents: c']);
    expect(one?.[1]).toEqual(two?.[0]);
    expect(one?.[1]).not.toBe(two?.[0]);
    expect(one?.[0]).toEqual(one?.[2]);
  });
  test('one that is aborted does not take the vectors from the others', async () => {
    const { cached, sent } = setUp({}, () => pause(30));
    const controller = new AbortController();
    const first = cached.embed(['a', 'b'], { signal: controller.signal });
    const second = cached.embed(['b'], {});
    setTimeout(() => controller.abort(new Error('left')), 10);
    await expect(first).rejects.toThrow('left');
    expect(numbers(await second)).toEqual([vectorOf('b', 'documents')]);
    expect(sent()).toEqual(['documents: a', 'documents: b']);
  });
  test('when all have left the work is aborted, and the next call starts anew', async () => {
    const signals: AbortSignal[] = [];
    let answer = false;
    const embed: Embedder['embed'] = (texts, { signal }) => {
      signals.push(signal as AbortSignal);
      return answer ? Promise.resolve(texts.map(() => [1, 2])) : new Promise(() => {});
    };
    const cached = cachedEmbedder({ embed }, { store: store(), namespace: 'n' });
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) => cached.embed(['a'], { signal }));
    const outcomes = Promise.allSettled(calls);
    await pause(10);
    controllers[0]?.abort(new Error('first left'));
    await expect(calls[0]).rejects.toThrow('first left');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    controllers[1]?.abort(new Error('second left'));
    await outcomes;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    answer = true;
    expect(numbers(await cached.embed(['a'], {}))).toEqual([[1, 2]]);
  });
  test('a batch that fails for one text of another call costs that call nothing but a request', async () => {
    const { cached, sent } = setUp({}, async ({ texts }) => {
      await pause(10);
      if (texts.includes('poison')) throw new Error('refused');
    });
    const [one, two] = await Promise.allSettled([
      cached.embed(['poison', 'b'], {}),
      cached.embed(['b', 'c'], {}),
    ]);
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
    expect(two?.status).toBe('fulfilled');
    expect(sent().filter((each) => each.endsWith('b'))).toHaveLength(2);
  });
  test('a call that has left does not ask again when the batch it had joined fails', async () => {
    const shared = store();
    const reads = vi.spyOn(shared, 'mget');
    const { cached } = setUp({ store: shared }, async () => {
      await pause(30);
      throw new Error('down');
    });
    const controller = new AbortController();
    const first = cached.embed(['a'], {});
    const second = cached.embed(['a'], { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('left')), 10);
    await expect(second).rejects.toThrow('left');
    await expect(first).rejects.toThrow('down');
    await pause(5);
    expect(reads).toHaveBeenCalledTimes(1);
  });
  test('a call that fails is not remembered', async () => {
    let fail = true;
    const { cached } = setUp({}, async () => {
      if (fail) throw new Error('down');
    });
    await expect(cached.embed(['a'], {})).rejects.toThrow('down');
    fail = false;
    expect(await cached.embed(['a'], {})).toHaveLength(1);
  });
  test('an aborted signal asks for nothing', async () => {
    const { cached, sent } = setUp();
    await expect(cached.embed(['a'], { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(sent()).toEqual([]);
  });
});

describe('entries that cannot be used are asked for again and replaced', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  test.each<[string, (good: Uint8Array) => unknown]>([
    ['empty', () => bytes('')],
    ['text', () => bytes('hello')],
    ['cut short', (good) => good.slice(0, -4)],
    ['too long', (good) => new Uint8Array([...good, ...bytes('AAAA')])],
    ['bad base64', (good) => new Uint8Array([...good.slice(0, -1), 33])],
    ['not a number', () => bytes(`f32:1:${btoa('\x00\x00\xc0\x7f')}`)],
    ['no vector', () => bytes('f32:0:')],
    ['raw floats', () => new Uint8Array(new Float32Array([1, 2, 3]).buffer)],
    ['no bytes', () => 'f32:1:AAAAAA=='],
  ])('%s', async (_, spoil) => {
    const shared = store();
    const { cached, sent } = setUp({ store: shared });
    const good = await cached.embed(['a b'], {});
    const [key] = (await keysOf(shared)) as [string];
    await shared.mset([[key, spoil((await shared.mget([key]))[0] as Uint8Array) as Uint8Array]]);
    expect(await cached.embed(['a b'], {})).toEqual(good);
    expect(sent()).toHaveLength(2);
    await cached.embed(['a b'], {});
    expect(sent()).toHaveLength(2);
  });
  const sized = (length: number) => ({
    embed: vi.fn(async (texts: readonly string[]) => texts.map(() => new Array<number>(length).fill(1))),
  });
  test('of another length than the model now gives', async () => {
    const options = { store: store(), namespace: 'model' };
    await cachedEmbedder(sized(3), options).embed(['a', 'b'], {});
    const now = sized(4);
    const vectors = await cachedEmbedder(now, options).embed(['a', 'b', 'c'], {});
    expect(vectors.map(({ length }) => length)).toEqual([4, 4, 4]);
    expect(now.embed.mock.calls.map(([texts]) => texts)).toEqual([['c'], ['a', 'b']]);
  });
  test('of two lengths', async () => {
    const options = { store: store(), namespace: 'model' };
    await cachedEmbedder(sized(3), options).embed(['a'], {});
    await cachedEmbedder(sized(4), options).embed(['b'], {});
    const vectors = await cachedEmbedder(sized(4), options).embed(['a', 'b'], {});
    expect(vectors.map(({ length }) => length)).toEqual([4, 4]);
  });
  test('of another length than was declared', async () => {
    const options = { store: store(), namespace: 'model' };
    await cachedEmbedder(sized(3), options).embed(['a'], {});
    const [vector] = await cachedEmbedder(sized(4), { ...options, dimension: 4 }).embed(['a'], {});
    expect(vector).toHaveLength(4);
  });
  test('vectors that 32 bits cannot hold are handed on, not kept', async () => {
    const shared = store();
    const cached = cachedEmbedder({ embed: async () => [[1e300, 1]] }, { store: shared, namespace: 'n' });
    expect(numbers(await cached.embed(['a'], {}))).toEqual([[1e300, 1]]);
    expect(await keysOf(shared)).toEqual([]);
  });
});

describe('a store that does not work costs no call', () => {
  const broken = (how: () => Promise<never>) => ({ mget: how, mset: how });
  test.each<[string, () => Promise<never>]>([
    ['rejects', () => Promise.reject(new Error('no connection'))],
    [
      'throws',
      () => {
        throw new Error('no connection');
      },
    ],
  ])('%s', async (_, how) => {
    const onStoreError = vi.fn();
    const { cached } = setUp({ store: broken(how), onStoreError });
    expect(numbers(await cached.embed(['a'], {}))).toEqual([vectorOf('a', 'documents')]);
    expect(onStoreError.mock.calls.map(([error, operation]) => [error.message, operation])).toEqual([
      ['no connection', 'get'],
    ]);
  });
  test('hangs', async () => {
    const onStoreError = vi.fn();
    const { cached } = setUp({
      store: broken(() => new Promise<never>(() => {})),
      storeTimeoutMs: 15,
      onStoreError,
    });
    expect(await cached.embed(['a'], {})).toHaveLength(1);
    expect(onStoreError.mock.calls[0]?.[0].message).toContain('15 ms');
  });
  test('answers with something else', async () => {
    const { cached } = setUp({ store: { mget: async () => 'OK' as never, mset: async () => undefined } });
    expect(await cached.embed(['a'], {})).toHaveLength(1);
  });
  test('and neither does an observer that throws', async () => {
    const onStoreError = () => {
      throw new Error('observer');
    };
    const { cached } = setUp({ store: broken(() => Promise.reject(new Error('x'))), onStoreError });
    expect(await cached.embed(['a'], {})).toHaveLength(1);
  });
});

test('in a shaper: the same report with a cold and a warm cache', async () => {
  const { cached, embeddings } = setUp();
  const shaper = createShaper({ embedder: cached, k: 2 });
  const input = {
    query: 'red fish',
    chunks: ['red fish swim', 'blue birds fly', 'red birds fly'].map((text, at) => ({ id: `${at}`, text })),
  };
  const cold = await shaper.shape(input);
  const asked = embeddings.requests.length;
  const warm = await shaper.shape(input);
  expect(warm.report.digest).toBe(cold.report.digest);
  expect(embeddings.requests).toHaveLength(asked);
});

test.each<[object, string]>([
  [{ namespace: '' }, 'namespace'],
  [{ namespace: undefined }, 'namespace'],
  [{ store: new Map() }, 'store'],
  [{ dimension: 0 }, 'dimension'],
  [{ storeTimeoutMs: 0 }, 'storeTimeoutMs'],
  [{ onStoreError: 'log' }, 'onStoreError'],
  [{ ttl: 3 }, 'ttl'],
])('%j is refused', (options, field) => {
  const make = () =>
    cachedEmbedder({ embed: async () => [] }, {
      store: store(),
      namespace: 'n',
      ...options,
    } as CachedEmbedderOptions);
  expect(make).toThrow(expect.objectContaining({ kind: 'invalid-options', field }));
});

test('an Embeddings class that was not wrapped is refused, with the way to do it', () => {
  expect(() => cachedEmbedder(new HashEmbeddings() as never, { store: store(), namespace: 'n' })).toThrow(
    /fromLangChainEmbeddings/,
  );
});
