/** Decides whether the model's utilities may outrank relevance. */
import type { ResolvedOptions } from '../input/options.js';
import type { EcsMethod, EcsSettings } from '../types.js';
import { plainPrompt } from './prompt.js';

type EcsOptions = Exclude<ResolvedOptions['ecs'], false>;

/** Returns the method that measures utility. It depends on whether there is a model, and whether the answer is known. */
export function methodOf(
  { model, withoutAnswer }: Pick<EcsOptions, 'model' | 'withoutAnswer'>,
  answer: string | undefined,
): EcsMethod {
  if (model === undefined) return 'judge';
  return answer === undefined ? withoutAnswer : 'answer';
}

/** Returns the settings on which utilities depend besides the model. A verdict of a profile holds only for its settings. */
export function settingsOf(options: EcsOptions): EcsSettings {
  const { share, lengthPenalty, rounds, maxAnswers, horizon, topLogprobs, maxPassageTokens } = options;
  const prompt = (options.prompt ?? plainPrompt)({ context: ['passage'], question: 'question' });
  return { share, lengthPenalty, rounds, maxAnswers, horizon, topLogprobs, maxPassageTokens, prompt };
}

const REMEDY = 'Run calibrate and give its result as ecs.profile, or set ecs.trust to "always".';

/**
 * Returns the reason why utility may not outrank relevance, as a sentence, or undefined if it may.
 *
 * @param model the identity that the model reports.
 */
export function objection(
  options: EcsOptions,
  method: EcsMethod,
  model: string | undefined,
): string | undefined {
  const { profile } = options;
  if (profile === undefined) return `The model has no profile. ${REMEDY}`;
  const verdict = Object.hasOwn(profile.methods, method) ? profile.methods[method] : undefined;
  if (verdict === undefined) return `The profile has no measurement of the method ${method}. ${REMEDY}`;
  if (verdict.model !== model)
    return `The profile is of another model: it names ${JSON.stringify(verdict.model)}, but the model is ${JSON.stringify(model)}. ${REMEDY}`;
  const now = Object.entries(settingsOf(options)).find(([name, value]) => verdict.settings[name] !== value);
  if (now !== undefined)
    return `The profile was measured with ecs.${now[0]} ${JSON.stringify(verdict.settings[now[0]])}, but the current value is ${JSON.stringify(now[1])}. ${REMEDY}`;
  return verdict.wins
    ? undefined
    : `The profile shows that the method ${method} does not rank better than relevance with this model.`;
}
