/** Services at whose address nothing listens: the first refused connection decides, and the message names the address. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { ChatOllama, OllamaEmbeddings } from '@langchain/ollama';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { createShaper } from 'context-shaping';
import { chatJudge, fromLangChainEmbeddings } from 'context-shaping/langchain';
import { llamaServer, ollamaModel, openAICompatible } from 'context-shaping/logprobs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectionProblem, messageOf } from '../../../src/errors.js';

let port: number;
let attempts: number;
let url: string;

/** The port was free a moment ago, so nothing listens there. */
beforeEach(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  await new Promise((resolve) => server.close(resolve));
  url = `http://127.0.0.1:${port}`;
  attempts = 0;
});

/** The real one, counted. */
const counted: typeof fetch = (...request) => {
  attempts++;
  return fetch(...request);
};

const ollama = () => ({ baseUrl: url, model: 'x', fetch: counted });
const openai = () => ({ apiKey: 'x', model: 'gpt-4o', configuration: { baseURL: url, fetch: counted } });
const texts = ['The bridge opened in 1932.', 'Cats sleep.'];
const chunks = texts.map((text, at) => ({ id: `${at}`, text }));
const refusal = () => `connection refused at 127.0.0.1:${port}`;

const embeddings = {
  OllamaEmbeddings: () => new OllamaEmbeddings(ollama()),
  OpenAIEmbeddings: () => new OpenAIEmbeddings({ ...openai(), encodingFormat: 'float' }),
};
const chatModels = {
  ChatOllama: () => new ChatOllama(ollama()),
  ChatOpenAI: () => new ChatOpenAI(openai()),
  'ChatOpenAI with options': () => new ChatOpenAI(openai()).withConfig({ stop: ['x'] }),
};

describe.each(Object.entries(embeddings))('%s', (name, make) => {
  test('one attempt for each request, and the report says what to do', async () => {
    const embedder = fromLangChainEmbeddings(make());
    const { report } = await createShaper({ embedder }).shape({ query: 'bridge', chunks });
    // The query and the chunks are two requests.
    expect(attempts).toBeLessThanOrEqual(2);
    expect(report.degradations).toMatchObject([{ code: 'embedder-failed' }]);
    expect(report.degradations[0]?.message).toContain(`${name} cannot be reached (${refusal()}). Start`);
  });

  test('the object of the caller stays as it is', async () => {
    const own = make();
    const before = { ...own };
    const caller = { ...own.caller };
    await expect(fromLangChainEmbeddings(own).embed(['a'], {})).rejects.toMatchObject({ kind: 'service' });
    expect({ ...own }).toEqual(before);
    expect({ ...own.caller }).toEqual(caller);
  });
});

describe.each(Object.entries(chatModels))('%s', (_, make) => {
  const FAILURE = { kind: 'service', problem: 'cannot be reached' };

  test('chatJudge', async () => {
    const judging = chatJudge(make(), { maxConcurrency: 1 }).judge(
      chunks.map(({ text }) => ({ question: 'bridge', passage: text })),
      {},
    );
    await expect(judging).rejects.toMatchObject({ ...FAILURE, value: refusal() });
    expect(attempts).toBe(1);
  });
});

test.each([
  ['llamaServer', () => llamaServer({ baseUrl: url, maxConcurrency: 1 })],
  ['ollamaModel', () => ollamaModel({ model: 'x', baseUrl: url, maxConcurrency: 1 })],
  ['openAICompatible', () => openAICompatible({ model: 'x', baseUrl: url, maxConcurrency: 1 })],
])('%s: one request, and the server to start', async (_, make) => {
  const model = make();
  const { degradations, ecs } = (
    await createShaper({ k: 1, ecs: { model, trust: 'always', withoutAnswer: 'judge' } }).shape({
      query: 'bridge',
      chunks,
    })
  ).report;
  expect(degradations).toMatchObject([{ code: 'ecs-failed' }]);
  expect(degradations[0]?.message).toContain(`(${refusal()}). Start the server at ${url}`);
  expect(ecs?.usage.requests ?? 0).toBeLessThanOrEqual(1);
});

describe('a service that answers is retried as before', () => {
  let server: Server;
  let statuses: number[];
  beforeEach(async () => {
    server = createHttpServer((_, response) => {
      const status = statuses.shift() ?? 200;
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
      response.end(
        JSON.stringify(
          status === 200
            ? { data: [{ index: 0, embedding: [1, 0] }], embeddings: [[1, 0]] }
            : { error: { message: 'busy' } },
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  });
  afterEach(() => server.close());

  test.each([
    ['OllamaEmbeddings', 503],
    ['OpenAIEmbeddings', 503],
    ['OpenAIEmbeddings', 429],
  ] as const)('%s after %i', async (name, status) => {
    statuses = [status];
    const [vector] = (await fromLangChainEmbeddings(embeddings[name]()).embed(['a'], {})) as [
      ArrayLike<number>,
    ];
    expect(vector).toHaveLength(2);
    expect(attempts).toBe(2);
  });
});

test('a class with private fields is called as before', async () => {
  class Private extends OllamaEmbeddings {
    readonly #prefix = 'passage: ';
    override async embedDocuments(given: string[]) {
      return super.embedDocuments(given.map((text) => this.#prefix + text));
    }
  }
  const own = new Private({ ...ollama(), maxRetries: 0 });
  await expect(fromLangChainEmbeddings(own).embed(['a'], {})).rejects.toMatchObject({ value: refusal() });
  expect(attempts).toBe(1);
});

describe('the reason behind an error', () => {
  const refused = (address: string) =>
    Object.assign(new Error('x'), { code: 'ECONNREFUSED', address, port: 9 });
  test.each([
    [refused('127.0.0.1'), 'connection refused at 127.0.0.1:9'],
    [refused('::1'), 'connection refused at [::1]:9'],
    [
      new TypeError('fetch failed', { cause: refused('127.0.0.1') }),
      'fetch failed: connection refused at 127.0.0.1:9',
    ],
    [
      new Error('Connection error.', {
        cause: Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), {
          code: 'ECONNREFUSED',
        }),
      }),
      'Connection error: connection refused at 127.0.0.1:9',
    ],
    [
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('x'), { code: 'ENOTFOUND', hostname: 'nowhere.invalid' }),
      }),
      'fetch failed: no host has the name nowhere.invalid',
    ],
    [
      Object.assign(new Error('Unable to connect.'), {
        code: 'ConnectionRefused',
        path: 'http://localhost:9/',
      }),
      'connection refused at http://localhost:9/',
    ],
    [new Error('late', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }), 'late'],
    ['text', '"text"'],
    [undefined, 'undefined'],
  ])('%s', (error, message) => {
    expect(messageOf(error)).toBe(message);
  });

  test('causes in a circle have an end', () => {
    const circle = new Error('round');
    circle.cause = circle;
    expect(connectionProblem(circle)).toBeUndefined();
  });
});
