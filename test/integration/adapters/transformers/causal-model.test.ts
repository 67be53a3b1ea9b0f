import { join } from 'node:path';
import type { Answers, ScoredText } from 'context-shaping';
import { causalModel } from 'context-shaping/transformers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CausalModel } from '../../../../adapters/transformers/index.js';
import { logprobModelContract } from '../../../adapters/logprobs/contract.js';
import { type Item, items, requestOf, scoreRequests, tinyModel } from '../../../adapters/logprobs/items.js';
import { folderOfFile, isInstalled, mustBeInstalled } from '../../../adapters/transformers/engine.js';
import { CHAT_TEMPLATE, writeCausalModel } from '../../../adapters/transformers/tiny-models.js';
import { ggufModel } from '../../../gguf/gguf-model.js';

mustBeInstalled();

const TOLERANCE = 1e-4;

describe.skipIf(!isInstalled)('language models', () => {
  const folder = folderOfFile();
  const path = join(folder, 'full');
  writeCausalModel(path);

  logprobModelContract('causalModel', async () => {
    const model = await causalModel({ model: path });
    return { model, oracle: ggufModel(tinyModel()), tolerance: TOLERANCE, close: () => model.dispose() };
  });

  const plain = ggufModel(tinyModel());
  const requests = scoreRequests().slice(0, 45);
  const [item] = items as [Item, ...Item[]];
  let model: CausalModel;
  let truth: Answers<ScoredText>;
  beforeAll(async () => {
    model = await causalModel({ model: path });
    truth = await plain.score(requests, { topLogprobs: 5 });
  });
  afterAll(() => model?.dispose());

  test.each([
    ['a graph that computes the rows that are needed', {}],
    ['a graph that computes all rows', { numLogitsToKeep: false }],
    ['a graph without keys and values', { cache: false }],
  ])('scores are those of the plain arithmetic: %s', async (name, options) => {
    const model = writeCausalModel(join(folder, name), options);
    await using own = await causalModel({ model });
    const { results, usage } = await own.score(requests, { topLogprobs: 5 });
    let largest = 0;
    for (const [place, result] of results.map(answered).entries()) {
      const expected = answered(truth.results[place]);
      expect(result.tokens.map(shape)).toEqual(expected.tokens.map(shape));
      for (const [at, { logprob, top }] of result.tokens.entries()) {
        largest = Math.max(largest, Math.abs(logprob - (expected.tokens[at]?.logprob as number)));
        for (const [rank, each] of (top ?? []).entries()) {
          const other = expected.tokens[at]?.top?.[rank]?.logprob as number;
          largest = Math.max(largest, Math.abs(each.logprob - other));
        }
      }
    }
    console.log(`${name}: at most ${largest.toExponential(1)} nats apart`);
    expect(largest).toBeLessThan(TOLERANCE);
    const { tokens = 0, cachedTokens = 0 } = usage;
    expect(tokens).toBe(truth.usage.tokens);
    if ('cache' in options) expect(cachedTokens).toBe(0);
    else expect(cachedTokens / tokens).toBeGreaterThan(0.3);
  });

  const shape = ({ id, text, top }: ScoredText['tokens'][number]) => [id, text, top?.map((each) => each.id)];

  test('generated texts are those of the plain arithmetic, with and without keys and values', async () => {
    await using slow = await causalModel({ model: writeCausalModel(join(folder, 'slow'), { cache: false }) });
    const asked = items.slice(0, 6).map((each) => ({
      prompt: requestOf(each, each.candidates[0]?.text).prompt,
      maxTokens: 12,
      stop: ['or'],
    }));
    const texts = async (from: Pick<CausalModel, 'generate'>) =>
      (await from.generate(asked)).results.map((each) =>
        'failure' in each ? each : [each.text, each.tokens.map(({ text }) => text)],
      );
    const expected = await texts(plain);
    expect(await texts(model)).toEqual(expected);
    expect(await texts(slow)).toEqual(expected);
  });

  test('beginnings that prompts share are computed once; a new call begins anew', async () => {
    const { prompt } = requestOf(item);
    const request = { prompt, continuation: ' A' };
    const all = (await plain.score([request])).usage.tokens as number;
    const answer = answered((await model.score([request])).results[0]).tokens.length;
    for (let round = 0; round < 2; round++) {
      expect((await model.score([request, request])).usage).toEqual({
        requests: 2,
        tokens: 2 * all,
        cachedTokens: all - answer - 1,
      });
    }
  });

  test('texts that are too long fail alone', async () => {
    const long = 'x'.repeat(1020);
    const short = { prompt: 'x', continuation: ' A' };
    const { results } = await model.score([{ prompt: long, continuation: 'x'.repeat(10) }, short]);
    expect(results[0]).toEqual({
      failure: 'The prompt and its continuation have 1031 tokens; the context holds 1024.',
    });
    expect(results[1]).toEqual((await model.score([short])).results[0]);
    await using small = await causalModel({ model: path, maxLength: 100 });
    expect((await small.generate([{ prompt: 'x'.repeat(100), maxTokens: 1 }])).results).toEqual([
      { failure: 'The prompt and the text so far have 101 tokens; the context holds 100.' },
    ]);
  });

  test('control tokens in texts are text, unless that is asked for', async () => {
    const tokens = async (from: CausalModel, prompt: string) =>
      (await from.score([{ prompt, continuation: ' A' }])).usage.tokens as number;
    const without = await tokens(model, 'Question: ');
    // Five characters of a name that is no word here, and the space that breaks it up.
    expect(await tokens(model, 'Question: <|eos|>')).toBeGreaterThan(without + 1);
    await using special = await causalModel({ model: path, parseSpecial: true });
    expect(await tokens(special, 'Question: <|eos|>')).toBe(without + 1);
  });

  test('a prompt can be the message of a user in the template of the model', async () => {
    const chat = writeCausalModel(join(folder, 'chat'), { chatTemplate: CHAT_TEMPLATE });
    await using own = await causalModel({ model: chat, chatTemplate: true });
    const request = requestOf(item, item.candidates[0]?.text);
    const framed = (prompt: string) => `user:\n${prompt}\nAnswer:`;
    const { results } = await own.score([request, { ...request, prompt: 'say <|eos|>' }]);
    const expected = await plain.score([
      { ...request, prompt: framed(request.prompt) },
      { ...request, prompt: framed('say < |eos|>') },
    ]);
    for (const [place, each] of results.map(answered).entries()) {
      expect(each.logprob).toBeCloseTo(answered(expected.results[place]).logprob, 3);
    }
    const generated = await own.generate([{ prompt: request.prompt, maxTokens: 3 }]);
    const other = await plain.generate([{ prompt: framed(request.prompt), maxTokens: 3 }]);
    expect(answered(generated.results[0]).text).toBe(answered(other.results[0]).text);
  });

  test('after a template that ends in white space, one space of the continuation is dropped', async () => {
    const template = `${CHAT_TEMPLATE}{{ '\n' }}`;
    const chat = writeCausalModel(join(folder, 'line'), { chatTemplate: template });
    await using own = await causalModel({ model: chat, chatTemplate: true });
    const { results } = await own.score([{ prompt: 'x', continuation: ' A b' }]);
    const expected = await plain.score([{ prompt: 'user:\nx\nAnswer:\n', continuation: 'A b' }]);
    expect(
      answered(results[0])
        .tokens.map(({ text }) => text)
        .join(''),
    ).toBe('A b');
    expect(answered(results[0]).logprob).toBeCloseTo(answered(expected.results[0]).logprob, 3);
  });

  test('the template is part of the name', async () => {
    const [one, other] = [CHAT_TEMPLATE, `${CHAT_TEMPLATE}.`].map((chatTemplate, at) =>
      writeCausalModel(join(folder, `named-${at}`), { chatTemplate }),
    ) as [string, string];
    await using plainly = await causalModel({ model: one });
    await using framed = await causalModel({ model: one, chatTemplate: true });
    await using differently = await causalModel({ model: other, chatTemplate: true });
    const names = await Promise.all([plainly, framed, differently].map((each) => each.identify()));
    expect(names[0]).toMatch(/^transformers\.js:sha256:[0-9a-f]{64}$/);
    expect(names[1]).toMatch(new RegExp(`^${names[0]}:template:[0-9a-f]{12}$`));
    expect(names[2]?.slice(-12)).not.toBe(names[1]?.slice(-12));
    await expect(causalModel({ model: path, chatTemplate: true })).rejects.toMatchObject({
      kind: 'invalid-options',
      field: 'chatTemplate',
    });
  });
});

function answered<Result extends object>(result: Result | { failure: string } | undefined): Result {
  if (result === undefined || 'failure' in result) return expect.unreachable(JSON.stringify(result));
  return result as Result;
}
