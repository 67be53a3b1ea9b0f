/** Reads recorded answers of a real llama-server. Each is understood, or gives a clear error. */
import { readdirSync, readFileSync } from 'node:fs';
import { ContextShapingError, type GeneratedText, type LogprobModel, type ScoredText } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { llamaServer } from '../../../../adapters/logprobs/llama-server/llama-server.js';
import { tinyModel } from '../../../adapters/logprobs/items.js';
import { type Asked, jsonServer, type Reply } from '../../../adapters/logprobs/servers/json-server.js';
import { tokenise } from '../../../adapters/logprobs/servers/llama-server.js';
import { goOn } from '../../../adapters/logprobs/servers/llama-slot.js';
import { ggufModel } from '../../../gguf/gguf-model.js';
import { Llama } from '../../../gguf/llama.js';

const FOLDER = process.env.CONTEXT_SHAPING_RECORDINGS;
const withRecordings = describe.skipIf(FOLDER === undefined);

// biome-ignore lint/suspicious/noExplicitAny: the recordings have many forms
type Json = any;
const read = (name: string): Json => JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8'));

/** All files, and how the tests use them. */
const FILES: Record<
  string,
  'scored' | 'generated' | 'refused' | 'named' | 'tokens' | 'template' | 'inputs' | 'not asked for'
> = {
  _inputs: 'inputs',
  apply_template: 'template',
  completion_1tok_nprobs20: 'scored',
  completion_1tok_tokenids: 'scored',
  completion_batch_prefixes: 'generated',
  completion_batch_token_grammar: 'scored',
  completion_grammar_token_ids: 'scored',
  completion_grammar_utf8_missing_probs: 'scored',
  completion_logit_bias_forced: 'scored',
  completion_n_predict_0: 'scored',
  completion_nprobs_vocab: 'scored',
  completion_partial_utf8_no_probs: 'refused',
  completion_post_sampling: 'refused',
  // Without the index, which the adapter always requests.
  completion_response_fields: 'refused',
  // Events, which the adapter never requests.
  completion_stream: 'refused',
  completion_trajectory_T8: 'generated',
  completion_trajectory_T8_ignore_eos: 'generated',
  detokenize: 'not asked for',
  error_bad_grammar: 'scored',
  error_bad_json: 'refused',
  error_ctx_overflow: 'scored',
  error_token_grammar_partial_utf8: 'scored',
  health: 'not asked for',
  models: 'named',
  // An imitation of another service.
  ollama_shim_error_top21: 'not asked for',
  ollama_shim_generate_step1: 'not asked for',
  ollama_shim_generate_step_eos_no_logprobs: 'not asked for',
  ollama_shim_generate_trajectory8: 'not asked for',
  props: 'named',
  tokenize: 'tokens',
  tokenize_answer: 'tokens',
  // Without the texts of the tokens, which the adapter always requests.
  tokenize_full: 'tokens',
  // Chats have a template, and requests for completions of this form cannot force tokens.
  v1_chat_grammar: 'not asked for',
  v1_chat_json_schema_const: 'not asked for',
  v1_chat_logprobs: 'not asked for',
  v1_chat_logprobs_top50: 'not asked for',
  v1_chat_prefill: 'not asked for',
  v1_chat_stream: 'not asked for',
  v1_chat_top_without_logprobs_error: 'not asked for',
  v1_completions_batch: 'not asked for',
  v1_completions_echo_ignored: 'not asked for',
  v1_completions_grammar: 'not asked for',
  v1_completions_logprobs: 'not asked for',
  v1_completions_max0: 'not asked for',
  v1_completions_prompt_logprobs_ignored: 'not asked for',
};
const filesThat = (become: string) => Object.keys(FILES).filter((name) => FILES[name] === become);

const llama = Llama.parse(tinyModel());

const asReply = ({ status, response }: Json): Reply =>
  typeof response === 'string' ? { status, text: response } : { status, json: response };

/** Replays a recorded completion. The tokens are those of the same model. */
async function replaying<T>(
  answer: (body: Asked['body']) => Reply,
  use: (model: LogprobModel, asked: () => readonly Asked[]) => Promise<T>,
  maxRetries = 0,
): Promise<T> {
  const server = await jsonServer(({ path, body }) =>
    path === '/tokenize' ? tokenise(llama, body) : answer(body),
  );
  try {
    const completions = () => server.asked.filter(({ path }) => path === '/completion');
    return await use(llamaServer({ baseUrl: server.address, maxRetries }), completions);
  } finally {
    await server.close();
  }
}

/** A text with these tokens. */
const textOf = (ids: readonly number[]) => llama.tokenizer.decode(ids.slice(1));

const PARIS = () => read('_inputs').prompt as string;

/** The server's answer to requests that were not recorded. */
const live = (body: Asked['body']): Reply => ({
  json: { index: 0, ...goOn(llama, body.prompt[0], body, {}), timings: { cache_n: 0, prompt_n: 1 } },
});

async function errorOf(promise: Promise<unknown>): Promise<ContextShapingError> {
  const error = await promise.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  if (!ContextShapingError.isInstance(error)) return expect.unreachable(String(error));
  return error;
}

withRecordings('recorded answers', () => {
  test('none is forgotten', () => {
    const there = readdirSync(FOLDER as string).map((name) => name.replace('.json', ''));
    expect(there.toSorted()).toEqual(Object.keys(FILES).toSorted());
  });

  test.each([
    ['completion_1tok_nprobs20', ' Paris'],
    ['completion_1tok_tokenids', ' Paris'],
    ['completion_n_predict_0', ' Paris'],
    ['completion_nprobs_vocab', ' Paris'],
    ['completion_grammar_token_ids', ' Paris City'],
  ])('%s is a score', async (name, continuation) => {
    const recorded = read(name);
    const [first, ...rest] = recorded.response.completion_probabilities;
    const listed = Math.min(3, first.top_logprobs.length);
    await replaying(
      () => asReply(recorded),
      async (model) => {
        const { results, usage } = await model.score([{ prompt: PARIS(), continuation }], { topLogprobs: 3 });
        const [result] = results as [ScoredText];
        expect(result.exact).toBe(true);
        // The recording also has tokens after the end of the text.
        const told = continuation === ' Paris' ? [first] : [first, rest[0]];
        expect(result.tokens).toMatchObject(
          told.map(({ id, token, logprob }: Json) => ({ id, text: token, logprob })),
        );
        expect(result.logprob).toBe(told.reduce((sum: number, { logprob }: Json) => sum + logprob, 0));
        expect(result.tokens[0]?.top).toEqual(
          first.top_logprobs
            .slice(0, listed)
            .map(({ id, token, logprob }: Json) => ({ id, text: token, logprob })),
        );
        const { cache_n, prompt_n } = recorded.response.timings;
        expect(usage).toEqual({
          requests: 3,
          tokens: cache_n + prompt_n + told.length,
          cachedTokens: cache_n,
        });
      },
    );
  });

  test('completion_batch_token_grammar are nine scores, and were asked for as they are now', async () => {
    const { request, response, status } = read('completion_batch_token_grammar');
    const prompts: number[][] = request.body.prompt;
    const continuation = textOf([0, 524, 534]);
    const requests = prompts.map((prompt) => ({ prompt: textOf(prompt), continuation }));
    await replaying(
      () => ({ status, json: response.toReversed() }),
      async (model, asked) => {
        const { results, usage } = await model.score(requests, { topLogprobs: 20 });
        const { prompt, grammar, n_probs, temperature, cache_prompt } = asked()[0]?.body ?? {};
        expect({ prompt, grammar, n_probs, temperature, cache_prompt }).toEqual({
          prompt: prompts,
          grammar: request.body.grammar,
          n_probs: 20,
          temperature: 0,
          cache_prompt: true,
        });
        for (const [place, result] of (results as ScoredText[]).entries()) {
          const told = response[place].completion_probabilities.slice(0, 2);
          expect(result.tokens.map(({ logprob }) => logprob)).toEqual(told.map((each: Json) => each.logprob));
          expect(result.tokens.every(({ top }) => top?.length === 20)).toBe(true);
        }
        const { tokens, cachedTokens } = usage;
        expect(tokens).toBe(prompts.reduce((sum, { length }) => sum + length + 2, 0));
        expect(cachedTokens).toBe(
          response.reduce((sum: number, { timings }: Json) => sum + timings.cache_n, 0),
        );
        const expected = await ggufModel(tinyModel()).score(requests);
        for (const [place, result] of (expected.results as ScoredText[]).entries()) {
          // The server's memory of prefixes has 16 bits.
          expect(Math.abs(result.logprob - (results[place] as ScoredText).logprob)).toBeLessThan(1e-2);
        }
      },
    );
  });

  test('completion_grammar_utf8_missing_probs does not have all tokens: they are asked for one by one', async () => {
    const recorded = read('completion_grammar_utf8_missing_probs');
    const { tokens, completion_probabilities } = recorded.response;
    expect(completion_probabilities.length).toBeLessThan(tokens.length);
    await replaying(
      (body) => (body.grammar ? asReply(recorded) : live(body)),
      async (model, asked) => {
        const request = { prompt: PARIS(), continuation: ' Paris City' };
        const [result] = (await model.score([request])).results as [ScoredText];
        const [truth] = (await ggufModel(tinyModel()).score([request])).results as [ScoredText];
        expect(result.logprob).toBeCloseTo(truth.logprob, 4);
        expect(asked().map(({ body }) => body.n_predict)).toEqual([2, 1, 1]);
      },
    );
    // The reported tokens have the same probabilities as in single requests.
    await replaying(live, async (model) => {
      const request = { prompt: PARIS(), continuation: ' Zürich 🙂' };
      const [result] = (await model.score([request])).results as [ScoredText];
      expect(result.tokens.map(({ id }) => id)).toEqual(tokens.slice(0, -1));
      let from = 0;
      for (const { id, logprob } of completion_probabilities.slice(0, -1)) {
        const at = tokens.indexOf(id, from);
        from = at + 1;
        expect(Math.abs((result.tokens[at]?.logprob as number) - logprob)).toBeLessThan(2e-2);
      }
    });
  });

  test('error_bad_grammar is an old server: it is asked as for completion_logit_bias_forced', async () => {
    const [refused, forced] = [read('error_bad_grammar'), read('completion_logit_bias_forced')];
    await replaying(
      (body) => asReply(body.grammar ? refused : forced),
      async (model, asked) => {
        const request = { prompt: PARIS(), continuation: ' Paris' };
        for (let time = 0; time < 2; time++) {
          const { results } = await model.score([request]);
          const [{ logprob }] = forced.response.completion_probabilities;
          expect(results).toMatchObject([{ logprob, exact: true }]);
        }
        expect(asked().map(({ body }) => body.grammar)).toEqual(['root ::= <[264]>', undefined, undefined]);
        expect(asked()[1]?.body).toMatchObject({ logit_bias: forced.request.body.logit_bias, n_predict: 1 });
      },
    );
  });

  test('error_token_grammar_partial_utf8 is about these tokens alone, and is not tried again', async () => {
    const refused = read('error_token_grammar_partial_utf8');
    await replaying(
      (body) => (body.grammar ? asReply(refused) : live(body)),
      async (model, asked) => {
        const request = { prompt: PARIS(), continuation: ' Paris' };
        for (let time = 0; time < 2; time++) {
          expect((await model.score([request])).results).toMatchObject([{ exact: true }]);
        }
        expect(asked().map(({ body }) => body.grammar !== undefined)).toEqual([true, false, true, false]);
      },
      3,
    );
  });

  test('error_ctx_overflow is of one request', async () => {
    const recorded = read('error_ctx_overflow');
    const { n_ctx } = recorded.response.error;
    await replaying(
      (body) => (body.prompt.some((each: number[]) => each.length >= n_ctx) ? asReply(recorded) : live(body)),
      async (model) => {
        const fitting = { prompt: PARIS(), continuation: ' Paris' };
        const { results } = await model.score([{ ...fitting, prompt: PARIS().repeat(60) }, fitting]);
        expect(results).toMatchObject([
          { failure: expect.stringContaining(`a slot of the server holds ${n_ctx - 1}:`) },
          { exact: true },
        ]);
      },
    );
  });

  test.each([
    ['completion_trajectory_T8', 8, [264, 265]],
    ['completion_trajectory_T8_ignore_eos', 8, [264, 265, 13, 13, 338, 61, 341, 263]],
  ])('%s is what the model goes on with', async (name, maxTokens, ids) => {
    const recorded = read(name);
    await replaying(
      () => asReply(recorded),
      async (model, asked) => {
        const { results } = await model.generate([{ prompt: PARIS(), maxTokens }], { topLogprobs: 20 });
        const [{ text, tokens }] = results as [GeneratedText];
        expect(text).toBe(recorded.response.content);
        expect(tokens.map(({ id }) => id)).toEqual(ids);
        expect(tokens.map((each) => each.text).join('')).toBe(text);
        const told = recorded.response.completion_probabilities.slice(0, ids.length);
        expect(tokens.map(({ logprob }) => logprob)).toEqual(told.map((each: Json) => each.logprob));
        expect(tokens.every(({ top }) => top?.length === 20)).toBe(true);
        expect(asked()[0]?.body).toMatchObject({ n_predict: 8, n_probs: 20, samplers: ['temperature'] });
      },
    );
  });

  test('completion_batch_prefixes is the generated text after two prompts', async () => {
    const recorded = read('completion_batch_prefixes');
    await replaying(
      () => asReply(recorded),
      async (model, asked) => {
        const prompts = [PARIS(), `${PARIS()} Paris`];
        const { results } = await model.generate(prompts.map((prompt) => ({ prompt, maxTokens: 1 })));
        expect(results).toMatchObject([{ text: ' Paris' }, { text: ' City' }]);
        expect(asked()[0]?.body.prompt).toEqual(recorded.request.body.prompt);
      },
    );
  });

  test('props and models are a name', async () => {
    const server = await jsonServer(({ path }) => asReply(read(path === '/props' ? 'props' : 'models')));
    const model = llamaServer({ baseUrl: server.address });
    expect(await model.identify()).toBe('llama-server:qa_run1.gguf:689408:2757632:769:all F32');
    await server.close();
  });

  test.each(['tokenize', 'tokenize_answer', 'tokenize_full'])('%s are the tokens of the model', (name) => {
    const { request, response } = read(name);
    expect(tokenise(llama, request.body)).toEqual({ json: response });
  });

  test('apply_template is a template around a message', async () => {
    const { response, request } = read('apply_template');
    const [{ content }] = request.body.messages;
    const server = await jsonServer(({ path, body }) => {
      if (path === '/tokenize') return tokenise(llama, body);
      if (path === '/completion') return live(body);
      return { json: { prompt: response.prompt.replace(content, body.messages[0].content) } };
    });
    const model = llamaServer({ baseUrl: server.address, chatTemplate: true });
    await model.generate([{ prompt: content, maxTokens: 1 }]);
    const [{ body }] = server.asked.filter(({ path }) => path === '/completion') as [Asked];
    expect(textOf(body.prompt[0])).toBe(response.prompt);
    await server.close();
  });

  test('tokens without their texts are refused', async () => {
    const { response } = read('tokenize_full');
    const server = await jsonServer(({ body }) =>
      body.with_pieces ? { json: response } : tokenise(llama, body),
    );
    const model = llamaServer({ baseUrl: server.address });
    const error = await errorOf(model.score([{ prompt: 'A', continuation: ' b' }]));
    expect(error).toMatchObject({
      kind: 'service',
      field: `POST ${server.address}/tokenize`,
      value: 1,
      problem: 'answers with an unexpected value at “.tokens[0]”',
    });
    await server.close();
  });

  test.each([
    [
      'completion_partial_utf8_no_probs',
      'does not report the probability of the token 264, which the request forces',
      undefined,
    ],
    [
      'completion_post_sampling',
      'answers with an unexpected value at “[0].completion_probabilities[0].logprob”',
      undefined,
    ],
    ['completion_response_fields', 'answers with an unexpected value at “[0].index”', undefined],
    ['completion_stream', 'sends an answer that is not JSON', expect.stringMatching(/^data: /)],
    ['error_bad_json', 'refuses the request', "400 [json.exception.out_of_range.403] key 'prompt' not found"],
  ])('%s is an error', async (name, problem, value) => {
    const recorded = read(name);
    await replaying(
      () => asReply(recorded),
      async (model) => {
        const error = await errorOf(model.score([{ prompt: PARIS(), continuation: ' Paris' }]));
        expect(error).toMatchObject({ kind: 'service', problem, value });
        expect(error.field).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/completion$/);
      },
    );
  });

  test.each(filesThat('not asked for'))('%s is never taken for a completion', async (name) => {
    const recorded = read(name);
    await replaying(
      () => asReply(recorded),
      async (model) => {
        const scored = await errorOf(model.score([{ prompt: PARIS(), continuation: ' Paris' }]));
        const generated = await errorOf(model.generate([{ prompt: PARIS(), maxTokens: 2 }]));
        expect([scored.kind, generated.kind]).toEqual(['service', 'service']);
      },
    );
  });
});
