/** Calls a completions server in the dialect that it accepts. */
import type { ContextShapingError } from '../../../src/index.js';
import { type Endpoint, type JsonService, refusalOf, unknownModel } from '../../json-service/index.js';
import type { UsageCounter } from '../../model-calls/index.js';
import type { EchoedPosition } from './alignment.js';
import {
  areNumbers,
  type Choice,
  readCompletion,
  readEchoed,
  readModels,
  readPromptLogprobs,
  readTokens,
} from './answers.js';
import { Dialect, requestFor } from './dialect.js';

const COMPLETIONS = 'v1/completions';

/** One call of the port. */
export interface CallContext {
  service: JsonService;
  usage: UsageCounter;
  signal: AbortSignal;
  topLogprobs: number;
}

/** An endpoint of the server; by default the one for completions. */
export const endpointOf = (service: JsonService, method = 'POST', path = COMPLETIONS): Endpoint =>
  service.endpoint(method, path, "Check that the address is that of a server with OpenAI's API.");

/** The tokens of a prompt, and how many generated tokens follow them. */
export interface Echo {
  positions: readonly EchoedPosition[];
  generated: number;
}

export class CompletionsServer {
  /** The server has scored a prompt. From then on requests need not wait for the findings of the first one. */
  isKnown = false;
  readonly #dialect: Dialect;
  #tokenizes = true;

  constructor(
    readonly model: string,
    maxTopLogprobs: number,
  ) {
    this.#dialect = new Dialect(maxTopLogprobs);
  }

  /**
   * The tokens of each prompt.
   *
   * @throws ContextShapingError `service`, also if the server cannot score a prompt.
   */
  async echo(prompts: readonly string[], call: CallContext): Promise<Echo[]> {
    const endpoint = endpointOf(call.service);
    // The loop ends: each difference is learned at most once.
    for (;;) {
      const asked = this.#dialect.form(call.topLogprobs);
      const byEcho = asked.way === 'echo';
      let choices: Choice[];
      try {
        choices = await this.#complete(prompts, { temperature: 0, ...requestFor(asked) }, call);
      } catch (error) {
        this.#dialect.refused(asked, error, endpoint);
        continue;
      }
      const read = byEcho ? readEchoed : readPromptLogprobs;
      const echoed = choices.map((choice, index) => read(choice, prompts[index] as string, endpoint));
      const reported = echoed.filter((positions) => positions !== undefined);
      if (reported.length < echoed.length) this.#dialect.ignored(asked, choices[0]?.logprobs, endpoint);
      else if (reported.every(areNumbers)) this.#dialect.numbered(asked, endpoint);
      else {
        this.isKnown = true;
        return reported.map((positions) => ({ positions, generated: byEcho ? asked.maxTokens : 0 }));
      }
    }
  }

  /** The text that the model generates after each prompt. */
  async generate(
    prompts: readonly string[],
    request: { max_tokens: number; stop: readonly string[] },
    call: CallContext,
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

  /** The tokens of a text; nothing, if the server has no endpoint for them. */
  async tokenize(prompt: string, { service, signal }: CallContext): Promise<number[] | undefined> {
    if (!this.#tokenizes) return undefined;
    try {
      const request = { model: this.model, prompt, add_special_tokens: true };
      const answer = await service.post('tokenize', request, signal);
      return readTokens(answer, endpointOf(service, 'POST', 'tokenize'));
    } catch (error) {
      if ((refusalOf(error)?.status ?? 500) >= 500) throw error;
      this.#tokenizes = false;
      return undefined;
    }
  }

  /** The models of the server, each with the name of its weights if the server reports it. */
  async models(service: JsonService, signal: AbortSignal | undefined) {
    const answer = await service.get('v1/models', signal);
    return readModels(answer, endpointOf(service, 'GET', 'v1/models'));
  }

  async #complete(prompts: readonly string[], request: object, call: CallContext): Promise<Choice[]> {
    const { service, usage, signal } = call;
    const body = { model: this.model, prompt: prompts, ...request };
    let answer: unknown;
    try {
      answer = await service.post(COMPLETIONS, body, signal);
    } catch (error) {
      const refusal = refusalOf(error);
      const isName = refusal?.status === 404 && /model/i.test(refusal.message);
      if (!isName) throw error;
      throw modelNotKnown(this.model, 'Give one of the names that GET /v1/models lists.', error);
    }
    const { choices, ...cost } = readCompletion(answer, prompts.length, endpointOf(service));
    usage.add(cost);
    return choices;
  }
}

export const modelNotKnown = (model: string, remedy: string, cause?: unknown): ContextShapingError =>
  unknownModel(model, 'the server', remedy, cause);
