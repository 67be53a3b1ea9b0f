/** Ollama as its source says it behaves: reloads, draft models, thinking models, chat templates. */
import { ChatOllama } from '@langchain/ollama';
import type { GeneratedText, ScoredText } from 'context-shaping';
import { afterEach, describe, expect, test } from 'vitest';
import { withoutControlTokens } from '../../../../adapters/logprobs/chat-template.js';
import { type OllamaModelOptions, ollamaModel } from '../../../../adapters/logprobs/ollama/ollama.js';
import { judgeOf, judgePrompt } from '../../../../src/ecs/judgement.js';
import { logprobModelContract } from '../../../adapters/logprobs/contract.js';
import { type Item, items, requestOf, tinyModel } from '../../../adapters/logprobs/items.js';
import { type JsonServer, jsonServer } from '../../../adapters/logprobs/servers/json-server.js';
import {
  OLLAMA_DIGEST,
  OLLAMA_MODEL,
  ollamaServer,
  type Quirks,
} from '../../../adapters/logprobs/servers/ollama.js';
import { scripted } from '../../../adapters/logprobs/servers/scripted.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const llama = Llama.parse(tinyModel());
const oracle = ggufModel(tinyModel());
const [first, second] = items as [Item, Item, ...Item[]];
const REQUEST = requestOf(first, first.candidates[0]?.text);

const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function ollama(quirks: Quirks = {}, options: Partial<OllamaModelOptions> = {}, engine = llama) {
  const server = await ollamaServer(engine, quirks);
  servers.push(server);
  const model = ollamaModel({ baseUrl: server.address, model: OLLAMA_MODEL, maxRetries: 0, ...options });
  return { server, model };
}

logprobModelContract('ollamaModel with a chat template and a draft model', async () => {
  // A template that adds nothing: the numbers stay those of the small model.
  const server = await ollamaServer(llama, { template: (message) => message, drafts: true });
  const model = ollamaModel({ baseUrl: server.address, model: OLLAMA_MODEL, chatTemplate: true });
  return { model, oracle, tolerance: 1e-9, close: server.close };
});

describe('a loaded model', () => {
  const chatAt = (baseUrl: string, fields: object = {}) =>
    new ChatOllama({ model: OLLAMA_MODEL, baseUrl, ...fields });

  test('stays loaded while chats and scores take turns', async () => {
    const { server, model } = await ollama();
    const chat = chatAt(server.address);
    await chat.invoke('Hello?');
    await model.score([REQUEST]);
    await model.generate([{ prompt: REQUEST.prompt, maxTokens: 2 }]);
    await chat.invoke('Hello?');
    expect(server.reloads).toBe(0);
  });

  test.each<[string, object, without: number]>([
    ['numCtx', { numCtx: 64 }, 1],
    ['numBatch', { numBatch: 64 }, 1],
    // A request that leaves the layers to Ollama takes any.
    ['numGpu', { numGpu: 0 }, 0],
    ['mainGpu', { mainGpu: 1 }, 1],
    ['useMmap', { useMmap: false }, 1],
    ['numThread', { numThread: 3 }, 1],
  ])('stays loaded with the %s of the ChatOllama', async (_, fields, without) => {
    const { server } = await ollama();
    const chat = chatAt(server.address, fields);
    const model = ollamaModel({ client: chat, model: chat.model, chatTemplate: true });
    await chat.invoke('Hello?');
    await model.score([REQUEST]);
    await chat.invoke('Hello?');
    expect(server.reloads).toBe(0);
    const other = ollamaModel({ client: chat.client, model: chat.model });
    await other.score([REQUEST]);
    expect(server.reloads).toBe(without);
  });

  test('stays loaded as long as the ChatOllama says', async () => {
    const { server } = await ollama();
    const chat = chatAt(server.address, { keepAlive: '2h' });
    await ollamaModel({ client: chat, model: chat.model }).score([REQUEST]);
    expect(server.keepAlive).toBe('2h');
  });

  test('has the settings that are given, one by one, in place of those of the ChatOllama', async () => {
    const { server } = await ollama();
    const chat = chatAt(server.address, { numCtx: 64, numThread: 3, keepAlive: '2h' });
    const runnerOptions = { num_ctx: 48, use_mmap: true, draft_num_predict: 0, keep_alive: -1 };
    const model = ollamaModel({ client: chat, model: chat.model, runnerOptions });
    await model.score([{ prompt: 'a:', continuation: ' b' }]);
    expect(server.asked[0]?.body).toMatchObject({
      keep_alive: -1,
      options: { num_ctx: 48, num_thread: 3, use_mmap: true, draft_num_predict: 0, temperature: 0 },
    });
    expect(server.keepAlive).toBe(-1);
  });

  test('has Ollama’s own settings where none are given', async () => {
    const { server, model } = await ollama({}, { runnerOptions: { num_ctx: undefined } });
    await model.score([REQUEST]);
    const { body } = server.asked[0] as { body: { options: object } };
    expect(body).not.toHaveProperty('keep_alive');
    expect(body).not.toHaveProperty('shift');
    expect(Object.keys(body.options).filter((name) => /^(num_(?!predict)|main_|use_)/.test(name))).toEqual(
      [],
    );
  });

  test.each([
    [{ num_ctx: 0 }, 'runnerOptions.num_ctx', 'must be at least 1'],
    [{ numCtx: 64 }, 'runnerOptions.numCtx', 'is not an option'],
    [{ keep_alive: '' }, 'runnerOptions.keep_alive', undefined],
  ])('cannot have %j', (runnerOptions, field, problem) => {
    expect(() => ollamaModel({ model: 'tiny', runnerOptions: runnerOptions as never })).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field, ...(problem ? { problem } : {}) }),
    );
  });
});

test('a model judges 16 passages with 16 requests, and scoring both words took 32', async () => {
  const [yes, no] = [
    { token: ' yes', logprob: Math.log(0.6) },
    { token: ' no', logprob: Math.log(0.2) },
  ];
  const logprobs = [{ ...yes, top_logprobs: [yes, no] }];
  const server = await jsonServer(() => ({ json: { response: ' yes', eval_count: 1, logprobs } }));
  servers.push(server);
  const model = ollamaModel({ baseUrl: server.address, model: 'm' });
  const requests = [first, second].flatMap(({ question, candidates }) =>
    candidates.map(({ text }) => ({ question, passage: text })),
  );
  const { results, usage } = await judgeOf(model).judge(requests);
  expect(results).toEqual(requests.map(() => ({ yes: expect.closeTo(0.75, 9) })));
  expect([usage.requests, server.asked.length]).toEqual([16, 16]);
  const words = requests.flatMap((request) =>
    [' yes', ' no'].map((continuation) => ({ prompt: judgePrompt(request), continuation })),
  );
  expect((await model.score(words)).usage.requests).toBe(32);
});

describe('with a draft model', () => {
  test('the tokens that it proposed are not certain', async () => {
    const { model } = await ollama({ drafts: true });
    const requests = [REQUEST, requestOf(second, second.candidates[0]?.text)];
    const { results } = await model.score(requests);
    const truths = (await oracle.score(requests)).results as ScoredText[];
    for (const [place, result] of results.entries()) {
      const truth = truths[place] as ScoredText;
      expect(result).toMatchObject({ exact: true, logprob: expect.closeTo(truth.logprob, 9) });
      expect(truth.tokens.length).toBeGreaterThan(1);
    }
  });

  test('a true -9 is -9', async () => {
    const server = await jsonServer(({ body }) => {
      const token = (text: string, logprob: number) => ({ token: text, logprob });
      const known = (text: string, logprob: number) => ({
        ...token(text, logprob),
        top_logprobs: [token('z', -0.1), token(text, logprob), token('q', -99)],
      });
      const isFirst = body.prompt === 'p:';
      const logprobs = isFirst
        ? [known('a', -2), ...(body.options.num_predict > 1 ? [token('bcdef', 0)] : [])]
        : [known('bcdef', -7)];
      const response = logprobs.map((each) => each.token).join('');
      return { json: { response, done_reason: 'length', eval_count: logprobs.length, logprobs } };
    });
    servers.push(server);
    const model = ollamaModel({ baseUrl: server.address, model: 'm' });
    const { results } = await model.score([{ prompt: 'p:', continuation: 'abcdef' }]);
    expect(results).toMatchObject([{ logprob: -9, exact: true, tokens: [{ text: 'a' }, { text: 'bcdef' }] }]);
    expect(server.asked.map(({ body }) => body.prompt)).toEqual(['p:', 'p:a']);
  });

  test('a score is a bound where no probability is reported at all', async () => {
    const { server, model } = await ollama({ drafts: 'all' });
    const { results } = await model.score([REQUEST]);
    expect(results).toEqual([{ tokens: [], logprob: 0, exact: false }]);
    expect(server.asked.map(({ body }) => body.options.num_predict)).toEqual([7, 1]);
  });

  test('the tokens of a generated text have their probabilities', async () => {
    const request = { prompt: REQUEST.prompt, maxTokens: 3 };
    const truth = (await oracle.generate([request], { topLogprobs: 2 })).results[0] as GeneratedText;
    const { model } = await ollama({ drafts: true });
    const { results } = await model.generate([request], { topLogprobs: 2 });
    const { text, tokens } = results[0] as GeneratedText;
    expect(text).toBe(truth.text);
    expect(tokens.map((token) => [token.text, token.top?.length])).toEqual(
      truth.tokens.map((token) => [token.text, 2]),
    );
    for (const [place, { logprob }] of tokens.entries()) {
      expect(logprob).toBeCloseTo(truth.tokens[place]?.logprob as number, 9);
    }
    const none = await ollama({ drafts: 'all' });
    expect((await none.model.generate([request])).results).toEqual([{ text, tokens: [] }]);
  });
});

test('a model that can think is asked not to, so its text stays whole', async () => {
  const { model } = await ollama({ thinks: true }, {}, scripted(llama, '<think> yes'));
  const { results } = await model.generate([{ prompt: REQUEST.prompt, maxTokens: 9 }]);
  expect(results).toMatchObject([{ text: '<think> yes' }]);
  expect((results[0] as GeneratedText).tokens.map(({ text }) => text).join('')).toBe('<think> yes');
});

describe('the chat template', () => {
  const before = '<|im_start|>user\n';
  const after = '<|im_end|>\n<|im_start|>assistant\n';

  test('is around each prompt, and is read once', async () => {
    const { server, model } = await ollama({}, { chatTemplate: true });
    const { results, usage } = await model.score([REQUEST, { prompt: 'Who?', continuation: 'I' }]);
    expect(server.asked[0]?.body).toEqual({
      model: OLLAMA_MODEL,
      prompt: 'context-shaping-message',
      stream: false,
      think: false,
      _debug_render_only: true,
      options: { num_predict: 1 },
    });
    const prompts = server.asked.slice(1).map(({ body }) => body.prompt as string);
    expect(prompts).toContain(`${before}${REQUEST.prompt}${after}`);
    expect(prompts).toContain(`${before}Who?${after}`);
    expect(server.asked.slice(1).every(({ body }) => body.raw)).toBe(true);
    expect(usage.requests).toBe(server.asked.length);
    // One space is dropped: the template ends in white space.
    const asked = { prompt: `${before}${REQUEST.prompt}${after}`, continuation: first.answer };
    const truth = (await oracle.score([asked])).results[0] as ScoredText;
    expect((results[0] as ScoredText).logprob).toBeGreaterThanOrEqual(truth.logprob - 1e-9);
    await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    expect(server.asked.filter(({ body }) => body._debug_render_only)).toHaveLength(1);
    expect(server.asked.at(-1)?.body.prompt).toBe(`${before}Who?${after}`);
  });

  test('that ends without white space keeps the space of the answer', async () => {
    const template = (message: string) => `Q ${message} A:`;
    const { model } = await ollama({ template }, { chatTemplate: true });
    const { results } = await model.score([{ prompt: 'Who?', continuation: ' I' }]);
    const plain = await ollama();
    const same = await plain.model.score([{ prompt: 'Q Who? A:', continuation: ' I' }]);
    expect(results).toEqual(same.results);
  });

  test('is asked for with thinking off', async () => {
    const template = (message: string, isThinking: boolean) =>
      `<user>${message}</user>${isThinking ? '<think>' : '<think></think>'}`;
    const { server, model } = await ollama({ template, thinks: true }, { chatTemplate: true });
    await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    expect(server.asked.at(-1)?.body.prompt).toBe('<user>Who?</user><think></think>');
  });

  test('is a part of the name, the same every day', async () => {
    const name = async (template: Quirks['template'], options = {}) => {
      const { model } = await ollama({ template: template as never }, { chatTemplate: true, ...options });
      return model.identify();
    };
    const on = (day: string) => name((message) => `Today: ${day}. ${message}:`);
    const one = await on('2026-08-21');
    expect(one).toMatch(new RegExp(`^ollama:tiny:latest:${OLLAMA_DIGEST}:chat-[0-9a-f]{12}$`));
    expect(await on('2026-11-23')).toBe(one);
    expect(await on('23 Nov 2026')).toBe(one);
    expect(await on('November 23, 2026')).toBe(one);
    expect(await name((message) => `Today: nothing. ${message}:`)).not.toBe(one);
    expect(await name((message) => `Today: 2026-11-23. ${message}.`)).not.toBe(one);
  });

  test.each([
    [true, 'user Who?:'],
    [false, '<s>user Who?:'],
  ])('leaves out the token that begins a text if llama.cpp adds it (%j)', async (addsBeginning, sent) => {
    const template = (message: string) => `<s>user ${message}:`;
    const { server, model } = await ollama({ template, addsBeginning }, { chatTemplate: true });
    await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    expect(server.asked.map(({ path }) => path)).toEqual(['/api/generate', '/api/show', '/api/generate']);
    expect(server.asked.at(-1)?.body.prompt).toBe(sent);
  });

  test('works through the client of a ChatOllama', async () => {
    const template = (message: string) => `<bos>user ${message}:`;
    const { server } = await ollama({ template });
    const chat = new ChatOllama({ model: OLLAMA_MODEL, baseUrl: server.address });
    const model = ollamaModel({ client: chat, model: chat.model, chatTemplate: true });
    await model.generate([{ prompt: 'Who?', maxTokens: 1 }]);
    expect(server.asked.at(-1)?.body.prompt).toBe('user Who?:');
  });

  test('is needed from Ollama, or from the client', async () => {
    const { model } = await ollama({ old: true }, { chatTemplate: true });
    const expected = {
      kind: 'service',
      problem: 'does not render the chat template',
      remedy: expect.stringContaining('Update Ollama'),
    };
    await expect(model.score([REQUEST])).rejects.toMatchObject(expected);
    await expect(model.identify()).rejects.toMatchObject(expected);
    const client = { generate: async () => ({ response: 'a' }) };
    const other = ollamaModel({ client, model: 'tiny', chatTemplate: true });
    await expect(other.score([REQUEST])).rejects.toMatchObject({ ...expected, field: 'client.generate()' });
  });

  test.each([
    ['not at all', () => 'Hello.'],
    ['twice', (message: string) => message + message],
  ])('cannot repeat the message %s', async (_, template) => {
    const { model } = await ollama({ template }, { chatTemplate: true });
    await expect(model.score([REQUEST])).rejects.toMatchObject({
      kind: 'service',
      problem: 'renders a template that does not repeat the message once',
    });
  });

  test('is not asked for without a prompt, nor of a model that is not there', async () => {
    const { server, model } = await ollama({}, { chatTemplate: true });
    await model.score([]);
    expect(server.asked).toEqual([]);
    const { model: other } = await ollama({}, { chatTemplate: true, model: 'giant' });
    for (const call of [() => other.score([REQUEST]), () => other.identify()]) {
      await expect(call()).rejects.toMatchObject({ field: 'model', remedy: 'Get it: ollama pull giant' });
    }
  });

  test('is not waited for when the call is aborted', async () => {
    const server = await jsonServer(() => 'silence');
    servers.push(server);
    const client = { generate: () => new Promise(() => {}) };
    for (const model of [
      ollamaModel({ baseUrl: server.address, model: 'tiny', chatTemplate: true }),
      ollamaModel({ client, model: 'tiny', chatTemplate: true }),
    ]) {
      const controller = new AbortController();
      const reason = new Error('not wanted any more');
      const outcomes = [
        model.score([REQUEST], { signal: controller.signal }),
        model.generate([{ prompt: 'a', maxTokens: 1 }], { signal: controller.signal }),
      ].map((call) => expect(call).rejects.toBe(reason));
      setImmediate(() => controller.abort(reason));
      await Promise.all(outcomes);
    }
  });

  test('control tokens in a prompt are taken apart', async () => {
    const template = (message: string) => `<user_turn>${message}<end_of_utterance>\nBot:`;
    const { server, model } = await ollama({ template }, { chatTemplate: true });
    const prompt = 'a<|im_end|>b <end_of_utterance> <user_turn> 1 < 2 <b>bold</b> Human: c';
    await model.generate([{ prompt, maxTokens: 1 }]);
    expect(server.asked.at(-1)?.body.prompt).toBe(
      '<user_turn>a< |im_end|>b < end_of_utterance> < user_turn> 1 < 2 <b>bold</b> Human: c<end_of_utterance>\nBot:',
    );
  });

  test.each([
    ['<|im_start|>system', '< |im_start|>system'],
    ['[INST] x [/INST]', '[ INST] x [ /INST]'],
    ['<｜User｜>', '< ｜User｜>'],
    ['〈|EOS|〉', '〈 |EOS|〉'],
    ['Assistant: yes\n\nHuman: no', 'Assistant: yes\n\nHuman: no'],
    ['plain', 'plain'],
  ])('%j becomes %j', (text, expected) => {
    const apart = withoutControlTokens(text, '〈|EOS|〉');
    expect(apart).toBe(expected);
    expect(withoutControlTokens(apart, '〈|EOS|〉')).toBe(expected);
  });
});
