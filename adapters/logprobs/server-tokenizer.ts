/**
 * The tokenizer of a server: `POST /tokenize` and `POST /detokenize`, as vLLM and SGLang have them. It also applies the
 * chat template of the model.
 */
import * as z from 'zod';
import type { Endpoint, JsonService } from '../json-service/index.js';
import { concurrently } from '../model-calls/index.js';
import { nameOfFrame, SAMPLE_MESSAGE, withoutControlTokens } from './chat-template.js';

/** One call of the port. */
export interface TokenizerCall {
  service: JsonService;
  signal: AbortSignal | undefined;
  /** The largest number of requests under way at once. */
  atOnce: number;
}

/** A chat template, rendered around the message of a user. */
export interface ServedTemplate {
  /** The text around the message. */
  text: string;
  /** A short name for the template. */
  digest: string;
  endsInSpace: boolean;
  /** The number of the first token. In most models it is the token that begins every text. */
  first: number | undefined;
}

const tokenized = z.object({ tokens: z.array(z.int().min(0)) });
/** vLLM names the text `prompt`, SGLang `text`. */
const decoded = z.union([
  z.object({ prompt: z.string() }).transform(({ prompt }) => prompt),
  z.object({ text: z.string() }).transform(({ text }) => text),
]);

export class ServerTokenizer {
  #frame: ServedTemplate | undefined;

  constructor(readonly model: string) {}

  /** The tokens of each text. Equal texts are tokenized once. */
  async texts(
    texts: readonly string[],
    addSpecialTokens: boolean,
    call: TokenizerCall,
  ): Promise<Map<string, readonly number[]>> {
    const distinct = [...new Set(texts)];
    const request = { add_special_tokens: addSpecialTokens };
    return this.#each(distinct, call, (prompt) => ({ ...request, prompt }));
  }

  /** The tokens of each text as the message of a user, in the chat template. */
  async chats(texts: readonly string[], call: TokenizerCall): Promise<Map<string, readonly number[]>> {
    const { text: frame } = await this.frame(call);
    // The tokenizers of these servers read control tokens in every text, and offer no way to turn that off.
    return this.#each([...new Set(texts)], call, (text) => chatOf(withoutControlTokens(text, frame)));
  }

  /**
   * The tokens of each pair of a prompt, as the message of a user, and the beginning of the answer. A space at the start
   * of the answer is left out if the template ends in white space.
   *
   * @returns for each request the tokens of prompt and answer, and the number of those of the prompt.
   */
  async dialogues(
    requests: readonly { prompt: string; continuation: string }[],
    call: TokenizerCall,
  ): Promise<{ ids: readonly number[]; start: number }[]> {
    const { endsInSpace, first } = await this.frame(call);
    const beginning = (text: string) => (endsInSpace && text.startsWith(' ') ? text.slice(1) : text);
    const answers = await this.texts(
      requests.map(({ continuation }) => beginning(continuation)),
      false,
      call,
    );
    const prompts = await this.chats(
      requests.map(({ prompt }) => prompt),
      call,
    );
    return requests.map(({ prompt, continuation }) => {
      const before = prompts.get(prompt) as readonly number[];
      const after = answers.get(beginning(continuation)) as readonly number[];
      // Some versions of SGLang ignore `add_special_tokens`.
      const isDoubled = after.length > 1 && after[0] === first;
      return { ids: [...before, ...(isDoubled ? after.slice(1) : after)], start: before.length };
    });
  }

  /**
   * The chat template.
   *
   * @param isAgain asks the server again, because it may have another model now.
   * @throws ContextShapingError `service`, if the server has no template.
   */
  async frame(call: TokenizerCall, isAgain = false): Promise<ServedTemplate> {
    if (this.#frame !== undefined && !isAgain) return this.#frame;
    const asked = await this.#each([SAMPLE_MESSAGE], call, chatOf);
    const tokens = asked.get(SAMPLE_MESSAGE) as readonly number[];
    const endpoint = endpointOf(call.service, 'detokenize');
    const answer = await this.#post('detokenize', { tokens, skip_special_tokens: false }, call);
    const text = endpoint.read(decoded, answer);
    const [before, after, ...more] = text.split(SAMPLE_MESSAGE);
    if (before === undefined || after === undefined || more.length > 0) {
      const remedy = 'Give the server another chat template, or leave out chatTemplate.';
      throw endpoint.malformed(text, 'shows a chat template that does not repeat the message once', {
        remedy,
      });
    }
    this.#frame = {
      text: before + after,
      digest: nameOfFrame({ before, after }),
      endsInSpace: /\s$/.test(after),
      first: tokens[0],
    };
    return this.#frame;
  }

  async #each(texts: readonly string[], call: TokenizerCall, requestFor: (text: string) => object) {
    const endpoint = endpointOf(call.service);
    const tokens = await concurrently(texts, call.atOnce, call.signal, async (text, signal) => {
      const answer = await this.#post('tokenize', requestFor(text), { ...call, signal });
      return endpoint.read(tokenized, answer).tokens;
    });
    return paired(texts, tokens);
  }

  #post(path: string, request: object, { service, signal }: TokenizerCall): Promise<unknown> {
    return service.post(path, { model: this.model, ...request }, signal);
  }
}

const paired = (texts: readonly string[], tokens: readonly (readonly number[])[]) =>
  new Map(texts.map((text, place) => [text, tokens[place] as readonly number[]]));

/** A request for the tokens of a chat. `enable_thinking` is the switch in the templates of thinking models. */
const chatOf = (content: string) => ({
  messages: [{ role: 'user', content }],
  add_generation_prompt: true,
  chat_template_kwargs: { enable_thinking: false },
});

const endpointOf = (service: JsonService, path = 'tokenize'): Endpoint =>
  service.endpoint('POST', path, 'Check that the address is that of vLLM or SGLang, in a recent version.');
