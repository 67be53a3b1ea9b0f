import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeneratedText, LogprobModel, ScoredText } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { ggufModel, loadGgufModel } from '../../../adapters/gguf/index.js';
import { logprobModelContract } from '../logprobs/contract.js';
import { tinyModel } from '../logprobs/items.js';
import { ggufOf, metadataOf, SMALL, tensorsOf, tokenizerOf } from './writer.js';

logprobModelContract('ggufModel', async () => ({
  model: ggufModel(tinyModel()),
  oracle: ggufModel(tinyModel()),
  tolerance: 0,
}));

const END = 257;
const WORD = 258;

/** A model that sees only the last token. After each of these words comes the next; after others all are equal. */
function follower(bytes: readonly number[], words: readonly string[] = [], contextLength = 16): LogprobModel {
  const vocabulary = WORD + words.length;
  const shape = { ...SMALL, width: vocabulary, contextLength };
  const tensors = tensorsOf(shape, vocabulary, (name, place) => {
    if (name.includes('norm')) return 1;
    const [row, column] = [Math.floor(place / vocabulary), place % vocabulary];
    if (name === 'token_embd.weight') return row === column ? 1 : 0;
    return name === 'output.weight' && bytes.some((byte, at) => byte === column && bytes[at + 1] === row)
      ? 2
      : 0;
  });
  return ggufModel(ggufOf({ ...metadataOf(shape), ...tokenizerOf(words) }, tensors));
}

const TEXT = 'é🙂!';
const followed = [65, ...Buffer.from(TEXT), END];

describe('text', () => {
  test('of characters that several tokens make up comes whole', async () => {
    const { results } = await follower(followed).generate([
      { prompt: 'A', maxTokens: 9 },
      { prompt: 'A', maxTokens: 4 },
    ]);
    const [whole, cut] = results as [GeneratedText, GeneratedText];
    expect(whole.text).toBe(TEXT);
    expect(whole.tokens.map((token) => [token.text, token.id])).toEqual(
      ['', 'é', '', '', '', '🙂', '!'].map((text, place) => [text, followed[place + 1]]),
    );
    expect([cut.text, cut.tokens.map((token) => token.text)]).toEqual(['é\ufffd', ['', 'é', '', '\ufffd']]);
  });

  test('is scored by its tokens, with the best ones at each place', async () => {
    const { results } = await follower(followed).score([{ prompt: 'A', continuation: 'é' }], {
      topLogprobs: 3,
    });
    const { tokens, logprob, exact } = results[0] as ScoredText;
    // The vocabulary has 258 tokens, each embedded as a single 1. Its norm is the root of 258, the logit twice that.
    const certain = -Math.log1p(257 * Math.exp(-2 * Math.sqrt(258)));
    expect([logprob, exact]).toEqual([expect.closeTo(2 * certain, 12), true]);
    expect(tokens.map(({ text, id }) => [text, id])).toEqual([
      ['', 0xc3],
      ['é', 0xa9],
    ]);
    // Equally improbable tokens come in the order of the vocabulary.
    expect(tokens[0]?.top?.map(({ text, id }) => [text, id])).toEqual([
      ['\ufffd', 0xc3],
      ['\0', 0],
      ['\x01', 1],
    ]);
  });

  test.each([0, -1])('with %i of the most probable tokens asked for comes without', async (topLogprobs) => {
    const model = follower(followed);
    const { results } = await model.score([{ prompt: 'A', continuation: 'é' }], { topLogprobs });
    expect((results[0] as ScoredText).tokens.map(({ top }) => top)).toEqual([undefined, undefined]);
  });

  test('ends before the first of those that end it, wherever that begins', async () => {
    const model = follower(followed);
    const ends = async (...stop: string[]) => {
      const { results } = await model.generate([{ prompt: 'A', maxTokens: 9, stop }]);
      const { text, tokens } = results[0] as GeneratedText;
      return [text, tokens.length];
    };
    expect(await ends('!')).toEqual(['é🙂', 6]);
    expect(await ends('!', '🙂')).toEqual(['é', 2]);
    expect(await ends('é🙂')).toEqual(['', 0]);
    expect(await ends('', 'nothing of the kind')).toEqual([TEXT, 7]);
  });

  test('goes on with the first of tokens that are as probable', async () => {
    const { results } = await follower([]).generate([{ prompt: 'A', maxTokens: 2 }], { topLogprobs: 1 });
    const { text, tokens } = results[0] as GeneratedText;
    expect(text).toBe('\0\0');
    expect(tokens[0]).toEqual({
      text: '\0',
      id: 0,
      logprob: expect.closeTo(-Math.log(258), 12),
      top: [{ text: '\0', id: 0, logprob: tokens[0]?.logprob }],
    });
  });
});

test('where prompt and continuation make one token, that is what is scored', async () => {
  const model = follower([256, WORD], ['Ab']);
  const { results } = await model.score([
    { prompt: 'A', continuation: 'b' },
    { prompt: 'A', continuation: 'c' },
  ]);
  expect((results[0] as ScoredText).tokens.map(({ text, id }) => [text, id])).toEqual([['Ab', WORD]]);
  expect((results[1] as ScoredText).tokens.map(({ text, id }) => [text, id])).toEqual([['c', 99]]);
});

test('what does not fit the context fails, and nothing else', async () => {
  const model = follower(followed, [], 6);
  const scored = await model.score([
    { prompt: '1 2 3', continuation: '' },
    { prompt: '1 2 3', continuation: '!' },
    { prompt: '1 2', continuation: '!!' },
  ]);
  expect(scored.results).toEqual([
    { tokens: [], logprob: 0, exact: true },
    { failure: 'The prompt and its continuation have 7 tokens; the context holds 6.' },
    { tokens: [expect.anything(), expect.anything()], logprob: expect.any(Number), exact: true },
  ]);
  const generated = await model.generate([
    { prompt: '1 2 3 4', maxTokens: 1 },
    { prompt: 'A', maxTokens: 9 },
    { prompt: 'A', maxTokens: 5 },
    { prompt: '1 2 3', maxTokens: 1 },
  ]);
  expect(generated.results).toEqual([
    { failure: 'The prompt has 8 tokens; the context holds 6.' },
    { failure: 'The prompt and the text so far have 7 tokens; the context holds 6.' },
    { text: 'é\ufffd', tokens: expect.anything() },
    { text: '\0', tokens: expect.anything() },
  ]);
});

test('tells what it cost', async () => {
  const model = follower(followed, [], 32);
  const { usage } = await model.score([
    { prompt: '1 2 3', continuation: ' 4' },
    { prompt: '1 2 3', continuation: ' 5' },
    { prompt: '1 2 3 4', continuation: ' 5' },
    { prompt: '', continuation: '' },
  ]);
  // Prompts of 6, 6 and 8 tokens with the one that begins them, answers of 2. The last token of a prompt is run
  // again each time; of the third, the space after 3 is known from the answer before.
  expect(usage).toEqual({ requests: 4, tokens: 8 + 8 + 10, cachedTokens: 0 + 5 + 7 });
  const generated = await model.generate([{ prompt: '1 2 3', maxTokens: 2 }]);
  expect(generated.usage).toEqual({ requests: 1, tokens: 8, cachedTokens: 5 });
});

test('is named by its weights', async () => {
  const bytes = tinyModel();
  const name = `gguf:sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  expect(await ggufModel(bytes).identify()).toBe(name);
  const reason = new Error('enough');
  await expect(ggufModel(bytes).identify({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('does not see what becomes of the bytes', async () => {
  const bytes = Uint8Array.from(tinyModel());
  const model = ggufModel(bytes);
  const request = { prompt: 'Question: What is the color of Banuko?\nAnswer:', continuation: ' Teszen' };
  const before = await model.score([request]);
  bytes.fill(0);
  const fresh = await ggufModel(tinyModel()).score([request]);
  expect(before.results).toEqual(fresh.results);
  expect((await model.score([request])).results).toEqual(fresh.results);
});

test('one that waits for its turn can be aborted, and does not hold up the next', async () => {
  const model = ggufModel(tinyModel());
  const request = { prompt: 'Question: What is the color of Banuko?\nAnswer:', continuation: ' Teszen' };
  const controller = new AbortController();
  const order: string[] = [];
  const noted = <T>(name: string, promise: Promise<T>) =>
    promise.then(
      () => order.push(`${name} answered`),
      (error: Error) => order.push(`${name} ${error.message}`),
    );
  const calls = [
    noted(
      'first',
      model.score(
        Array.from({ length: 30 }, (_, place) => ({ ...request, prompt: `${place}${request.prompt}` })),
      ),
    ),
    noted('second', model.score([request], { signal: controller.signal })),
    noted('third', model.score([request])),
  ];
  controller.abort(new Error('aborted'));
  await Promise.all(calls);
  expect(order).toEqual(['second aborted', 'first answered', 'third answered']);
});

test('one that is aborted does not go on in the dark', async () => {
  const model = ggufModel(tinyModel());
  const long = { prompt: 'Teszen '.repeat(400), maxTokens: 1 };
  const controller = new AbortController();
  const aborted = expect(model.generate([long], { signal: controller.signal })).rejects.toThrow('enough');
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(new Error('enough'));
  await aborted;
  const { usage } = await model.generate([long]);
  expect(usage.cachedTokens).toBeLessThan((usage.tokens as number) - 100);
});

describe('from a file', () => {
  test('is the same model', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gguf-'));
    try {
      writeFileSync(join(folder, 'tiny.gguf'), tinyModel());
      const model = await loadGgufModel(join(folder, 'tiny.gguf'));
      expect(await model.identify()).toBe(await ggufModel(tinyModel()).identify());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    ['nowhere', 'does not exist'],
    [tmpdir(), 'cannot be read'],
  ])('that cannot be had is named: %s', async (path, problem) => {
    await expect(loadGgufModel(path)).rejects.toMatchObject({
      kind: 'invalid-input',
      field: path,
      problem,
      remedy: 'Give the path of a GGUF file.',
    });
  });
});
