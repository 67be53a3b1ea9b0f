/** Utility as the log-odds, in nats, of a judge's "yes": 0 if the judge is undecided. */
import { log } from '../math/elementary.js';
import { logistic } from '../math/logprobs.js';
import type { Judge, JudgeRequest, LogprobModel } from '../ports.js';
import { type BeliefInput, keepBest, type Utilities, type Utility } from './belief.js';
import { onOneLine } from './prompt.js';
import { allFailed, isFailed } from './service.js';

/** A judge's probability is at least this far from 0 and from 1: log-odds of about 9 nats. */
const MOST_CERTAIN = 1e-4;

/**
 * Measures each passage by a judge. A chunk has the utility of its best passage, less the length penalty.
 *
 * @param answer the right answer, if it is known.
 * @throws ContextShapingError `service`, if every request fails.
 */
export async function utilitiesByJudge(
  input: Pick<BeliefInput, 'service' | 'question' | 'passages' | 'relevance' | 'lengthPenalty'>,
  judge: Judge,
  answer: string | undefined,
): Promise<Utilities> {
  const { service, question, passages, relevance, lengthPenalty } = input;
  const judged = await service.judge(
    judge,
    passages.map(({ text }) => ({ question, passage: text, ...(answer === undefined ? {} : { answer }) })),
  );
  if (judged.every(isFailed)) throw allFailed(judged);
  const byChunk: (Utility | undefined)[] = relevance.map(() => undefined);
  for (const [place, each] of judged.entries()) {
    if (isFailed(each)) continue;
    const { chunk, penalised } = passages[place] as (typeof passages)[number];
    const yes = Math.min(1 - MOST_CERTAIN, Math.max(MOST_CERTAIN, each.yes));
    const utility = log(yes / (1 - yes)) - lengthPenalty * penalised;
    keepBest(byChunk, chunk, { utility, exact: true });
  }
  return { byChunk, rounds: 1, failures: judged.filter(isFailed).map(({ failure }) => failure) };
}

/** The text that a model with log-probabilities continues with " yes" or " no". */
export function judgePrompt({ question, passage, answer }: JudgeRequest): string {
  const asked =
    answer === undefined
      ? 'Does the passage hold the facts that answer the question?'
      : `Does the passage support the answer "${answer}"?`;
  return `Passage: ${onOneLine(passage)}\n\nQuestion: ${question}\n${asked} Reply with yes or no.\nReply:`;
}

/** Creates a judge from a model with log-probabilities. Its answer is P(yes) / (P(yes) + P(no)). */
export function judgeOf(model: LogprobModel): Judge {
  return {
    identify: (call) => model.identify(call),
    async judge(requests, call) {
      const prompts = requests.map(judgePrompt);
      const { results, usage } = await model.score(
        prompts.flatMap((prompt) => [' yes', ' no'].map((continuation) => ({ prompt, continuation }))),
        call,
      );
      return {
        usage,
        results: prompts.map((_, place) => {
          const [yes, no] = [results[2 * place], results[2 * place + 1]];
          if (yes === undefined || isFailed(yes)) return yes ?? { failure: 'The model gave no answer.' };
          if (no === undefined || isFailed(no)) return no ?? { failure: 'The model gave no answer.' };
          return { yes: logistic(yes.logprob - no.logprob) };
        }),
      };
    },
  };
}
