/** Requests that make Ollama report which tokens may follow a prompt. */
import type { GeneratedText } from '../../../src/index.js';
import type { Generated } from './answers.js';
import type { GenerateBody } from './connection.js';
import { type GeneratedPosition, scoredToken } from './score-by-steps.js';

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

export function bodyFor(model: string, prompt: string, settings: object): GenerateBody {
  return {
    model,
    prompt,
    raw: true,
    stream: false,
    truncate: false,
    shift: false,
    logprobs: true,
    top_logprobs: TOP,
    options: { ...NEUTRAL, ...settings },
  };
}

/**
 * The token positions that follow a prompt, between one and `count`; none, if Ollama reports none.
 *
 * Ollama leaves out tokens that end the text or are parts of characters. The positions of the other tokens are then
 * known only if one token was requested. If Ollama leaves out that token too, this tries another one.
 */
export async function positionsAfter(
  prompt: string,
  count: number,
  send: Send,
): Promise<readonly GeneratedPosition[]> {
  const { positions, isWhole } = await send(prompt, { num_predict: count });
  if (positions.length > 0 && (isWhole || count === 1)) return positions.slice(0, count);
  for (const settings of positions.length > 0 ? [{}, ...HOT] : HOT) {
    const alone = await send(prompt, { ...settings, num_predict: 1 });
    if (alone.positions.length > 0) return alone.positions.slice(0, 1);
  }
  return [];
}

/** A text and its tokens, up to the first token that Ollama left out. */
export function generatedText({ text, positions }: Generated, topLogprobs: number): GeneratedText {
  const tokens = [];
  let read = '';
  for (const { taken, top } of positions) {
    read += taken.text;
    if (!text.startsWith(read)) break;
    tokens.push(scoredToken(taken, top, topLogprobs));
  }
  return { text, tokens };
}
