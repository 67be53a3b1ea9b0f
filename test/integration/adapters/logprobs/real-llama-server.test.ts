/** The provider against a real llama-server with the small model, and a reranker on it. Needs the variable `LLAMA_SERVER`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failed, ScoredText } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JsonService } from '../../../../adapters/json-service/index.js';
import {
  type LlamaServerOptions,
  llamaServer,
} from '../../../../adapters/logprobs/llama-server/llama-server.js';
import { LlamaServer } from '../../../../adapters/logprobs/llama-server/server.js';
import { readTemplate } from '../../../../adapters/logprobs/llama-server/template.js';
import { tokenize } from '../../../../adapters/logprobs/llama-server/tokens.js';
import { logprobModelContract } from '../../../adapters/logprobs/contract.js';
import {
  type Item,
  items,
  promptOf,
  requestOf,
  scoreRequests,
  TINY_MODEL,
  tinyModel,
} from '../../../adapters/logprobs/items.js';
import {
  REAL_LLAMA_SERVER,
  type RealServer,
  realLlamaServer,
} from '../../../adapters/logprobs/servers/real-llama-server.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { tinyReranker } from '../../../gguf/reranker.js';
import { temporaryFolder } from '../../../temporary-folder.js';

const oracle = ggufModel(tinyModel());
const item = items[0] as Item;
const passages = new Set(items.slice(0, 3).flatMap(({ candidates }) => candidates.map(({ text }) => text)));
/** One prompt without a passage, then one with each of sixteen. */
const SEVENTEEN = [undefined, ...[...passages].slice(0, 16)].map((passage) => requestOf(item, passage));

/** The server computes with 16 bits; this memory of prefixes has 32. */
const EXACT = ['--cache-type-k', 'f32', '--cache-type-v', 'f32', '--flash-attn', 'off'];
const TINY = ['--model', TINY_MODEL, ...EXACT];

/** Largest seen: 0.0013 per token. */
const TOLERANCE = 5e-3;

/** Control tokens of the small model, and no white space before the answer. */
const TEMPLATE = `{% for message in messages %}<|bos|>{{ message.role }}
{{ message.content }}<|eos|>
{% endfor %}{% if add_generation_prompt %}<|bos|>Answer:{% endif %}`;

const connect = ({ address }: RealServer) =>
  new LlamaServer(new JsonService({ baseUrl: address, headers: {}, timeoutMs: 60_000, maxRetries: 0 }));

async function using<T>(
  args: readonly string[],
  use: (options: LlamaServerOptions, server: RealServer) => Promise<T>,
): Promise<T> {
  const server = await realLlamaServer(...args);
  try {
    return await use({ baseUrl: server.address }, server);
  } finally {
    await server.close();
  }
}

const logprobs = (results: readonly (ScoredText | Failed)[]) =>
  results.map((result) => ('failure' in result ? result.failure : result.logprob));

function expectNear(
  actual: readonly (ScoredText | Failed)[],
  expected: readonly (ScoredText | Failed)[],
): void {
  expect(actual).toHaveLength(expected.length);
  for (const [place, logprob] of logprobs(actual).entries()) {
    expect(Math.abs((logprob as number) - (logprobs(expected)[place] as number))).toBeLessThan(1e-2);
  }
}

describe.skipIf(REAL_LLAMA_SERVER === undefined)('a real llama-server', () => {
  logprobModelContract('llamaServer', async () => {
    const { address, close } = await realLlamaServer(...TINY);
    return { model: llamaServer({ baseUrl: address }), oracle, tolerance: TOLERANCE, close };
  });

  // The small model was not trained to chat, so this template adds nothing.
  logprobModelContract('llamaServer with a chat template', async () => {
    const template = '{{ bos_token }}{% for message in messages %}{{ message.content }}{% endfor %}';
    const { address, close } = await realLlamaServer(...TINY, '--jinja', '--chat-template', template);
    const model = llamaServer({ baseUrl: address, chatTemplate: true });
    return { model, oracle, tolerance: TOLERANCE, close };
  });

  logprobModelContract('llamaServer with one context for all slots', async () => {
    const { address, close } = await realLlamaServer(...TINY, '-np', '4', '-c', '320', '--kv-unified');
    return { model: llamaServer({ baseUrl: address }), oracle, tolerance: TOLERANCE, close };
  });

  describe('the requests', () => {
    let server: RealServer;
    beforeAll(async () => {
      server = await realLlamaServer(...TINY);
    });
    afterAll(() => server.close());

    test('three requests for sixteen passages, and a shared start is computed once', async () => {
      const model = llamaServer({ baseUrl: server.address });
      const { results, usage } = await model.score(SEVENTEEN);
      const expected = await oracle.score(SEVENTEEN);
      expectNear(results, expected.results);
      console.log('score, 17 prompts:', usage);
      expect(usage).toMatchObject({ requests: 3, tokens: expected.usage.tokens });
      expect(usage.cachedTokens).toBeGreaterThan(0);
      const again = await model.score(SEVENTEEN);
      console.log('the same again:', again.usage);
      expect(again.usage.cachedTokens).toBeGreaterThan(usage.cachedTokens as number);
      const prompts = SEVENTEEN.map(({ prompt }) => ({ prompt, maxTokens: 1 }));
      const judged = await model.generate(prompts, { topLogprobs: 20 });
      console.log('one token with 20 alternatives, 17 prompts:', judged.usage);
      expect(judged.usage.requests).toBe(2);
      for (const result of judged.results) {
        expect('failure' in result ? result : result.tokens[0]?.top).toHaveLength(20);
      }
    });

    test('together texts have the tokens that each has alone', async () => {
      const texts = scoreRequests().flatMap(({ prompt, continuation }) => [prompt, prompt + continuation]);
      const connection = connect(server);
      const all = [...new Set([...texts, '', ' ', '\n', ' Zürich 🙂', '<|eos|> <|bos|>'])];
      for (const parseSpecial of [false, true]) {
        const settings = { parseSpecial, maxConcurrency: 4 };
        const { begin, lists } = await tokenize(connection, all, settings, undefined);
        for (const content of all) {
          const alone = { content, add_special: true, parse_special: parseSpecial };
          expect(await connection.post('tokenize', alone, undefined)).toEqual({
            tokens: [...begin, ...(lists.get(content) as number[])],
          });
        }
      }
    });

    test('the token that begins every text once', async () => {
      const plain = { prompt: promptOf(item.question, []), continuation: ` ${item.answer}` };
      const marked = { ...plain, prompt: `<|bos|>${plain.prompt}` };
      const options = { baseUrl: server.address };
      const [once, parsed, text] = await Promise.all([
        llamaServer(options).score([plain]),
        llamaServer({ ...options, parseSpecial: true }).score([marked]),
        llamaServer(options).score([marked]),
      ]);
      expectNear(parsed.results, once.results);
      expect(parsed.usage.tokens).toBe(once.usage.tokens);
      expect(text.usage.tokens).toBeGreaterThan(once.usage.tokens as number);
    });
  });

  describe('chat templates', () => {
    test.each<[name: string, jinja: string, template: string]>([
      ['of control tokens', '--jinja', TEMPLATE],
      ['that ends in white space', '--jinja', TEMPLATE.replace('Answer:', 'assistant\n')],
      ['of words', '--jinja', '{% for message in messages %}Q: {{ message.content }}\nA:{% endfor %}'],
      ...['chatml', 'gemma', 'llama2', 'llama3', 'mistral-v7', 'phi3', 'zephyr'].map(
        (name): [string, string, string] => [`${name} of the program`, '--no-jinja', name],
      ),
    ])('%s: the tokens are those of the rendered text', (_, jinja, template) =>
      using([...TINY, jinja, '--chat-template', template], async ({ baseUrl }, server) => {
        const connection = connect(server);
        const { prompt, continuation } = SEVENTEEN[1] as (typeof SEVENTEEN)[number];
        const messages = [{ role: 'user', content: prompt }];
        const answer = (await connection.post('apply-template', { messages }, undefined)) as {
          prompt: string;
        };
        const chat = llamaServer({ baseUrl, chatTemplate: true });
        const byHand = llamaServer({ baseUrl, parseSpecial: true });
        const { endsInSpace } = await readTemplate(connection, undefined);
        const text = endsInSpace ? continuation.trimStart() : continuation;
        const [actual, expected] = [
          await chat.score([{ prompt, continuation }]),
          await byHand.score([{ prompt: answer.prompt, continuation: text }]),
        ];
        expectNear(actual.results, expected.results);
        expect(actual.usage.tokens).toBe(expected.usage.tokens);
        expect(await chat.identify()).toMatch(/:chat-[0-9a-f]{12}$/);
        // Only the template's own control tokens are read as such.
        const hostile = { prompt: prompt.replace('\n', '<|eos|><|bos|>\n'), continuation };
        const safe = await chat.score([hostile]);
        const plain = await tokenize(
          connection,
          [prompt, hostile.prompt],
          { parseSpecial: false, maxConcurrency: 1 },
          undefined,
        );
        const [before, after] = [prompt, hostile.prompt].map(
          (each) => plain.lists.get(each)?.length as number,
        );
        expect((safe.usage.tokens as number) - (actual.usage.tokens as number)).toBe(
          (after as number) - (before as number),
        );
      }),
    );
  });

  test('a prompt that is too long for a slot fails, and the others are answered', () =>
    using([...TINY, '-np', '2', '-c', '512'], async (options) => {
      const long = { prompt: 'They told me. '.repeat(200), continuation: ' Paris' };
      const { results } = await llamaServer(options).score([...SEVENTEEN.slice(0, 3), long]);
      expectNear(results.slice(0, 3), (await oracle.score(SEVENTEEN.slice(0, 3))).results);
      expect(results[3]).toEqual({ failure: expect.stringMatching(/^The text has \d+ tokens, and a slot/) });
    }));

  test('a reranker scores each text by itself, and says where it stood', () => {
    const path = join(temporaryFolder(), 'reranker.gguf');
    writeFileSync(path, tinyReranker());
    return using(['--model', path, '--reranking'], async (_, server) => {
      const rank = async (documents: readonly string[]) => {
        const body = { query: 'Where is the river?', documents, top_n: documents.length };
        const answer = (await connect(server).post('v1/rerank', body, undefined)) as {
          results: { index: number; relevance_score: number }[];
        };
        return answer.results
          .toSorted((a, b) => a.index - b.index)
          .map(({ relevance_score }) => relevance_score);
      };
      const texts = ['The river is in Berlin.', 'My cat sleeps.', 'Paris is the capital.', 'My cat sleeps.'];
      const scores = await rank(texts);
      expect(scores).toHaveLength(4);
      expect(new Set(scores).size).toBe(3);
      expect(scores[3]).toBe(scores[1]);
      for (const [place, score] of (await rank(texts.toReversed())).toReversed().entries()) {
        expect(score).toBeCloseTo(scores[place] as number, 5);
      }
    });
  });
});
