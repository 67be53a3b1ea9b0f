/** Calls a completions server in the dialect that it accepts. */
import type { ContextShapingError } from '../../../src/index.js';
import { type Endpoint, type JsonService, refusalOf, unknownModel } from '../../json-service/index.js';
import { ServerTokenizer } from '../server-tokenizer.js';
import type { ServiceCall } from '../service-call.js';
import {
  areNumbers,
  type Choice,
  type Echo,
  readCompletion,
  readEchoed,
  readModels,
  readPromptLogprobs,
} from './answers.js';
import { Dialect, requestFor } from './dialect.js';

const COMPLETIONS = 'v1/completions';

/** A prompt: its text, or the numbers of its tokens. */
export type Prompt = string | readonly number[];

/** An endpoint of the server; by default the one for completions. */
export const endpointOf = (service: JsonService, method = 'POST', path = COMPLETIONS): Endpoint =>
  service.endpoint(method, path, "Check that the address is that of a server with OpenAI's API.");

export class CompletionsServer {
  /** The server has scored a prompt. From then on requests need not wait for the findings of the first one. */
  isKnown = false;
  readonly tokenizer: ServerTokenizer;
  readonly #dialect: Dialect;
  #tokenizes: boolean | undefined;

  constructor(
    readonly model: string,
    maxTopLogprobs: number,
    readonly addSpecialTokens: boolean,
  ) {
    this.#dialect = new Dialect(maxTopLogprobs);
    this.tokenizer = new ServerTokenizer(model);
  }

  /**
   * The tokens of each prompt.
   *
   * @throws ContextShapingError `service`, also if the server cannot score a prompt.
   */
  async echo(prompts: readonly Prompt[], call: ServiceCall): Promise<Echo[]> {
    const endpoint = endpointOf(call.service);
    // The loop ends: each difference is learned at most once.
    for (;;) {
      const asked = this.#dialect.form(call.topLogprobs);
      const byEcho = asked.way === 'echo';
      let choices: Choice[];
      try {
        choices = await this.#complete(prompts, { temperature: 0, ...requestFor(asked) }, call, true);
      } catch (error) {
        this.#dialect.refused(asked, error, endpoint);
        continue;
      }
      const read = byEcho ? readEchoed : readPromptLogprobs;
      const echoed = choices.map((choice, index) =>
        read(choice, prompts[index] as Prompt, asked.maxTokens, endpoint),
      );
      const reported = echoed.filter((echo) => echo !== undefined);
      if (reported.length < echoed.length) this.#dialect.ignored(asked, choices[0]?.logprobs, endpoint);
      else if (reported.every(({ positions }) => areNumbers(positions)))
        this.#dialect.numbered(asked, endpoint);
      else {
        this.isKnown = true;
        return reported;
      }
    }
  }

  /** The text that the model generates after each prompt. */
  async generate(
    prompts: readonly Prompt[],
    request: { max_tokens: number; stop: readonly string[] },
    call: ServiceCall,
  ): Promise<Choice[]> {
    for (;;) {
      const top = this.#dialect.top(call.topLogprobs);
      const greedy = this.#dialect.greedy();
      try {
        return await this.#complete(prompts, { ...request, ...greedy, logprobs: Math.max(1, top) }, call);
      } catch (error) {
        const learned = this.#dialect.refusedTop(top, error) || this.#dialect.refusedPenalty(greedy, error);
        if (!learned) throw error;
      }
    }
  }

  /**
   * The tokens of each text, by the text. Equal texts are tokenized once.
   *
   * @returns nothing, if the server has no endpoint for it.
   */
  async tokenize(
    texts: readonly string[],
    call: ServiceCall,
  ): Promise<Map<string, readonly number[]> | undefined> {
    if (this.#tokenizes === false) return undefined;
    const [first, ...others] = [...new Set(texts)];
    const ask = (some: readonly string[]) => this.tokenizer.texts(some, this.addSpecialTokens, call);
    try {
      // Without the endpoint, one request fails instead of all.
      const known = await ask(first === undefined || this.#tokenizes ? [] : [first]);
      const rest = await ask(known.size === 0 && first !== undefined ? [first, ...others] : others);
      this.#tokenizes = true;
      return new Map([...known, ...rest]);
    } catch (error) {
      if (this.#tokenizes || (refusalOf(error)?.status ?? 500) >= 500) throw error;
      this.#tokenizes = false;
      return undefined;
    }
  }

  /** @param computesAll the request makes the server compute whole prompts, without its cache. */
  async #complete(
    prompts: readonly Prompt[],
    request: object,
    call: ServiceCall,
    computesAll = false,
  ): Promise<Choice[]> {
    const { service, usage, signal } = call;
    const special = this.addSpecialTokens ? {} : { add_special_tokens: false };
    const body = { model: this.model, prompt: prompts, ...special, ...request };
    let answer: unknown;
    try {
      answer = await service.post(COMPLETIONS, body, signal);
    } catch (error) {
      const refusal = refusalOf(error);
      const isName = refusal?.status === 404 && /model/i.test(refusal.message);
      if (!isName) throw error;
      throw modelNotKnown(this.model, 'Give one of the names that GET /v1/models lists.', error);
    }
    const { choices, ...cost } = readCompletion(answer, prompts.length, computesAll, endpointOf(service));
    usage.add(cost);
    return choices;
  }
}

const modelNotKnown = (model: string, remedy: string, cause?: unknown): ContextShapingError =>
  unknownModel(model, 'the server', remedy, cause);

/**
 * The name of a model on the server, and that of its weights if the server reports it.
 *
 * @throws ContextShapingError `service`, also if the server does not have the model.
 */
export async function identityAt(
  service: JsonService,
  model: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const answer = await service.get('v1/models', signal);
  const known = readModels(answer, endpointOf(service, 'GET', 'v1/models'));
  const found = known.find(({ id }) => id === model);
  if (found !== undefined) return [model, ...(found.root ? [found.root] : [])].join(':');
  throw modelNotKnown(model, `Give one of these names: ${known.map(({ id }) => id).join(', ')}.`);
}
