/** May the model's verdict outrank relevance? */
import type { ResolvedOptions } from '../input/options.js';
import type { EcsMethod, EcsSettings } from '../types.js';
import { plainPrompt } from './prompt.js';

type EcsOptions = Exclude<ResolvedOptions['ecs'], false>;

/** How utility is measured, by what there is: with an answer there is no need to guess it. */
export function methodOf(
  { model, withoutAnswer }: Pick<EcsOptions, 'model' | 'withoutAnswer'>,
  answer: string | undefined,
): EcsMethod {
  if (model === undefined) return 'judge';
  return answer === undefined ? withoutAnswer : 'answer';
}

/** What utilities depend on besides the model: a verdict holds for these settings. */
export function settingsOf(options: EcsOptions): EcsSettings {
  const { share, lengthPenalty, rounds, maxAnswers, horizon, topLogprobs, maxPassageTokens } = options;
  const prompt = (options.prompt ?? plainPrompt)({ context: ['passage'], question: 'question' });
  return { share, lengthPenalty, rounds, maxAnswers, horizon, topLogprobs, maxPassageTokens, prompt };
}

const REMEDY = 'Run calibrate and give what it writes as ecs.profile, or set ecs.trust to "always".';

/** Why it may not, as a sentence; `undefined` if it may. */
export function objection(
  options: EcsOptions,
  method: EcsMethod,
  model: string | undefined,
): string | undefined {
  const { profile } = options;
  if (profile === undefined) return `There is no profile of the model. ${REMEDY}`;
  const verdict = Object.hasOwn(profile.methods, method) ? profile.methods[method] : undefined;
  if (verdict === undefined) return `The profile does not say how well the method ${method} does. ${REMEDY}`;
  if (verdict.model !== model)
    return `The profile is of another model: ${JSON.stringify(verdict.model)}, and this is ${JSON.stringify(model)}. ${REMEDY}`;
  const now = Object.entries(settingsOf(options)).find(([name, value]) => verdict.settings[name] !== value);
  if (now !== undefined)
    return `The profile was measured with ecs.${now[0]} ${JSON.stringify(verdict.settings[now[0]])}, and it is ${JSON.stringify(now[1])}. ${REMEDY}`;
  return verdict.wins
    ? undefined
    : `By its profile, the method ${method} does not rank better than relevance with this model.`;
}
