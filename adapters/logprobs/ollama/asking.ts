/** What is asked of an Ollama so that it tells which tokens may follow a prompt. */
import type { GeneratedText } from '../../../src/index.js';
import type { Generated } from './answers.js';
import { type GeneratedPlace, scoredToken } from './steps.js';
import type { GenerateBody } from './wire.js';

/** Sends a prompt, with settings over those of {@link bodyFor}. */
export type Send = (prompt: string, settings: object) => Promise<Generated>;

/** The most alternatives that Ollama tells. */
const TOP = 20;

/** Settings of the model itself would change which token comes, or hide what is told of it. */
const PLAIN = {
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

/** Other tokens than the most probable one, which change nothing of what is told: that is from before. */
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
    options: { ...PLAIN, ...settings },
  };
}

/**
 * The places that follow a prompt, at least one and at most so many; none, if Ollama does not tell.
 *
 * It leaves out tokens that end the text or are parts of characters. Which place the others belong to is then
 * known only if one was asked for; and if that one is left out itself, another is tried.
 */
export async function placesAfter(
  prompt: string,
  count: number,
  send: Send,
): Promise<readonly GeneratedPlace[]> {
  const { places, isWhole } = await send(prompt, { num_predict: count });
  if (places.length > 0 && (isWhole || count === 1)) return places.slice(0, count);
  for (const settings of places.length > 0 ? [{}, ...HOT] : HOT) {
    const alone = await send(prompt, { ...settings, num_predict: 1 });
    if (alone.places.length > 0) return alone.places.slice(0, 1);
  }
  return [];
}

/** A text and its tokens, up to the first that Ollama left out. */
export function generatedText({ text, places }: Generated, topLogprobs: number): GeneratedText {
  const tokens = [];
  let read = '';
  for (const { taken, top } of places) {
    read += taken.text;
    if (!text.startsWith(read)) break;
    tokens.push(scoredToken(taken, top, topLogprobs));
  }
  return { text, tokens };
}
