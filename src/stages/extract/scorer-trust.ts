/** Decides whether a scorer of sentences may change which sentences stay. */
import { type ResolvedOptions, SENTENCE_SHARE } from '../../input/options.js';
import { COEFFICIENTS } from '../../relevance/coefficients.js';
import { digestOf } from '../../report/digest.js';
import { plain } from '../../report/report.js';
import type { SentenceProfile } from '../../types.js';

/** The options `extract.scorer`. */
export type ScorerOptions = NonNullable<Exclude<ResolvedOptions['extract'], false>['scorer']>;

/** The share that counts: the explicit one, else that of the profile, else the default. */
export function shareOf({ share, profile }: Pick<ScorerOptions, 'share' | 'profile'>): number {
  const measured = profile?.settings.share;
  return share ?? (typeof measured === 'number' ? measured : SENTENCE_SHARE);
}

/** What is known of one run: it decides what a measurement must have been like. */
export interface Occasion {
  /** Whether the order of the list counts. */
  readonly ranked: boolean;
  /** Whether chunks and question are compared by vectors. */
  readonly hasVectors: boolean;
}

/** Returns everything besides the scorer on which its gain over relevance depends. A profile holds only for its settings. */
export function scorerSettingsOf(
  scorer: Pick<ScorerOptions, 'share' | 'profile' | 'maxCandidates'>,
  { relevance, embedder, ecs }: Pick<ResolvedOptions, 'relevance' | 'embedder' | 'ecs'>,
  { ranked, hasVectors }: Occasion,
): SentenceProfile['settings'] {
  return {
    share: shareOf(scorer),
    maxCandidates: scorer.maxCandidates,
    ranking: digestOf(JSON.stringify(plain({ relevance, embedder, ecs, learned: COEFFICIENTS }))),
    list: ranked ? 'ranked' : 'not ranked',
    vectors: hasVectors ? 'yes' : 'no',
  };
}

const REMEDY =
  'Run calibrateSentences and give its result as extract.scorer.profile, or set trust to "always".';

/**
 * Returns the reason why the scorer may not change which sentences stay, as a sentence, or undefined if it may.
 *
 * @param model the identity that the scorer reports. It is asked for only if there is a profile.
 */
export function scorerObjection(
  scorer: ScorerOptions,
  options: ResolvedOptions,
  occasion: Occasion,
  model: string | undefined,
): string | undefined {
  const { profile } = scorer;
  if (profile === undefined) return `The scorer has no profile. ${REMEDY}`;
  if (profile.model !== model)
    return `The profile is of another model: it names ${JSON.stringify(profile.model)}, but the model is ${JSON.stringify(model)}. ${REMEDY}`;
  const now = Object.entries(scorerSettingsOf(scorer, options, occasion));
  const [name, value] = now.find(([name, value]) => profile.settings[name] !== value) ?? [];
  if (name === 'ranking')
    return `The profile was measured with another value of relevance, embedder or ecs, or by another release. ${REMEDY}`;
  if (name === 'list')
    return `The profile was measured on lists that are ${profile.settings.list}, but this list is ${value}. ${REMEDY}`;
  if (name === 'vectors')
    return `The profile was measured ${value === 'yes' ? 'without' : 'with'} vectors of chunks and query. ${REMEDY}`;
  if (name !== undefined)
    return `The profile was measured with extract.scorer.${name} ${JSON.stringify(profile.settings[name])}, but the current value is ${JSON.stringify(value)}. ${REMEDY}`;
  return profile.wins
    ? undefined
    : 'The profile shows that this scorer does not rank sentences better than relevance.';
}
