/** Decides whether a scorer of sentences may change which sentences stay. */
import { type Conditions, type Surroundings, surroundingsOf } from '../../ecs/surroundings.js';
import { type ResolvedOptions, SENTENCE_SHARE } from '../../input/options.js';
import type { SentenceProfile } from '../../types.js';

/** The options `extract.scorer`. */
export type ScorerOptions = NonNullable<Exclude<ResolvedOptions['extract'], false>['scorer']>;

/** The share that counts: the explicit one, else that of the profile, else the default. */
export function shareOf({ share, profile }: Pick<ScorerOptions, 'share' | 'profile'>): number {
  const measured = profile?.settings.share;
  return share ?? (typeof measured === 'number' ? measured : SENTENCE_SHARE);
}

/** Returns everything besides the scorer on which its gain over relevance depends. A profile holds only for its settings. */
export function scorerSettingsOf(
  scorer: Pick<ScorerOptions, 'share' | 'profile' | 'maxCandidates'>,
  options: Surroundings & Pick<ResolvedOptions, 'ecs'>,
  conditions: Conditions,
): SentenceProfile['settings'] {
  return {
    share: shareOf(scorer),
    'extract.scorer.maxCandidates': scorer.maxCandidates,
    ...surroundingsOf(options, conditions),
    // Utility changes the relevance of chunks, which sentences inherit.
    ecs: options.ecs === false ? 'off' : 'on',
  };
}

const REMEDY =
  'Run context-shaping-devtools evaluate --fit and give its extract.scorer.profile, or set extract.scorer.trust to "always".';

/**
 * Returns the reason why the scorer may not change which sentences stay, as a sentence, or undefined if it may.
 *
 * @param model the identity that the scorer reports. It is asked for only if there is a profile.
 */
export function scorerObjection(
  scorer: ScorerOptions,
  options: ResolvedOptions,
  conditions: Conditions,
  model: string | undefined,
): string | undefined {
  const { profile } = scorer;
  if (profile === undefined) return `The scorer has no profile. ${REMEDY}`;
  if (profile.model !== model)
    return `The profile is of another model: it names ${JSON.stringify(profile.model)}, but the model is ${JSON.stringify(model)}. ${REMEDY}`;
  const now = Object.entries(scorerSettingsOf(scorer, options, conditions));
  const different = now.find(([name, value]) => profile.settings[name] !== value);
  if (different !== undefined) {
    const [name, value] = different;
    const option = name === 'share' ? 'extract.scorer.share' : name;
    return `The profile was measured with ${option} ${JSON.stringify(profile.settings[name])}, but the current value is ${JSON.stringify(value)}. ${REMEDY}`;
  }
  return profile.wins
    ? undefined
    : 'The profile shows that this scorer does not rank sentences better than relevance.';
}
