import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { Document } from '@langchain/core/documents';
import { ContextShapingError, createShaper } from 'context-shaping';
import { type StaticEmbedderOptions, staticEmbedder } from 'context-shaping/embeddings';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../support.js';
import { modelOf, safetensorsOf, type TensorSource, TINY, tokenizerOf } from './static-model.js';

const VECTORS = { '[UNK]': [9, 9], north: [0, 2], east: [1, 0], '##s': [4, 4] };
const plain = staticEmbedder(modelOf(VECTORS));
const round = (vector: ArrayLike<number>) => Array.from(vector, (each) => Number(each.toFixed(6)));

describe('the vector of a text', () => {
  test('is the mean of its tokens’ vectors; unknown tokens do not count', async () => {
    expect(plain.dimension).toBe(2);
    expect(await plain.embedQuery('North')).toEqual([0, 2]);
    expect(await plain.embedQuery('north, unheard-of east east')).toEqual(
      round([2 / 3, 2 / 3]).map(() => Math.fround(2 / 3)),
    );
    expect(await plain.embedQuery('easts')).toEqual([2.5, 2]);
  });
  test('has length 1 if the model says so', async () => {
    const { embedQuery } = staticEmbedder(modelOf(VECTORS, { normalize: true }));
    expect(round(await embedQuery('north'))).toEqual([0, 1]);
    expect(round(await embedQuery('north east east'))).toEqual(round([Math.SQRT1_2, Math.SQRT1_2]));
  });
  test('is zero where no token is known', async () => {
    for (const normalize of [true, false]) {
      const embedder = staticEmbedder(modelOf(VECTORS, { normalize }));
      const vectors = await embedder.embed(['', ' \n', 'unheard-of', '[UNK]'], { queryIndex: 0 });
      expect(vectors.map((vector) => [...(vector as Float32Array)])).toEqual(Array(4).fill([0, 0]));
    }
  });
  test('is finite, and of length 1 or 0, for any text', async () => {
    const embedder = staticEmbedder(TINY);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom('cat', 'paid', 'x')).map((words) => words.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (any) => {
        const squares = (await embedder.embedQuery(any)).reduce((sum, each) => sum + each ** 2, 0);
        expect(Math.min(Math.abs(squares), Math.abs(squares - 1))).toBeLessThan(1e-6);
      }),
    );
  });
  test('is the same alone and among others, as query and as passage, through every method', async () => {
    const texts = ['the cat', 'paid', '', 'refunds paid.'];
    const vectors = await staticEmbedder(TINY).embed(texts, { queryIndex: 1 });
    expect(await staticEmbedder(TINY).embedDocuments(texts)).toEqual(
      vectors.map((vector) => Array.from(vector)),
    );
    for (const [at, text] of texts.entries()) {
      expect(await staticEmbedder(TINY).embedQuery(text)).toEqual(Array.from(vectors[at] as Float32Array));
    }
    expect(await plain.embed([], {})).toEqual([]);
  });
});

describe('types of numbers', () => {
  const cases: [TensorSource['dtype'], number[], number[]][] = [
    ['F32', [0, 1, -2, 0.5, 100, 2 ** -24], [0, 1, -2, 0.5, 100, 2 ** -24]],
    ['I8', [0, 1, -2, 127, -128, 3], [0, 1, -2, 127, -128, 3]],
  ];
  test.each(cases)('%s', async (dtype, values, expected) => {
    const { embedQuery } = staticEmbedder({
      tokenizer: tokenizerOf(['[UNK]', 'a']),
      safetensors: safetensorsOf({
        'embedding.weight': { dtype, shape: [2, 6], values: [...values, ...values] },
      }),
    });
    expect(await embedQuery('a')).toEqual(expected);
  });
});

test('long texts count from their start, 512 tokens unless told otherwise', async () => {
  const embedder = (options?: StaticEmbedderOptions) => staticEmbedder(modelOf(VECTORS), options);
  const text = `${'north '.repeat(512)}${'east '.repeat(512)}`;
  expect(await embedder().embedQuery(text)).toEqual([0, 2]);
  expect(await embedder({ maxTokens: 10_000 }).embedQuery(text)).toEqual([0.5, 1]);
  expect(await embedder({ maxTokens: 1 }).embedQuery('easts norths')).toEqual([1, 0]);
});

test('neither the files nor the options are changed, nor changes of them felt', async () => {
  const { config, tokenizer, safetensors } = modelOf(VECTORS);
  const bytes = safetensors.slice();
  const embedder = staticEmbedder(deepFreeze({ config, tokenizer, safetensors: bytes }), Object.freeze({}));
  expect(bytes).toEqual(safetensors);
  bytes.fill(0);
  expect(await embedder.embedQuery('north')).toEqual([0, 2]);
});

test('bytes that do not start where their buffer does', async () => {
  const { safetensors, ...rest } = modelOf(VECTORS);
  const padded = new Uint8Array(safetensors.length + 3);
  padded.set(safetensors, 3);
  expect(await staticEmbedder({ ...rest, safetensors: padded.subarray(3) }).embedQuery('east')).toEqual([
    1, 0,
  ]);
});

describe('abort', () => {
  test('before', async () => {
    const reason = new Error('no');
    await expect(plain.embed(['a'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
  test('on the way: other work gets its turn', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 0);
    const texts = Array.from({ length: 20_000 }, (_, at) => `north ${at}`);
    await expect(plain.embed(texts, { signal: controller.signal })).rejects.toBe(reason);
  });
});

test('a value that is no text is named', async () => {
  await expect(plain.embed(['a', null as never], {})).rejects.toMatchObject({
    kind: 'invalid-input',
    field: 'texts[1]',
  });
});

test.each([0, 1.5, -1, Number.NaN, '5'])('maxTokens %j is refused', (maxTokens) => {
  expect.assertions(2);
  try {
    staticEmbedder(TINY, { maxTokens: maxTokens as number });
  } catch (error) {
    expect(ContextShapingError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ kind: 'invalid-options', field: 'maxTokens', value: maxTokens });
  }
});

test('in a LangChain vector store', async () => {
  const texts = ['The cat.', 'Refunds are paid.', 'The dog.'];
  const store = await MemoryVectorStore.fromDocuments(
    texts.map((pageContent) => new Document({ pageContent })),
    staticEmbedder(TINY),
  );
  const found = await store.similaritySearch('money', 1);
  expect(found.map(({ pageContent }) => pageContent)).toEqual(['Refunds are paid.']);
});

test('in a shaper: near in meaning goes before far', async () => {
  const { chunks, report } = await createShaper({
    k: 1,
    ranked: false,
    embedder: staticEmbedder(TINY),
  }).shape({
    query: 'money',
    chunks: [
      { id: 'dog', text: 'The dog.' },
      { id: 'refund', text: 'Refunds are paid.' },
      { id: 'cat', text: 'The cat.' },
    ],
  });
  expect(report.degradations).toEqual([]);
  expect(chunks.map(({ id }) => id)).toEqual(['refund']);
});

test('the entry point can be bundled for a browser', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export { staticEmbedder } from './adapters/embeddings/index.ts'`, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    external: ['@langchain/core'],
    write: false,
  });
  expect(outputFiles[0]?.text).toContain('staticEmbedder');
});
