/** Decides whether the model's utilities may outrank relevance. */
import { ECS_REACH, type ResolvedOptions } from '../input/options.js';
import { COEFFICIENTS } from '../relevance/coefficients.js';
import { digestOf } from '../report/digest.js';
import type { EcsMethod, EcsProfile, EcsSettings } from '../types.js';
import { judgePrompt } from './judgement.js';
import { plainPrompt, questionPrompt } from './prompt.js';

type EcsOptions = Exclude<ResolvedOptions['ecs'], false>;

/** The options on which the relevance that a model must beat depends. */
export type Surroundings = Pick<ResolvedOptions, 'embedder' | 'relevance' | 'tokenizer'>;

/** The conditions of one run. A measurement must have been made under the same ones. */
export interface Occasion {
  readonly method: EcsMethod;
  /** Whether the order of the list counts. */
  readonly ranked: boolean;
  /** Whether the question and the passages have vectors of the caller's own. */
  readonly hasVectors: boolean;
  /** Whether the answer is known. */
  readonly hasAnswer: boolean;
}

/** Returns the method that measures utility. A model that cannot score given texts judges. */
export function methodOf(
  { model, withoutAnswer }: Pick<EcsOptions, 'model' | 'withoutAnswer'>,
  answer: string | undefined,
): EcsMethod {
  if (model === undefined || model.scoresGivenText === false) return 'judge';
  return answer === undefined ? withoutAnswer : 'answer';
}

const verdictOf = (profile: EcsProfile | undefined, method: EcsMethod) =>
  profile !== undefined && Object.hasOwn(profile.methods, method) ? profile.methods[method] : undefined;

/** Returns the weight of utility and the number of candidates: of the options, else of the profile, else the defaults. */
export function reachOf(
  { share, maxCandidates, profile }: EcsOptions,
  method: EcsMethod,
): { share: number; maxCandidates: number } {
  const verdict = verdictOf(profile, method);
  return {
    share: share ?? verdict?.share ?? (method === 'question' ? ECS_REACH.shareOfQuestion : ECS_REACH.share),
    maxCandidates: maxCandidates ?? verdict?.maxCandidates ?? ECS_REACH.maxCandidates,
  };
}

/**
 * Returns everything but the model on which a measurement depends. A verdict of a profile holds only for its settings. It cannot
 * tell embedders without names apart. The same is true of functions that count tokens.
 */
export function settingsOf(options: EcsOptions, surroundings: Surroundings, occasion: Occasion): EcsSettings {
  const { lengthPenalty, rounds, maxPassageTokens, judging } = options;
  const { method, hasAnswer } = occasion;
  const isJudged = method === 'judge';
  const about = judging === 'factuality' ? { about: judging } : {};
  const asked = { question: 'question', passage: 'passage', ...(hasAnswer ? { answer: 'answer' } : about) };
  return {
    'ecs.lengthPenalty': lengthPenalty,
    'ecs.rounds': rounds,
    'ecs.maxPassageTokens': maxPassageTokens,
    'ecs.prompt': (options.prompt ?? plainPrompt)({ context: ['passage'], question: 'question' }),
    ...(method === 'question' ? { 'the prompt before the question': questionPrompt('passage') } : {}),
    ...(isJudged
      ? {
          'ecs.judging': judging,
          'the judge’s prompt': options.judge === undefined ? judgePrompt(asked) : 'that of ecs.judge',
          'the answer': hasAnswer ? 'told to the judge' : 'not told to the judge',
        }
      : {}),
    ...surroundingsOf(surroundings, occasion),
  };
}

/** Names and values, in words for messages. */
function surroundingsOf(
  { embedder, relevance, tokenizer }: Surroundings,
  { ranked, hasVectors }: Occasion,
): Record<string, string> {
  const weights = relevance === false ? undefined : Object.entries(relevance.weights).sort();
  return {
    'relevance.weights': weights === undefined ? 'no relevance' : JSON.stringify(Object.fromEntries(weights)),
    'the learned weights': digestOf(JSON.stringify(COEFFICIENTS)).slice(0, 12),
    embedder:
      embedder !== undefined
        ? `${embedder.provider ?? 'unnamed'}/${embedder.modelId ?? 'unnamed'}`
        : hasVectors
          ? 'none, but vectors of chunks and query'
          : 'none',
    tokenizer: typeof tokenizer === 'function' ? 'a function' : tokenizer,
    'the list': ranked ? 'ranked' : 'not ranked',
  };
}

const REMEDY =
  'Run context-shaping-devtools evaluate --fit and give its ecs.profile, or set ecs.trust to "always".';

/** Remedies for differences that fitting again does not remove. */
const REMEDIES: Readonly<Record<string, string>> = {
  'the list': 'Fit with lists of the same kind, ranked or not: the option ranked says so.',
  'the answer': 'Run fitModels with judgeKnowsAnswer as in use, or set ecs.trust to "always".',
};

/**
 * Returns the reason why utility may not outrank relevance, as a sentence, or undefined if it may.
 *
 * @param model the identity that the model reports.
 */
export function objection(
  options: EcsOptions,
  surroundings: Surroundings,
  occasion: Occasion,
  model: string | undefined,
): string | undefined {
  const { profile } = options;
  const { method } = occasion;
  if (profile === undefined) return `The model has no profile. ${REMEDY}`;
  if (profile.version === 1) return `The profile was measured by an older release. ${REMEDY}`;
  const verdict = verdictOf(profile, method);
  if (verdict === undefined) return `The profile has no measurement of the method ${method}. ${REMEDY}`;
  if (verdict.model !== model)
    return `The profile is of another model: it names ${JSON.stringify(verdict.model)}, but the model is ${JSON.stringify(model)}. ${REMEDY}`;
  const measured: EcsSettings = {
    ...verdict.settings,
    'ecs.share': verdict.share ?? 'absent',
    'ecs.maxCandidates': verdict.maxCandidates ?? 'absent',
  };
  const { share, maxCandidates } = reachOf(options, method);
  const now = {
    ...settingsOf(options, surroundings, occasion),
    'ecs.share': share,
    'ecs.maxCandidates': maxCandidates,
  };
  const different = Object.entries(now).find(([name, value]) => measured[name] !== value);
  if (different !== undefined) {
    const [name, value] = different;
    return `The profile was measured with ${name} ${JSON.stringify(measured[name])}, but the current value is ${JSON.stringify(value)}. ${REMEDIES[name] ?? REMEDY}`;
  }
  return verdict.wins
    ? undefined
    : `The profile shows no sure gain: the method ${method} does not rank better than relevance with this model.`;
}
