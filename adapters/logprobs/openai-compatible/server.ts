/** Asks a server of completions, in whatever way it takes. */
import { ContextShapingError } from '../../../src/index.js';
import { checked, type Source } from '../checked.js';
import { type JsonService, refusalOf } from '../json-service.js';
import type { Place } from './alignment.js';
import { areNumbers, readCompletion, readEchoed, readPromptLogprobs } from './answers.js';
import type { Spending } from './batches.js';
import { Manners, requestFor } from './manners.js';
import { type Choice, models, tokenized } from './shapes.js';

const COMPLETIONS = 'v1/completions';

/** One call of the port, on its way through a server. */
export interface Errand {
  service: JsonService;
  spending: Spending;
  signal: AbortSignal;
  topLogprobs: number;
}

/** Where the answers of a service are from. */
export const sourceOf = (service: JsonService, method = 'POST', path = COMPLETIONS): Source => ({
  name: service.nameOf(method, path),
  remedy: 'Check that the address is that of a server with the API of OpenAI.',
});

/** Tokens of a prompt, and how many follow that were generated. */
export interface Echo {
  places: readonly Place[];
  generated: number;
}

export class CompletionsServer {
  /** It has scored a prompt: there is nothing more to learn by asking once before all others. */
  isKnown = false;
  readonly #manners: Manners;
  #tokenizes = true;

  constructor(
    readonly model: string,
    maxTopLogprobs: number,
  ) {
    this.#manners = new Manners(maxTopLogprobs);
  }

  /**
   * The tokens of each prompt.
   *
   * @throws ContextShapingError `service`, also if the server has no way to score a prompt.
   */
  async echo(prompts: readonly string[], errand: Errand): Promise<Echo[]> {
    const source = sourceOf(errand.service);
    // Ends: whatever is learned is asked for once.
    for (;;) {
      const asked = this.#manners.manner(errand.topLogprobs);
      const byEcho = asked.way === 'echo';
      let choices: Choice[];
      try {
        choices = await this.#complete(prompts, { temperature: 0, ...requestFor(asked) }, errand);
      } catch (error) {
        this.#manners.refused(asked, error, source.name);
        continue;
      }
      const read = byEcho ? readEchoed : readPromptLogprobs;
      const echoed = choices.map((choice, place) => read(choice, prompts[place] as string, source));
      const told = echoed.filter((places) => places !== undefined);
      if (told.length < echoed.length) this.#manners.ignored(asked, choices[0]?.logprobs, source.name);
      else if (told.every(areNumbers)) this.#manners.numbered(asked, source.name);
      else {
        this.isKnown = true;
        return told.map((places) => ({ places, generated: byEcho ? asked.maxTokens : 0 }));
      }
    }
  }

  /** What it goes on with after each prompt. */
  async generate(
    prompts: readonly string[],
    request: { max_tokens: number; stop: readonly string[] },
    errand: Errand,
  ): Promise<Choice[]> {
    for (;;) {
      const top = this.#manners.top(errand.topLogprobs);
      const greedy = this.#manners.greedy();
      try {
        return await this.#complete(prompts, { ...request, ...greedy, logprobs: Math.max(1, top) }, errand);
      } catch (error) {
        const learned = this.#manners.refusedTop(top, error) || this.#manners.refusedPenalty(greedy, error);
        if (!learned) throw error;
      }
    }
  }

  /** The tokens of a text; nothing, if the server has no way to ask for them. */
  async tokenize(prompt: string, { service, signal }: Errand): Promise<number[] | undefined> {
    if (!this.#tokenizes) return undefined;
    try {
      const request = { model: this.model, prompt, add_special_tokens: true };
      const answer = await service.post('tokenize', request, signal);
      return checked(tokenized, answer, sourceOf(service, 'POST', 'tokenize')).tokens;
    } catch (error) {
      if ((refusalOf(error)?.status ?? 500) >= 500) throw error;
      this.#tokenizes = false;
      return undefined;
    }
  }

  /** The models that there are, each with the name of its weights where that is told. */
  async models(service: JsonService, signal: AbortSignal | undefined) {
    const answer = await service.get('v1/models', signal);
    return checked(models, answer, sourceOf(service, 'GET', 'v1/models')).data;
  }

  async #complete(prompts: readonly string[], request: object, errand: Errand): Promise<Choice[]> {
    const { service, spending, signal } = errand;
    const body = { model: this.model, prompt: prompts, ...request };
    let answer: unknown;
    try {
      answer = await service.post(COMPLETIONS, body, signal);
    } catch (error) {
      const refusal = refusalOf(error);
      const isName = refusal?.status === 404 && /model/i.test(refusal.message);
      if (!isName) throw error;
      throw modelNotKnown(this.model, 'Name one of those that GET /v1/models lists.', error);
    }
    const { choices, ...cost } = readCompletion(answer, prompts.length, sourceOf(service));
    spending.add(cost);
    return choices;
  }
}

export function modelNotKnown(model: string, remedy: string, cause?: unknown): ContextShapingError {
  const is = 'is not known to the server';
  return new ContextShapingError('service', { field: 'model', value: model, is, remedy, cause });
}
