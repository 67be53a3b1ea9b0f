/** Tests with an imitation of Ollama that has the numbers of a real model, for several versions and clients. */
import { ChatOllama } from '@langchain/ollama';
import { createShaper, type TokenProbability } from 'context-shaping';
import { afterEach, describe, expect, test } from 'vitest';
import { withoutControlTokens } from '../../../../adapters/logprobs/chat-template.js';
import { type OllamaModelOptions, ollamaModel } from '../../../../adapters/logprobs/ollama.js';
import { judgeOf } from '../../../../src/ecs/judgement.js';
import { type Item, items, requestOf, tinyModel } from '../../../adapters/logprobs/items.js';
import { faultsOfHttp } from '../../../adapters/logprobs/servers/faults.js';
import {
  type Asked,
  type JsonServer,
  jsonServer,
  type Reply,
} from '../../../adapters/logprobs/servers/json-server.js';
import {
  OLLAMA_DIGEST,
  OLLAMA_MODEL,
  ollamaServer,
  type Quirks,
} from '../../../adapters/logprobs/servers/ollama.js';
import { scripted as modelThatSays } from '../../../adapters/logprobs/servers/scripted.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const llama = Llama.parse(tinyModel());
const oracle = ggufModel(tinyModel());

const servers: JsonServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function ollama(quirks: Quirks = {}, options: Partial<OllamaModelOptions> = {}, engine = llama) {
  const server = await ollamaServer(engine, quirks);
  servers.push(server);
  return { server, model: modelAt(server, options) };
}

/** A server with scripted answers, and a model on it. */
async function scripted(answer: (asked: Asked, count: number) => Reply) {
  const server: JsonServer = await jsonServer((asked) => answer(asked, server.asked.length));
  servers.push(server);
  return { server, model: modelAt(server) };
}

function modelAt({ address }: JsonServer, options: Partial<OllamaModelOptions> = {}) {
  return ollamaModel({ baseUrl: address, model: OLLAMA_MODEL, maxRetries: 0, ...options });
}

/** A scripted answer: the generated tokens, each with its alternatives. */
interface Told {
  token: string;
  logprob: number;
  bytes?: number[];
  top_logprobs?: readonly Omit<Told, 'top_logprobs'>[];
}
/** Each token is among its own alternatives, unless these are given. */
const told = (tokens: readonly Told[], response = tokens.map(({ token }) => token).join('')) => {
  const logprobs = tokens.map((each) => ({ top_logprobs: [each], ...each }));
  return toldAsIs(logprobs, response);
};
const toldAsIs = (logprobs: readonly object[], response: string) => ({
  json: {
    response,
    done: true,
    done_reason: 'length',
    prompt_eval_count: 1,
    eval_count: logprobs.length,
    logprobs,
  },
});

/** The last listed token: no unlisted token is more probable. */
const RARE = { token: 'q', logprob: -9 };

const [first, second] = items as [Item, Item, ...Item[]];
const REQUEST = requestOf(first, first.candidates[0]?.text);

const NOTHING = {
  failure: 'Ollama reports no tokens that may follow the text. Before 0.12.11 it reports none: update it.',
};

describe('the next tokens', () => {
  test('are those of another program, by one request of one token', async () => {
    const { server, model } = await ollama();
    const { results, usage } = await model.nextTokens([REQUEST.prompt]);
    expect(usage).toEqual({ requests: 1, tokens: llama.tokenizer.encode(REQUEST.prompt).length + 1 });
    const truth = (await oracle.nextTokens([REQUEST.prompt])).results[0] as TokenProbability[];
    expect(results).toEqual([
      truth.map(({ text, logprob }) => ({ text, logprob: expect.closeTo(logprob, 9) })),
    ]);
    expect(server.asked[0]?.body).toEqual({
      model: OLLAMA_MODEL,
      prompt: REQUEST.prompt,
      raw: true,
      stream: false,
      think: false,
      truncate: false,
      logprobs: true,
      top_logprobs: 20,
      options: {
        num_predict: 1,
        temperature: 0,
        top_k: 0,
        top_p: 1,
        min_p: 0,
        typical_p: 1,
        repeat_penalty: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        stop: [],
      },
    });
  });

  test('come best first, and numbers too small are none', async () => {
    const none = { token: 'a', logprob: -3.4028234663852886e38 };
    const no = { token: ' no', logprob: -2 };
    const { model } = await scripted(() => told([{ ...no, top_logprobs: [RARE, no, none] }]));
    expect((await model.nextTokens(['p:'])).results).toEqual([
      [
        { text: ' no', logprob: -2 },
        { text: 'q', logprob: -9 },
      ],
    ]);
  });

  test('fail where none is reported: for a part of a character, or a token of a draft model', async () => {
    for (const logprobs of [undefined, [{ token: 'a', logprob: 0 }]]) {
      const { model } = await scripted(() => ({ json: { response: '', logprobs } }));
      expect((await model.nextTokens(['p'])).results).toEqual([NOTHING]);
    }
  });

  test('do not exist after nothing, which is not sent', async () => {
    const { server, model } = await ollama();
    const failure = 'Ollama generates nothing after an empty prompt.';
    expect((await model.nextTokens([''])).results).toEqual([{ failure }]);
    expect(server.asked).toEqual([]);
  });

  test('no text is scored, and nothing is asked for it', async () => {
    const { server, model } = await ollama();
    expect(model.scoresGivenText).toBe(false);
    await expect(model.score([REQUEST])).rejects.toMatchObject({
      kind: 'service',
      problem: 'does not score a given text',
    });
    expect(server.asked).toEqual([]);
  });

  test('the model judges, also where the answer is known', async () => {
    const { model } = await ollama();
    const { report } = await createShaper({ k: 1, ecs: { model, trust: 'always' } }).shape({
      query: { text: first.question, answer: first.answer },
      chunks: first.candidates.slice(0, 2).map(({ text }, place) => ({ id: `${place}`, text })),
    });
    expect(report.degradations).toEqual([]);
    expect(report.ecs).toMatchObject({ method: 'judge', scored: 2 });
  });

  test.each(['before', 'at once'])('stop when aborted %s', async (when) => {
    const { model } = await ollama();
    const reason = new Error('took too long');
    const controller = new AbortController();
    if (when === 'before') controller.abort(reason);
    const { signal } = controller;
    const outcome = expect(model.nextTokens(['a', 'b', 'c'], { signal })).rejects.toBe(reason);
    controller.abort(reason);
    await outcome;
  });
});

describe('what Ollama refuses', () => {
  test('an Ollama that tells no log-probabilities is too old', async () => {
    const { model } = await ollama({ old: true });
    const { results } = await model.nextTokens([REQUEST.prompt]);
    expect(results).toEqual([{ failure: expect.stringContaining('Before 0.12.11 it reports none') }]);
  });

  test('a model that is not there can be pulled', async () => {
    const { model } = await ollama({}, { model: 'giant:7b' });
    for (const call of [() => model.nextTokens(['A']), () => model.identify()]) {
      await expect(call()).rejects.toMatchObject({
        kind: 'service',
        field: 'model',
        value: 'giant:7b',
        problem: 'is not known to Ollama',
        remedy: 'Get it: ollama pull giant:7b',
      });
    }
  });

  test('an address without Ollama is no model that is not there', async () => {
    const { model } = await scripted(() => ({ status: 404, text: '404 page not found' }));
    await expect(model.nextTokens(['a'])).rejects.toMatchObject({
      kind: 'service',
      problem: 'refuses the request',
      value: '404 404 page not found',
    });
  });

  test.each([0, 2])('a text that is too long fails alone, at once, with %i retries', async (maxRetries) => {
    const { model } = await ollama({ contextLength: 60 }, { maxRetries });
    const prompt = `${'the garden is full of flowers. '.repeat(20)}${REQUEST.prompt}`;
    const { results, usage } = await model.nextTokens([REQUEST.prompt, prompt]);
    expect(results).toEqual([
      expect.objectContaining({ length: 20 }),
      {
        failure: expect.stringMatching(
          /^request \(\d+ tokens\) exceeds the available context size \(60 tokens\), try increasing it$/,
        ),
      },
    ]);
    expect(usage.requests).toBe(2);
  });

  test('also where the server says that with a status of its own faults', async () => {
    const { server, model } = await scripted(() => ({
      status: 500,
      json: { error: 'the input length exceeds the context length' },
    }));
    expect((await modelAt(server, { maxRetries: 3 }).nextTokens(['a'])).usage.requests).toBe(1);
    expect((await model.nextTokens(['a'])).results).toEqual([
      { failure: 'the input length exceeds the context length' },
    ]);
  });
});

describe('answers that are not as documented', () => {
  const at = (place: string) => `answers with an unexpected value at “${place}”`;
  const b = { token: 'b', logprob: -1 };

  test.each<[unknown, place: string]>([
    [[], '.'],
    [{}, '.response'],
    [{ response: 'b', logprobs: {} }, '.logprobs'],
    [{ response: 'b', logprobs: [{ token: 'b' }] }, '.logprobs[0].logprob'],
    [{ response: 'b', logprobs: [{ ...b, logprob: 'NaN' }] }, '.logprobs[0].logprob'],
    [{ response: 'b', logprobs: [{ ...b, logprob: 0.2 }] }, '.logprobs[0].logprob'],
    [{ response: 'b', logprobs: [{ ...b, bytes: [256] }] }, '.logprobs[0].bytes[0]'],
    [
      { response: 'b', logprobs: [{ ...b, top_logprobs: [{ token: 1 }] }] },
      '.logprobs[0].top_logprobs[0].token',
    ],
  ])('%j', async (json, place) => {
    const { server, model } = await scripted(() => ({ json }));
    const expected = { kind: 'service', field: `POST ${server.address}/api/generate`, problem: at(place) };
    await expect(model.nextTokens(['a'])).rejects.toMatchObject(expected);
  });

  test('a list of models without digests', async () => {
    const { server, model } = await scripted(() => ({ json: { models: [{ name: OLLAMA_MODEL }] } }));
    await expect(model.identify()).rejects.toMatchObject({
      kind: 'service',
      field: `GET ${server.address}/api/tags`,
      problem: at('.models[0].digest'),
    });
  });
});

faultsOfHttp('/api/generate', (settings) => ollamaModel({ model: OLLAMA_MODEL, ...settings }), false);

describe('the name', () => {
  test.each(['tiny', 'tiny:latest'])('of %s is that of its weights', async (model) => {
    const subject = await ollama({}, { model });
    expect(await subject.model.identify()).toBe(`ollama:tiny:latest:${OLLAMA_DIGEST}`);
  });
});

describe('a loaded model', () => {
  test('stays loaded while chats and judgements take turns', async () => {
    const { server, model } = await ollama(
      {},
      { runnerOptions: { num_ctx: 64, num_thread: 3, keep_alive: '2h' } },
    );
    const chat = new ChatOllama({ model: OLLAMA_MODEL, baseUrl: server.address, numCtx: 64, numThread: 3 });
    await chat.invoke('Hello?');
    await model.nextTokens([REQUEST.prompt]);
    await chat.invoke('Hello?');
    expect(server.reloads).toBe(0);
    expect(server.keepAlive).toBe('2h');
  });

  test('has Ollama’s own settings where none are given', async () => {
    const { server, model } = await ollama({}, { runnerOptions: { num_ctx: undefined } });
    await model.nextTokens(['a']);
    const { body } = server.asked[0] as { body: { options: object } };
    expect(body).not.toHaveProperty('keep_alive');
    expect(body).not.toHaveProperty('shift');
    expect(Object.keys(body.options).filter((name) => /^(num_(?!predict)|main_|use_)/.test(name))).toEqual(
      [],
    );
  });
});

test('a model judges 16 passages with 16 requests', async () => {
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
});

test('a model that can think is asked not to, so its first token is there', async () => {
  const { model } = await ollama({ thinks: true }, {}, modelThatSays(llama, '<think> yes'));
  const [listed] = (await model.nextTokens([REQUEST.prompt])).results as [TokenProbability[]];
  expect('<think> yes'.startsWith(listed[0]?.text as string)).toBe(true);
});

describe('the chat template', () => {
  test('is around each prompt by Ollama itself, with thinking off, and is in the name', async () => {
    const seen: string[] = [];
    const template = (message: string, isThinking: boolean) => {
      seen.push(`<user>${message}</user>${isThinking ? '<think>' : ''}`);
      return seen.at(-1) as string;
    };
    const { server, model } = await ollama({ template, thinks: true }, { chatTemplate: true });
    const { usage } = await model.nextTokens(['Who?']);
    expect(seen).toEqual(['<user>Who?</user>']);
    expect(server.asked.map(({ body }) => body.raw)).toEqual([false]);
    expect(usage.requests).toBe(1);
    expect(await model.identify()).toBe(`ollama:tiny:latest:${OLLAMA_DIGEST}:chat`);
  });

  test('control tokens in a prompt are taken apart', async () => {
    const { server, model } = await ollama({}, { chatTemplate: true });
    await model.nextTokens(['a<|im_end|>b 1 < 2 <b>bold</b>']);
    expect(server.asked.at(-1)?.body.prompt).toBe('a< |im_end|>b 1 < 2 <b>bold</b>');
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
