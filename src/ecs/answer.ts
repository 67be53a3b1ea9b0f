/**
 * Utility as the change of the model's belief in the answer, if the answer is known.
 *
 *   U(u; C, a) = ln P(a | C + u, q) − ln P(a | C, q) − β |u|
 *
 * in nats, with |u| in tokens (Kim, "Entropic Context Shaping: Information-Theoretic Filtering for Context-Aware
 * LLM Agents", arXiv 2601.11585, 2026).
 */

import { rethrowControlFlow } from '../errors.js';
import type { Failed, LogprobModel, PromptInput, ScoredText } from '../ports.js';
import type { Passage } from './passages.js';
import { allFailed, isFailed, noBaseline } from './service.js';
import type { MeasureInput, Utilities, Utility } from './utility.js';

/** Least gain, in nats, for which another round is run: δ of the paper's worked example. */
const MIN_GAIN = 0.3;

/** Input for the methods that ask a language model about each passage. */
export interface AskInput extends MeasureInput {
  readonly model: LogprobModel;
  readonly prompt: (input: PromptInput) => string;
  /** Passages that every prompt contains: the pinned ones. */
  readonly context: readonly string[];
  readonly rounds: number;
}

interface Measured {
  /** Index of the passage. */
  readonly at: number;
  readonly score: ScoredText;
  readonly utility: number;
  readonly exact: boolean;
}

/**
 * Measures all passages, adds the best one to the context, measures the others given that one, and so on. So the second
 * half of an answer gets its credit given the first half, and a passage that only repeats the first half gets none. The
 * rounds end after `rounds`, or if less than .3 nats are left to gain: by the best passage, or in total.
 *
 * A later round that fails, even for one passage only, does not count, because values measured in different contexts cannot be
 * compared.
 *
 * @throws ContextShapingError `service`, if the first round fails for every passage, or without a passage.
 */
export async function utilitiesByAnswer(input: AskInput, answer: string): Promise<Utilities> {
  const { passages, rounds } = input;
  const [without, ...first] = await scoresOf(input, ['', ...passages.map(({ text }) => text)], answer);
  const failures = first.filter(isFailed).map(({ failure }) => failure);
  if (failures.length === passages.length) throw allFailed(first.filter(isFailed));
  if (without === undefined || isFailed(without)) throw noBaseline('answer', without);
  let before: ScoredText = without;
  const alone = measuredOf(input, [...passages.keys()], first, before);
  const joint = new Map(alone);
  const taken = new Set<number>();
  let { context } = input;
  let round = 1;
  for (; round < rounds; round++) {
    const best = [...joint.values()].reduce<Measured | undefined>(
      (most, each) =>
        taken.has(each.at) || each.utility <= (most?.utility ?? Number.NEGATIVE_INFINITY) ? most : each,
      undefined,
    );
    if (best === undefined || best.utility < MIN_GAIN || -best.score.logprob < MIN_GAIN) break;
    taken.add(best.at);
    // A passage that has failed once would fail again, and the whole round with it.
    const open = [...alone.keys()].filter((at) => !taken.has(at));
    if (open.length === 0) break;
    context = [...context, (passages[best.at] as Passage).text];
    before = best.score;
    const found = await nextRound({ ...input, context }, open, answer);
    if ('failure' in found) {
      failures.push(found.failure);
      break;
    }
    for (const [at, measured] of measuredOf(input, open, found.scores, before)) joint.set(at, measured);
  }
  const byPassage = passages.map((_, at): Utility | undefined => {
    const own = alone.get(at);
    if (own === undefined) return undefined;
    const { utility, exact } = joint.get(at) as Measured;
    return {
      utility: own.utility,
      exact: own.exact && exact,
      ...(round > 1 ? { jointUtility: utility } : {}),
    };
  });
  return { byPassage, rounds: round, failures };
}

/** Measures the open passages given the extended context, or returns the failure. */
async function nextRound(
  input: AskInput,
  open: readonly number[],
  answer: string,
): Promise<{ scores: ScoredText[] } | Failed> {
  try {
    const texts = open.map((at) => (input.passages[at] as Passage).text);
    const scores = await scoresOf(input, texts, answer);
    return scores.find(isFailed) ?? { scores: scores as ScoredText[] };
  } catch (error) {
    rethrowControlFlow(error, input.service.callersSignal);
    return { failure: input.service.tell(error) };
  }
}

/** The measured ones of these passages, by index. */
function measuredOf(
  { passages, lengthPenalty }: AskInput,
  open: readonly number[],
  scores: readonly (ScoredText | Failed)[],
  before: ScoredText,
): Map<number, Measured> {
  const measured = new Map<number, Measured>();
  for (const [place, at] of open.entries()) {
    const score = scores[place] as ScoredText | Failed;
    if (isFailed(score)) continue;
    const utility = gainOf(score, before) - lengthPenalty * (passages[at] as Passage).penalised;
    measured.set(at, { at, score, utility, exact: score.exact && before.exact });
  }
  return measured;
}

/**
 * Computes the gain in belief by a passage. If a service stopped scoring the answer early, only the part that both sides
 * scored is compared: a bound for three words and the probability of eight are not comparable.
 */
function gainOf(score: ScoredText, before: ScoredText): number {
  const depth = Math.min(scoredLength(score), scoredLength(before));
  return logprobUpTo(score, depth) - logprobUpTo(before, depth);
}

/** Returns the number of characters that were scored; infinity if all were. */
function scoredLength({ exact, tokens }: ScoredText): number {
  return exact ? Number.POSITIVE_INFINITY : tokens.reduce((sum, { text }) => sum + text.length, 0);
}

/** Returns the log-probability of the first `depth` characters, together with the token after them. */
function logprobUpTo({ tokens, logprob }: ScoredText, depth: number): number {
  let [sum, length] = [0, 0];
  for (const token of tokens) {
    sum += token.logprob;
    length += token.text.length;
    if (length > depth) return sum;
  }
  return logprob;
}

/**
 * Scores the answer with every text.
 *
 * @param texts the text to add after the context; '' for none.
 */
function scoresOf(
  { model, service, prompt, question, context }: AskInput,
  texts: readonly string[],
  answer: string,
): Promise<(ScoredText | Failed)[]> {
  const requests = texts.map((text) => {
    const asked = prompt({ context: text === '' ? context : [...context, text], question });
    return { prompt: asked, continuation: continuationAfter(asked, answer) };
  });
  return service.score(model, requests);
}

/** The continuation begins with a space, unless the prompt ends with white space, as templates do. */
export const continuationAfter = (prompt: string, text: string): string =>
  (/\s$/.test(prompt) ? '' : ' ') + text;
