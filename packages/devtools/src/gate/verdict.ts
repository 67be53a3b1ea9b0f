/**
 * Whether a ranking is better than its rivals: the mean gain over each is above 0 at the level .05 / m (one-sided;
 * Bonferroni 1936), if m rankings are measured on the same questions. All rivals must be beaten, so their number costs no
 * level (Berger, Technometrics 1982). The unit is the question, since passages of one question are not independent.
 */
import { type Gain, gainOf } from './mean-gain.js';

/** Share of useless models, or sets of models measured together, that may be trusted by chance. */
export const ALPHA = 0.05;
/** With fewer questions, nothing is measured. */
export const LEAST_QUESTIONS = 20;
/** With fewer questions, nothing wins. */
export const LEAST_TO_WIN = 60;

/** Differences to one rival, one for each question. */
export interface Differences {
  /** The rival's name, for sentences. */
  rival: string;
  /** Differences of nDCG, or of another quality that is 0..1. */
  quality: readonly number[];
}

export interface Verdict {
  wins: boolean;
  /** Why it does not win, as sentences. */
  reasons: string[];
  /** One for each rival, in the order of the rivals. */
  gains: Gain[];
}

/**
 * @param rivals at least one, all with the same questions.
 * @param methods how many rankings are measured on these questions.
 */
export function verdictOf(rivals: readonly Differences[], methods: number): Verdict {
  const alpha = ALPHA / methods;
  const gains = rivals.map(({ quality }) => gainOf(quality, alpha));
  const questions = rivals[0]?.quality.length ?? 0;
  const reasons = [
    ...(questions < LEAST_TO_WIN ? [`${questions} questions are too few: trust needs ${LEAST_TO_WIN}.`] : []),
    ...rivals.flatMap(({ rival }, place) => {
      const { mean, p } = gains[place] as Gain;
      const by = `${mean < 0 ? '−' : '+'}${figure(Math.abs(mean))}`;
      return p > alpha
        ? [`The gain over ${rival} may be chance: ${by}, p ${figure(p)} (at most ${figure(alpha)}).`]
        : [];
    }),
  ];
  return { wins: reasons.length === 0, reasons, gains };
}

const figure = (value: number) => value.toFixed(3).replace(/^0/, '');
