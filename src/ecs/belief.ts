/**
 * Utility by what a passage does to the model's belief in an answer.
 *
 *   U(u; C, a) = ln P(a | C + u, q) − ln P(a | C, q) − β |u|
 *
 * in nats, with |u| in tokens (Kim, "Entropic Context Shaping: Information-Theoretic Filtering for Context-Aware
 * LLM Agents", arXiv 2601.11585, 2026).
 *
 * Where the answer is not known, it is taken to be one of several that the model itself gives, with a belief w in
 * each; P(a | ·) is then Σ w(a) P(a | ·), and with all belief in one answer that is the formula above. Belief is
 * what the passages say, each as far as it is relevant: w(a) ∝ Σ_u r(u) P(a | C + u, q).
 */
import { ContextShapingError, messageOf, rethrowControlFlow } from '../errors.js';
import { logSumExp } from '../math/logprobs.js';
import type { Failed, LogprobModel } from '../ports.js';
import type { Passage } from './passages.js';
import type { PromptInput } from './prompt.js';
import { allFailed, isFailed, type Service } from './service.js';

/** Nats that make it worth to take a passage as given, and to ask again: δ of the paper's worked example. */
const MIN_GAIN = 0.3;

export interface Utility {
  readonly utility: number;
  readonly exact: boolean;
}

export interface Utilities {
  /** By chunk; absent where the model did not tell. */
  readonly byChunk: readonly (Utility | undefined)[];
  readonly rounds: number;
  /** Why some are absent, or measured fewer times than asked for. */
  readonly failures: readonly string[];
}

export interface BeliefInput {
  readonly model: LogprobModel;
  readonly service: Service;
  readonly prompt: (input: PromptInput) => string;
  readonly question: string;
  /** Passages that are in the context anyway. */
  readonly context: readonly string[];
  readonly passages: readonly Passage[];
  /** Of each chunk, 0..1. */
  readonly relevance: readonly number[];
  readonly lengthPenalty: number;
  readonly rounds: number;
}

interface Evidence {
  /** Logarithms of the probabilities of the answers. */
  readonly logprobs: readonly number[];
  readonly exact: boolean;
}

/**
 * Compares all passages, takes the best into the context, compares the others given that one, and so on. So the
 * second half of an answer gets its credit given the first, and what only repeats the first loses it. It ends
 * after `rounds`, or when there is nothing left to gain: less than .3 nats by the best passage, or at all.
 *
 * A chunk's utility is that of its best passage: when it was taken, else in the last round.
 */
export async function utilitiesByBelief(input: BeliefInput, answers: readonly string[]): Promise<Utilities> {
  const { passages, relevance, lengthPenalty, rounds } = input;
  const byChunk: (Utility | undefined)[] = relevance.map(() => undefined);
  const taken = new Set<number>();
  const failures: string[] = [];
  let context = input.context;
  let weights: readonly number[] | undefined;
  let before: Evidence | undefined;
  for (let round = 1; ; round++) {
    const open = passages.filter(({ chunk }) => !taken.has(chunk));
    const contexts = open.map(({ text }) => [...context, text]);
    let evidence: (Evidence | Failed)[];
    try {
      evidence = await evidenceOf(input, before === undefined ? [context, ...contexts] : contexts, answers);
      before ??= baseline(evidence);
      if (evidence.length > open.length) evidence = evidence.slice(1);
    } catch (error) {
      rethrowControlFlow(error, input.service.callersSignal);
      // What was measured before is still true; without a first round there is nothing.
      if (round === 1) throw error;
      return { byChunk, rounds: round - 1, failures: [...failures, messageOf(error)] };
    }
    weights ??= beliefs(evidence, open, relevance);
    const standing = believed(before, weights);
    let best: { passage: Passage; evidence: Evidence; utility: number } | undefined;
    const fresh = new Map<number, Utility>();
    for (const [place, found] of evidence.entries()) {
      const passage = open[place] as Passage;
      if (isFailed(found)) {
        failures.push(found.failure);
        continue;
      }
      const utility = believed(found, weights) - standing - lengthPenalty * passage.tokens;
      if (utility > (fresh.get(passage.chunk)?.utility ?? Number.NEGATIVE_INFINITY))
        fresh.set(passage.chunk, { utility, exact: found.exact && before.exact });
      if (utility > (best?.utility ?? Number.NEGATIVE_INFINITY)) best = { passage, evidence: found, utility };
    }
    if (round === 1 && fresh.size === 0) throw allFailed(failures.map((failure) => ({ failure })));
    for (const [chunk, utility] of fresh) byChunk[chunk] = utility;
    if (best === undefined || best.utility < MIN_GAIN) return { byChunk, rounds: round, failures };
    taken.add(best.passage.chunk);
    const toGain = -believed(best.evidence, weights);
    const isLast = round === rounds || toGain < MIN_GAIN || taken.size === relevance.length;
    if (isLast) return { byChunk, rounds: round, failures };
    context = [...context, best.passage.text];
    before = best.evidence;
  }
}

/** ln Σ w(a) P(a): of one answer, its logarithm. */
function believed({ logprobs }: Evidence, weights: readonly number[]): number {
  return logSumExp(logprobs.map((logprob, answer) => logprob + (weights[answer] as number)));
}

/** Every context with every answer, those of one context together, for they share their prompt. */
async function evidenceOf(
  { model, service, prompt, question }: BeliefInput,
  contexts: readonly (readonly string[])[],
  answers: readonly string[],
): Promise<(Evidence | Failed)[]> {
  const requests = contexts.flatMap((context) => {
    const asked = prompt({ context, question });
    // After a word the answer begins with a space; after a line break, as templates end, it does not.
    const before = /\s$/.test(asked) ? '' : ' ';
    return answers.map((answer) => ({ prompt: asked, continuation: before + answer }));
  });
  const scored = await service.score(model, requests);
  return contexts.map((_, place) => {
    const own = scored.slice(place * answers.length, (place + 1) * answers.length);
    const failed = own.find(isFailed);
    if (failed !== undefined) return failed;
    const exact = own.every((each) => !isFailed(each) && each.exact);
    return { exact, logprobs: own.map((each) => (isFailed(each) ? 0 : each.logprob)) };
  });
}

function baseline([first]: readonly (Evidence | Failed)[]): Evidence {
  if (first !== undefined && !isFailed(first)) return first;
  throw new ContextShapingError('service', {
    field: 'ecs.model',
    value: first?.failure,
    is: 'did not score the answer without a passage, with which all others are compared',
    remedy: 'Shorten the question, or give the model a larger context.',
  });
}

/** Logarithms of the beliefs in the answers; they sum to 1. */
function beliefs(
  evidence: readonly (Evidence | Failed)[],
  passages: readonly Passage[],
  relevance: readonly number[],
): number[] {
  const votes: (readonly number[])[] = evidence.flatMap((found, place) => {
    if (isFailed(found)) return [];
    // Of chunks without any relevance too: a hair, so that some belief is left where all have none.
    const trust = Math.log(Math.max(1e-6, relevance[passages[place]?.chunk as number] as number));
    return [found.logprobs.map((logprob) => logprob + trust)];
  });
  const sums = (votes[0] ?? []).map((_, answer) => logSumExp(votes.map((vote) => vote[answer] as number)));
  const total = logSumExp(sums);
  return sums.map((sum) => sum - total);
}

/**
 * What the model answers, given each passage alone and none, most believed first: greedy, so that the same
 * question gets the same answers. Equal texts are one answer.
 */
export async function answersOf(
  input: BeliefInput,
  { maxAnswers, horizon }: { maxAnswers: number; horizon: number },
): Promise<string[]> {
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
    const text = answer.text.replace(/\s+/g, ' ').trim().replaceAll('\ufffd', '');
    const trust = place === 0 ? 0 : (relevance[passages[place - 1]?.chunk as number] as number);
    const certainty = Math.exp(answer.tokens.reduce((sum, { logprob }) => sum + logprob, 0));
    if (text !== '') votes.set(text, (votes.get(text) ?? 0) + trust * certainty);
  }
  if (votes.size === 0) {
    throw (
      (generated.every(isFailed) && allFailed(generated)) ||
      new ContextShapingError('service', {
        field: 'ecs.model',
        value: '',
        is: 'answers nothing',
        remedy: 'Choose another ecs.withoutAnswer, or give a prompt that the model answers.',
      })
    );
  }
  const sorted = [...votes].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return sorted.slice(0, maxAnswers).map(([text]) => text);
}
