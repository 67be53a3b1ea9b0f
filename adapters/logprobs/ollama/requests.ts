/** Requests that make Ollama report which tokens may follow a prompt. */
import type { GeneratedText } from '../../../src/index.js';
import type { Generated } from './answers.js';
import type { GenerateBody } from './connection.js';
import type { Runner } from './runner.js';
import { type GeneratedPosition, isTold, scoredToken } from './score-by-steps.js';

/** Sends a prompt. The settings override those of {@link bodyFor}. */
export type Send = (prompt: string, settings: object) => Promise<Generated>;

/** The largest number of alternatives that Ollama reports. */
const TOP = 20;

/** Neutral values: the model's own settings would change which token is generated, or hide its alternatives. */
const NEUTRAL = {
  temperature: 0,
  top_k: 0,
  top_p: 1,
  min_p: 0,
  typical_p: 1,
  repeat_penalty: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop: [],
};

/**
 * Settings that make Ollama generate a token other than the most probable one. The reported probabilities stay the
 * same: Ollama computes them before it samples.
 */
const HOT = [1, 2, 3, 4, 5].map((seed) => ({ temperature: 8, seed }));

/**
 * The body for the tokens after a raw prompt. It has no `shift`: Ollama compares that field with the one of the last
 * request, and loads the model anew where it differs. `think: false` keeps Ollama from taking the generated text apart;
 * models that cannot think accept it.
 */
export function bodyFor(model: string, prompt: string, settings: object, runner: Runner): GenerateBody {
  return {
    ...commonBody(model, prompt, { ...NEUTRAL, ...settings }, runner),
    raw: true,
    truncate: false,
    logprobs: true,
    top_logprobs: TOP,
  };
}

/** The body for the rendered template of a message. An Ollama that ignores the field generates one token. */
export const renderBody = (model: string, message: string, runner: Runner): GenerateBody => ({
  ...commonBody(model, message, { num_predict: 1 }, runner),
  _debug_render_only: true,
});

function commonBody(model: string, prompt: string, settings: object, { keep_alive, ...options }: Runner) {
  return {
    model,
    prompt,
    stream: false,
    think: false,
    ...(keep_alive === undefined ? {} : { keep_alive }),
    options: { ...options, ...settings },
  } as const;
}

/**
 * The token positions that follow a prompt, between one and `count`; none, if Ollama reports none.
 *
 * Ollama leaves out tokens that end the text or are parts of characters. The positions of the other tokens are then
 * known only if one token was requested. If Ollama leaves out that token too, this tries another one.
 *
 * A token that a draft model proposed has the logarithm 0 and no alternatives. This asks for
 * it alone. The result may have such a position only if it is so even alone.
 */
export async function positionsAfter(
  prompt: string,
  count: number,
  send: Send,
): Promise<readonly GeneratedPosition[]> {
  const { positions, isWhole } = await send(prompt, { num_predict: count });
  if (positions.length > 0 && count === 1) return positions.slice(0, 1);
  const untold = positions.findIndex((position) => !isTold(position));
  const told = positions.slice(0, untold === -1 ? count : Math.min(untold, count));
  if (told.length > 0 && isWhole) return told;
  for (const settings of positions.length > 0 ? [{}, ...HOT] : HOT) {
    const alone = await send(prompt, { ...settings, num_predict: 1 });
    if (alone.positions.length > 0) return alone.positions.slice(0, 1);
  }
  return [];
}

/**
 * A text and its tokens, up to the first token that Ollama left out. Tokens that a draft model proposed are asked for
 * alone, and the tokens end before one whose probability is not reported even then.
 */
export async function generatedText(
  prompt: string,
  { text, positions }: Generated,
  topLogprobs: number,
  send: Send,
): Promise<GeneratedText> {
  const tokens = [];
  let read = '';
  for (const position of positions) {
    const { taken } = position;
    if (!text.startsWith(read + taken.text)) break;
    const told = isTold(position)
      ? position
      : (await send(prompt + read, { num_predict: 1 })).positions.filter(isTold)[0];
    const token = told && [told.taken, ...told.top].find((each) => each.text === taken.text);
    if (told === undefined || token === undefined) break;
    tokens.push(scoredToken(token, told.top, topLogprobs));
    read += taken.text;
  }
  return { text, tokens };
}
