import { join } from 'node:path';
import type { Reranker, Reranking } from 'context-shaping';
import { type CrossEncoderOptions, crossEncoder } from 'context-shaping/rerankers';
import { rerankerContract } from 'context-shaping/testing';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  folderOfFile,
  isInstalled,
  mustBeInstalled,
} from '../../../adapters/rerankers/cross-encoder/engine.js';
import { apply, encode } from '../../../adapters/rerankers/cross-encoder/onnx-encoder.js';
import {
  type CrossEncoderModel,
  TINY_ENCODER,
  WORD_PIECES,
  writeCrossEncoder,
  writeSentenceEncoder,
} from '../../../adapters/rerankers/cross-encoder/tiny-models.js';

mustBeInstalled();

/** A reranker by the model of a folder. */
async function opened(id: string, options: Partial<CrossEncoderOptions> = {}): Promise<Reranker> {
  const { AutoTokenizer, AutoModelForSequenceClassification, Tensor } = await import(
    '@huggingface/transformers'
  );
  return crossEncoder({
    name: 'tiny',
    tokenizer: await AutoTokenizer.from_pretrained(id),
    model: await AutoModelForSequenceClassification.from_pretrained(id, { dtype: 'fp32' }),
    Tensor,
    ...options,
  });
}

const QUERY = 'When was the bridge opened?';
const TEXTS = [
  'The bridge was opened in 1932.',
  'cats sleep all day',
  '',
  'a b c d e f g',
  'The bridge, the bridge! "opened"? (1932)',
];

/** The pieces of a text, read off the vocabulary: tests use words that are tokens, digits and single letters. */
function pieces(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z0-9]+|[^\sa-z0-9]/g) ?? [];
  const unknown = WORD_PIECES.get('[UNK]') as number;
  return words.flatMap((word) =>
    WORD_PIECES.has(word)
      ? [WORD_PIECES.get(word) as number]
      : Array.from(word, (letter, at) => WORD_PIECES.get(at === 0 ? letter : `##${letter}`) ?? unknown),
  );
}

const [CLS, SEP] = [WORD_PIECES.get('[CLS]') as number, WORD_PIECES.get('[SEP]') as number];

/** The logits of a pair in plain arithmetic. */
function logitsOf({ encoder, pooler, classifier }: CrossEncoderModel, query: string, text: string): number[] {
  const first = [CLS, ...pieces(query), SEP];
  const room = TINY_ENCODER.positions - first.length - 1;
  const second = [...pieces(text).slice(0, room), SEP];
  const states = encode(encoder, [...first, ...second], [...first.map(() => 0), ...second.map(() => 1)]);
  const pooled = apply(pooler, states[0] as Float64Array).map(Math.tanh);
  return [...apply(classifier, pooled)];
}

function expectScores({ scores }: Reranking, expected: readonly number[]): void {
  expect(scores).toEqual(expected.map((score) => expect.closeTo(score, 4)));
}

describe.skipIf(!isInstalled)('cross-encoders', () => {
  const folder = folderOfFile();
  const model = join(folder, 'one-label');
  let one: CrossEncoderModel;
  let two: CrossEncoderModel;
  let three: CrossEncoderModel;
  beforeAll(() => {
    one = writeCrossEncoder(model);
    two = writeCrossEncoder(join(folder, 'two-labels'), { labels: ['no', 'Yes'] });
    three = writeCrossEncoder(join(folder, 'three-labels'), { labels: ['bad', 'fair', 'good'] });
  });

  describe('keep to the port', () => {
    let reranker: Reranker;
    beforeAll(async () => {
      reranker = await opened(model);
    });
    // The batch that a text is in changes its last bits.
    const checks = rerankerContract(() => reranker, { tolerance: 1e-4 });
    test.each(checks)('$name', ({ run }) => run());
  });

  test('the score of a model with one label is its logit', async () => {
    const reranker = await opened(model);
    const answer = await reranker.rerank(QUERY, TEXTS);
    const logits = TEXTS.map((text) => logitsOf(one, QUERY, text)[0] as number);
    expectScores(answer, logits);
    expect(Math.max(...logits) - Math.min(...logits)).toBeGreaterThan(0.5);
    expect(answer.scale).toBe('logit');
    // Each pair has three marks, and the pieces of both texts.
    const tokens = TEXTS.reduce((sum, text) => sum + 3 + pieces(QUERY).length + pieces(text).length, 0);
    expect(answer.usage).toEqual({ requests: 1, tokens });
  });

  test('with two labels the score is the difference of their logits', async () => {
    const reranker = await opened(join(folder, 'two-labels'));
    const expected = TEXTS.map((text) => logitsOf(two, QUERY, text)).map(([no, yes]) => yes! - no!);
    expectScores(await reranker.rerank(QUERY, TEXTS), expected);
    const other = await opened(join(folder, 'two-labels'), { relevantLabel: 'no' });
    expectScores(
      await other.rerank(QUERY, TEXTS),
      expected.map((score) => -score),
    );
    expect([await reranker.identify(), await other.identify()]).toEqual([
      'transformers.js:tiny',
      'transformers.js:tiny:no',
    ]);
  });

  test('with more labels the score is the log-odds of the relevant one', async () => {
    const path = join(folder, 'three-labels');
    const reranker = await opened(path, { relevantLabel: 'good' });
    const expected = TEXTS.map((text) => {
      const [bad, fair, good] = logitsOf(three, QUERY, text) as [number, number, number];
      const p = Math.exp(good) / (Math.exp(bad) + Math.exp(fair) + Math.exp(good));
      return Math.log(p / (1 - p));
    });
    expectScores(await reranker.rerank(QUERY, TEXTS), expected);
    await expect(opened(path)).rejects.toMatchObject({
      kind: 'invalid-options',
      field: 'relevantLabel',
      remedy: 'Give one of: bad, fair, good.',
    });
    await expect(opened(path, { relevantLabel: 'best' })).rejects.toMatchObject({
      problem: 'is not a label of the model',
    });
  });

  test('neither batches nor the order of the texts change scores', async () => {
    const reranker = await opened(model, { batchSize: 2 });
    const texts = [...TEXTS, ...TEXTS.map((text) => `${text} the day`)];
    const together = await reranker.rerank(QUERY, texts);
    expect(together.usage.requests).toBe(5);
    const reversed = await reranker.rerank(QUERY, [...texts].reverse());
    expect([...reversed.scores].reverse()).toEqual(together.scores);
    for (const [place, text] of texts.entries()) {
      const { scores } = await reranker.rerank(QUERY, [text]);
      expect(scores[0]).toBeCloseTo(together.scores[place] as number, 4);
    }
  });

  test('the end of a long text is cut off, and its closing mark stays', async () => {
    const reranker = await opened(model);
    const long = `The bridge ${'was opened in '.repeat(60)}`;
    expectScores(await reranker.rerank(QUERY, [long, 'x']), [
      logitsOf(one, QUERY, long)[0] as number,
      logitsOf(one, QUERY, 'x')[0] as number,
    ]);
    const short = await opened(model, { maxLength: 14 });
    const cut = await short.rerank(QUERY, [long, 'The bridge was opened in the day']);
    expect(cut.usage.tokens).toBe(28);
  });

  test('a text cannot forge the marks of the model', async () => {
    const reranker = await opened(model);
    const forged = 'cats [SEP] the day';
    const expected = logitsOf(one, QUERY, 'cats [ SEP] the day')[0] as number;
    expectScores(await reranker.rerank(QUERY, [forged]), [expected]);
  });

  test('a query that fills the model leaves failures', async () => {
    const reranker = await opened(model);
    expect(await reranker.rerank('the '.repeat(70), ['a', 'b'])).toEqual({
      scores: Array(2).fill({ failure: 'The query leaves no room for a text; the model takes 64 tokens.' }),
      scale: 'logit',
      usage: { requests: 0, tokens: 0 },
    });
  });

  test('nothing gets no scores', async () => {
    const reranker = await opened(model);
    expect((await reranker.rerank(QUERY, [])).scores).toEqual([]);
  });

  test('an abort is heard between batches, and the next call goes on', async () => {
    const reranker = await opened(model, { batchSize: 1 });
    const reason = new Error('took too long');
    const many = Array.from({ length: 200 }, (_, at) => `the bridge ${at}`);
    await expect(reranker.rerank(QUERY, many, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const running = reranker.rerank(QUERY, many, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(running).rejects.toBe(reason);
    expect((await reranker.rerank(QUERY, TEXTS)).scores).toHaveLength(TEXTS.length);
  });

  test('a model that its owner disposed of is a service that fails', async () => {
    const { AutoModelForSequenceClassification } = await import('@huggingface/transformers');
    const loaded = await AutoModelForSequenceClassification.from_pretrained(model, { dtype: 'fp32' });
    const reranker = await opened(model, { model: loaded });
    await loaded.dispose();
    await expect(reranker.rerank(QUERY, TEXTS)).rejects.toMatchObject({
      kind: 'service',
      field: 'transformers.js',
      problem: 'cannot evaluate',
    });
  });

  test('refuses a model that was exported for another task', async () => {
    writeSentenceEncoder(join(folder, 'encoder'));
    await expect(opened(join(folder, 'encoder'))).rejects.toMatchObject({
      kind: 'invalid-options',
      field: 'model',
      value: 'last_hidden_state',
      problem: 'has no output logits',
    });
  });
});

test.each([
  [{}, 'tokenizer', 'must be a tokenizer of Transformers.js'],
  [{ Tensor: 1 }, 'Tensor', 'must be the class Tensor of Transformers.js'],
  [{ batchSize: 0 }, 'batchSize', 'must be at least 1'],
  [{ maxLength: 0 }, 'maxLength', 'must be at least 8'],
  [{ dtype: 'fp16' }, 'dtype', 'is not an option'],
])('options are checked: %j', (options, field, problem) => {
  const given = Object.keys(options).length === 0 ? {} : { tokenizer() {}, model() {}, Tensor: Array };
  const error = (() => {
    try {
      return crossEncoder({ name: 'any', ...given, ...options } as never);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toMatchObject({ kind: 'invalid-options', field, problem: expect.stringContaining(problem) });
});

test('no bundle of the entry has Transformers.js', async () => {
  const { metafile } = await build({
    entryPoints: ['adapters/rerankers/index.ts'],
    write: false,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['#*'],
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect([...Object.keys(metafile.inputs), ...imported].join()).not.toContain('huggingface');
});

/** Weights cannot be part of this repository: `TRANSFORMERS_CROSS_ENCODER` names a folder or an id. */
const { TRANSFORMERS_CROSS_ENCODER: real = '' } = process.env;
test.skipIf(real === '')(
  'a real cross-encoder keeps to the port, and ranks the text that answers first',
  async () => {
    const reranker = await opened(real, { name: real });
    for (const { run } of rerankerContract(() => reranker, { tolerance: 1e-3 })) await run();
    const { scores } = await reranker.rerank(QUERY, TEXTS);
    expect(scores[0]).toBe(Math.max(...(scores as number[])));
  },
);
