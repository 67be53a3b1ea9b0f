/** The provider against a real llama-server with the small model. Needs the variable `LLAMA_SERVER`. */
import type { Failed, ScoredText } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LlamaServerOptions, llamaServer } from '../../../../adapters/logprobs/llama-server.js';
import { logprobModelContract } from '../../../adapters/logprobs/contract.js';
import { type Item, items, requestOf, TINY_MODEL, tinyModel } from '../../../adapters/logprobs/items.js';
import {
  REAL_LLAMA_SERVER,
  type RealServer,
  realLlamaServer,
} from '../../../adapters/logprobs/servers/real-llama-server.js';
import { ggufModel } from '../../../gguf/gguf-model.js';

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

const post = async ({ address }: RealServer, path: string, body: object) =>
  (await fetch(`${address}/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();

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

    test('a slot computes one token after the first request of a prompt', async () => {
      const model = llamaServer({ baseUrl: server.address });
      const { results, usage } = await model.score(SEVENTEEN);
      const expected = await oracle.score(SEVENTEEN);
      expectNear(results, expected.results);
      console.log('score, 17 prompts:', usage);
      const computed = (usage.tokens as number) - (usage.cachedTokens as number);
      expect(computed).toBeLessThan(1.1 * (expected.usage.tokens as number));
      const again = await model.score(SEVENTEEN);
      console.log('the same again:', again.usage);
      expect(again.usage.cachedTokens).toBeGreaterThan(usage.cachedTokens as number);
      const judged = await model.nextTokens(SEVENTEEN.map(({ prompt }) => prompt));
      console.log('one token with 20 alternatives, 17 prompts:', judged.usage);
      for (const result of judged.results) {
        expect(result).toHaveLength(20);
      }
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
        const { prompt, continuation } = SEVENTEEN[1] as (typeof SEVENTEEN)[number];
        const messages = [{ role: 'user', content: prompt }];
        const answer = (await post(server, 'apply-template', { messages })) as { prompt: string };
        const chat = llamaServer({ baseUrl, chatTemplate: true });
        const text = /\s$/.test(answer.prompt) ? continuation.trimStart() : continuation;
        const { results } = await chat.score([{ prompt, continuation }]);
        const body = { content: answer.prompt + text, add_special: true, parse_special: true };
        const { tokens } = (await post(server, 'tokenize', body)) as { tokens: number[] };
        const own = (results as ScoredText[]).flatMap((each) => each.tokens.map(({ id }) => id));
        expect(own).toEqual(tokens.slice(-own.length));
        expect(await chat.identify()).toMatch(/:chat$/);
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
});
