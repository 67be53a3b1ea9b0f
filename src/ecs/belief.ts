/**
 * Utility as the change of the model's belief in an answer.
 *
 *   U(u; C, a) = ln P(a | C + u, q) − ln P(a | C, q) − β |u|
 *
 * in nats, with |u| in tokens (Kim, "Entropic Context Shaping: Information-Theoretic Filtering for Context-Aware
 * LLM Agents", arXiv 2601.11585, 2026).
 *
 * If the answer is not known, the model generates candidate answers, and each has a belief w. Σ w(a) P(a | ·) then
 * replaces P(a | ·); with all belief in one answer, this is the formula above. The belief in an answer comes from the
 * passages, each weighted by its relevance: w(a) ∝ Σ_u r(u) P(a | C + u, q).
 */

import { ContextShapingError, rethrowControlFlow } from '../errors.js';
import { exp, log } from '../math/elementary.js';
import { logSumExp } from '../math/logprobs.js';
import type { Failed, LogprobModel, PromptInput, ScoredText } from '../ports.js';
import type { Passage } from './passages.js';
import { allFailed, isFailed, type Service } from './service.js';

/** Least gain, in nats, for which another round is run: δ of the paper's worked example. */
const MIN_GAIN = 0.3;

/** The utility of a chunk, in nats. */
export interface Utility {
  /** Given only the pinned passages: the formula. */
  readonly utility: number;
  /** Given also the better passages of earlier rounds. If present, chunks are ranked by it. */
  readonly jointUtility?: number;
  /** False if the utility is only a bound. */
  readonly exact: boolean;
}

export interface Utilities {
  /** By chunk; undefined if the chunk was not measured. */
  readonly byChunk: readonly (Utility | undefined)[];
  readonly rounds: number;
  /** Why some utilities are missing, or were measured in fewer rounds than requested. */
  readonly failures: readonly string[];
}

/** Keeps the utility of the best passage of a chunk. If passages are equal, the first one counts. */
export function keepBest(byChunk: (Utility | undefined)[], chunk: number, found: Utility): void {
  if (found.utility > (byChunk[chunk]?.utility ?? Number.NEGATIVE_INFINITY)) byChunk[chunk] = found;
}

export interface BeliefInput {
  readonly model: LogprobModel;
  readonly service: Service;
  readonly prompt: (input: PromptInput) => string;
  readonly question: string;
  /** Passages that every prompt contains: the pinned ones. */
  readonly context: readonly string[];
  /** Passages of the most relevant chunk first. If utilities are equal, the first passage wins. */
  readonly passages: readonly Passage[];
  /** Relevance of each chunk, 0..1. */
  readonly relevance: readonly number[];
  readonly lengthPenalty: number;
  readonly rounds: number;
}

/** The scores of all answers with one prompt, by answer. */
type Evidence = readonly ScoredText[];

/** The best passage of a chunk. */
interface Measured {
  readonly passage: Passage;
  readonly evidence: Evidence;
  readonly utility: number;
  readonly exact: boolean;
}

/**
 * Measures all passages, adds the best one to the context, measures the others given that one, and so on. So the second
 * half of an answer gets its credit given the first half, and a passage that only repeats the first half gets none. The
 * rounds end after `rounds`, or if less than .3 nats are left to gain: by the best passage, or in total.
 *
 * A chunk has the utility of its best passage. A later round that fails, even for one passage only, does not count,
 * because values measured in different contexts cannot be compared.
 *
 * @throws ContextShapingError `service`, if the first round fails for every passage, or without a passage.
 */
export async function utilitiesByBelief(input: BeliefInput, answers: readonly string[]): Promise<Utilities> {
  const { passages, relevance, rounds } = input;
  const [without, ...first] = await evidenceOf(input, ['', ...passages.map(({ text }) => text)], answers);
  const failures = first.filter(isFailed).map(({ failure }) => failure);
  if (failures.length === passages.length) throw allFailed(first.filter(isFailed));
  const weights = beliefs(first, passages, relevance);
  let before = baseline(without);
  const alone = bestOfChunks(input, passages, first, before, weights);
  const joint = new Map(alone);
  const taken = new Set<number>();
  let { context } = input;
  let round = 1;
  for (; round < rounds; round++) {
    const best = [...joint.values()].reduce<Measured | undefined>(
      (most, each) =>
        taken.has(each.passage.chunk) || each.utility <= (most?.utility ?? Number.NEGATIVE_INFINITY)
          ? most
          : each,
      undefined,
    );
    if (best === undefined || best.utility < MIN_GAIN || -believed(best.evidence, weights) < MIN_GAIN) break;
    taken.add(best.passage.chunk);
    // A passage that has failed once would fail again, and the whole round with it.
    const open = passages.filter(({ chunk }, place) => !isFailed(first[place] ?? []) && !taken.has(chunk));
    if (open.length === 0) break;
    context = [...context, best.passage.text];
    before = best.evidence;
    const found = await nextRound({ ...input, context }, open, answers);
    if ('failure' in found) {
      failures.push(found.failure);
      break;
    }
    for (const [chunk, measured] of bestOfChunks(input, open, found.evidence, before, weights))
      joint.set(chunk, measured);
  }
  return {
    byChunk: relevance.map((_, chunk) => {
      const own = alone.get(chunk);
      if (own === undefined) return undefined;
      const { utility, exact } = joint.get(chunk) as Measured;
      return {
        utility: own.utility,
        exact: own.exact && exact,
        ...(round > 1 ? { jointUtility: utility } : {}),
      };
    }),
    rounds: round,
    failures,
  };
}

/** Measures the open passages given the extended context, or returns the failure. */
async function nextRound(
  input: BeliefInput,
  open: readonly Passage[],
  answers: readonly string[],
): Promise<{ evidence: Evidence[] } | Failed> {
  try {
    const texts = open.map(({ text }) => text);
    const evidence = await evidenceOf(input, texts, answers);
    return evidence.find(isFailed) ?? { evidence: evidence as Evidence[] };
  } catch (error) {
    rethrowControlFlow(error, input.service.callersSignal);
    return { failure: input.service.tell(error) };
  }
}

/** Returns the best passage of each chunk, in the order of the passages. */
function bestOfChunks(
  { lengthPenalty }: BeliefInput,
  passages: readonly Passage[],
  evidence: readonly (Evidence | Failed)[],
  before: Evidence,
  weights: readonly number[],
): Map<number, Measured> {
  const best = new Map<number, Measured>();
  for (const [place, passage] of passages.entries()) {
    const found = evidence[place] as Evidence | Failed;
    if (isFailed(found)) continue;
    const { gain, exact } = compare(found, before, weights);
    const utility = gain - lengthPenalty * passage.penalised;
    if (utility > (best.get(passage.chunk)?.utility ?? Number.NEGATIVE_INFINITY))
      best.set(passage.chunk, { passage, evidence: found, utility, exact });
  }
  return best;
}

/** Returns ln Σ w(a) P(a). With one answer, this is the logarithm of its probability. */
function believed(evidence: Evidence, weights: readonly number[]): number {
  return logSumExp(evidence.map(({ logprob }, answer) => logprob + (weights[answer] as number)));
}

/**
 * Computes the gain in belief from before to after adding a passage. If a service stopped scoring an answer early, only
 * the part that both sides scored is compared: a bound for three words and the probability of eight are not comparable.
 */
function compare(
  found: Evidence,
  before: Evidence,
  weights: readonly number[],
): { gain: number; exact: boolean } {
  const depths = found.map((one, answer) => depthOf(one, before[answer] as ScoredText));
  const sum = (side: Evidence) =>
    logSumExp(
      side.map((each, answer) => logprobUpTo(each, depths[answer] as number) + (weights[answer] as number)),
    );
  return {
    gain: sum(found) - sum(before),
    exact: [...found, ...before].every(({ exact }) => exact),
  };
}

/** Returns the number of characters that both sides scored; infinity if both are exact. */
function depthOf(...sides: readonly ScoredText[]): number {
  const known = ({ tokens }: ScoredText) => tokens.reduce((sum, { text }) => sum + text.length, 0);
  return Math.min(...sides.map((side) => (side.exact ? Number.POSITIVE_INFINITY : known(side))));
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
 * Scores every answer with every text. The requests of one text come together, because they share their prompt.
 *
 * @param texts the text to add after the context; '' for none.
 * @returns by text, the scores of all answers, or the first failure.
 */
async function evidenceOf(
  { model, service, prompt, question, context }: BeliefInput,
  texts: readonly string[],
  answers: readonly string[],
): Promise<(Evidence | Failed)[]> {
  const requests = texts.flatMap((text) => {
    const asked = prompt({ context: text === '' ? context : [...context, text], question });
    // The answer begins with a space, unless the prompt ends with white space, as templates do.
    const before = /\s$/.test(asked) ? '' : ' ';
    return answers.map((answer) => ({ prompt: asked, continuation: before + answer }));
  });
  const scored = await service.score(model, requests);
  return texts.map((_, place) => {
    const own = scored.slice(place * answers.length, (place + 1) * answers.length);
    return own.find(isFailed) ?? (own as Evidence);
  });
}

function baseline(without: Evidence | Failed | undefined): Evidence {
  if (without !== undefined && !isFailed(without)) return without;
  throw new ContextShapingError('service', {
    field: 'ecs.model',
    value: without?.failure,
    is: 'did not score the answer without a passage, which is the baseline of all comparisons',
    remedy: 'Shorten the question, or give the model a larger context.',
  });
}

/** Returns the logarithms of the beliefs in the answers. The beliefs sum to 1. */
function beliefs(
  evidence: readonly (Evidence | Failed)[],
  passages: readonly Passage[],
  relevance: readonly number[],
): number[] {
  const votes: (readonly number[])[] = evidence.flatMap((found, place) => {
    if (isFailed(found)) return [];
    // Chunks without any relevance get a tiny weight, so that the beliefs are defined if no chunk has relevance.
    const trust = log(Math.max(1e-6, relevance[passages[place]?.chunk as number] as number));
    return [found.map(({ logprob }) => logprob + trust)];
  });
  const sums = (votes[0] ?? []).map((_, answer) => logSumExp(votes.map((vote) => vote[answer] as number)));
  const total = logSumExp(sums);
  return sums.map((sum) => sum - total);
}

/**
 * Generates candidate answers: one given each passage alone, and one without a passage. Decoding is greedy, so that the
 * same question gets the same answers. Equal texts are one answer. The belief in an answer sums, over its passages,
 * relevance times probability.
 *
 * @returns at most `maxAnswers` answers, most believed first, and the failures of single requests.
 * @throws ContextShapingError `service`, if no request returns an answer that is not blank.
 */
export async function answersOf(
  input: BeliefInput,
  { maxAnswers, horizon }: { maxAnswers: number; horizon: number },
): Promise<{ answers: string[]; failures: string[] }> {
  const { model, service, prompt, question, context, passages, relevance } = input;
  const contexts = [context, ...passages.map(({ text }) => [...context, text])];
  const generated = await service.generate(
    model,
    contexts.map((each) => ({
      prompt: prompt({ context: each, question }),
      maxTokens: horizon,
      stop: ['\n'],
    })),
  );
  const votes = new Map<string, number>();
  for (const [place, answer] of generated.entries()) {
    if (isFailed(answer)) continue;
    const text = answer.text.replaceAll('\ufffd', '').replace(/\s+/g, ' ').trim();
    const trust = place === 0 ? 0 : (relevance[passages[place - 1]?.chunk as number] as number);
    const certainty = exp(answer.tokens.reduce((sum, { logprob }) => sum + logprob, 0));
    if (text !== '') votes.set(text, (votes.get(text) ?? 0) + trust * certainty);
  }
  if (votes.size === 0) {
    throw (
      (generated.every(isFailed) && allFailed(generated)) ||
      new ContextShapingError('service', {
        field: 'ecs.model',
        value: '',
        is: 'returned no answer',
        remedy: 'Choose another ecs.withoutAnswer, or give a prompt that the model answers.',
      })
    );
  }
  const sorted = [...votes].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return {
    answers: sorted.slice(0, maxAnswers).map(([text]) => text),
    failures: generated.filter(isFailed).map(({ failure }) => failure),
  };
}
