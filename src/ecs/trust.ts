/** May the model's verdict outrank relevance? */
import type { ResolvedOptions } from '../options.js';
import type { EcsMethod } from '../types.js';

type EcsOptions = Exclude<ResolvedOptions['ecs'], false>;

/** How utility is measured, by what there is: with an answer there is no need to guess it. */
export function methodOf(
  { model, withoutAnswer }: Pick<EcsOptions, 'model' | 'withoutAnswer'>,
  answer: string | undefined,
): EcsMethod {
  if (model === undefined) return 'judge';
  return answer === undefined ? withoutAnswer : 'answer';
}

const REMEDY =
  'Run "context-shaping calibrate" and give what it writes as ecs.profile, or set ecs.trust to "always".';

/** Why it may not, as a sentence; `undefined` if it may. */
export function objection(
  profile: EcsOptions['profile'],
  method: EcsMethod,
  model: string,
): string | undefined {
  if (profile === undefined) return `There is no profile of the model. ${REMEDY}`;
  if (profile.model !== model)
    return `The profile is of another model: ${JSON.stringify(profile.model)}, and this is ${JSON.stringify(model)}. ${REMEDY}`;
  const verdict = profile.methods[method];
  if (verdict === undefined)
    return `The profile does not say how well the method ${method} does with this model. ${REMEDY}`;
  return verdict.wins
    ? undefined
    : `By its profile, the method ${method} does not rank better than relevance with this model.`;
}
