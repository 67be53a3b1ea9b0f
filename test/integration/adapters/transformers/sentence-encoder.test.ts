import { join } from 'node:path';
import { embedderContract } from 'context-shaping/testing';
import { sentenceEncoder } from 'context-shaping/transformers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SentenceEncoder } from '../../../../adapters/transformers/index.js';
import { folderOfFile, isInstalled, mustBeInstalled } from '../../../adapters/transformers/engine.js';
import { type Encoder, encode } from '../../../adapters/transformers/onnx-encoder.js';
import { WORD_PIECES, writeSentenceEncoder } from '../../../adapters/transformers/tiny-models.js';

mustBeInstalled();

const idsOf = (text: string) =>
  ['[CLS]', ...text.split(' ').filter((word) => word !== ''), '[SEP]'].map(
    (word) => WORD_PIECES.get(word) as number,
  );
const TEXTS = ['when was the bridge opened', 'cats sleep all day', 'the', ''];

describe.skipIf(!isInstalled)('sentence encoders', () => {
  const model = join(folderOfFile(), 'encoder');
  let truth: Encoder;
  let encoder: SentenceEncoder;
  beforeAll(async () => {
    truth = writeSentenceEncoder(model);
    encoder = await sentenceEncoder({ model });
  });
  afterAll(() => encoder?.dispose());

  // The batch that a text is in changes its last bits.
  const checks = embedderContract(() => encoder, { tolerance: 1e-5 });
  test.each(checks)('$name', ({ run }) => run());

  const mean = (text: string) => {
    const states = encode(truth, idsOf(text));
    return Array.from(states[0] as Float64Array, (_, at) =>
      states.reduce((sum, state) => sum + (state[at] as number) / states.length, 0),
    );
  };
  const near = (vector: readonly number[]) => vector.map((value) => expect.closeTo(value, 4));
  const asArrays = (vectors: readonly ArrayLike<number>[]) => vectors.map((each) => Array.from(each));

  test('vectors are means of states, of length 1', async () => {
    const expected = TEXTS.map(mean).map((vector) => vector.map((value) => value / Math.hypot(...vector)));
    expect(asArrays(await encoder.embed(TEXTS, {}))).toEqual(expected.map(near));
  });

  test('or the means as they are, or the state of the first token', async () => {
    await using plain = await sentenceEncoder({ model, normalize: false });
    expect(asArrays(await plain.embed(TEXTS, {}))).toEqual(TEXTS.map((text) => near(mean(text))));
    await using first = await sentenceEncoder({ model, normalize: false, pooling: 'cls' });
    expect(asArrays(await first.embed(TEXTS, {}))).toEqual(
      TEXTS.map((text) => near(Array.from(encode(truth, idsOf(text))[0] as Float64Array))),
    );
  });

  test('the query and other texts get their prefixes', async () => {
    await using e5 = await sentenceEncoder({ model, queryPrefix: 'query ', documentPrefix: 'passage ' });
    const vectors = await e5.embed(['the bridge', 'all cats'], { queryIndex: 0 });
    const expected = await encoder.embed(['query the bridge', 'passage all cats'], {});
    expect(asArrays(vectors)).toEqual(asArrays(expected).map(near));
  });

  test('the end of a long text is cut off', async () => {
    const [long, longer] = await encoder.embed(['the '.repeat(62), 'the '.repeat(99)], {});
    expect(asArrays([long as ArrayLike<number>])).toEqual(asArrays([longer as ArrayLike<number>]).map(near));
  });

  test('its name is that of the weights and of all options that change vectors', async () => {
    const names = new Set([encoder.modelId]);
    for (const options of [
      { pooling: 'cls' },
      { normalize: false },
      { queryPrefix: 'q: ' },
      { documentPrefix: 'q: ' },
      { maxLength: 20 },
    ] as const) {
      await using other = await sentenceEncoder({ model, ...options });
      names.add(other.modelId);
    }
    expect(names.size).toBe(6);
    await using same = await sentenceEncoder({ model, batchSize: 1, device: 'cpu' });
    expect(names).toContain(same.modelId);
    expect(encoder.modelId).toMatch(/^transformers\.js:sha256:[0-9a-f]{64}:/);
  });
});
