/** Utility as the log-odds, in nats, of a judge's "yes": 0 if the judge is undecided. */
import { messageOf } from '../errors.js';
import { log } from '../math/elementary.js';
import { logistic, logSumExp } from '../math/logprobs.js';
import type { Failed, Judge, Judgement, JudgeRequest, LogprobModel, TokenProbability } from '../ports.js';
import { onOneLine } from './prompt.js';
import { allFailed, isFailed, Service } from './service.js';
import type { MeasureInput, Utilities, Utility } from './utility.js';

/** A judge's probability is at least this far from 0 and from 1: log-odds of about 9 nats. */
const MOST_CERTAIN = 1e-4;

/**
 * Measures each passage by a judge. The utility is the log-odds of its yes, less the length penalty.
 *
 * @param answer the right answer, if it is known.
 * @param about what to judge if the answer is not known. Default: whether the passage has the facts that answer.
 * @throws ContextShapingError `service`, if every request fails.
 */
export async function utilitiesByJudge(
  { service, question, passages, lengthPenalty }: MeasureInput,
  judge: Judge,
  answer: string | undefined,
  about?: JudgeRequest['about'],
): Promise<Utilities> {
  const asked = answer !== undefined ? { answer } : about !== undefined ? { about } : {};
  const judged = await service.judge(
    judge,
    passages.map(({ text }) => ({ question, passage: text, ...asked })),
  );
  if (judged.every(isFailed)) throw allFailed(judged);
  const byPassage = passages.map(({ penalised }, at): Utility | undefined => {
    const each = judged[at] as (typeof judged)[number];
    if (isFailed(each)) return undefined;
    const yes = Math.min(1 - MOST_CERTAIN, Math.max(MOST_CERTAIN, each.yes));
    const utility = log(yes / (1 - yes)) - lengthPenalty * penalised;
    return { utility, exact: true };
  });
  return { byPassage, rounds: 1, failures: judged.filter(isFailed).map(({ failure }) => failure) };
}

const WORDS = ['yes', 'no'] as const;

/**
 * Creates a judge from a model with log-probabilities. Its answer is P(yes) / (P(yes) + P(no)).
 *
 * The model tells the most probable tokens after each passage. A word has the probability of all its spellings among
 * them: capitals and spaces around it do not count. Only a word without a spelling there is scored, after one space; or it
 * counts as the least probable of them, a bound, if the model scores no given text. So n passages take n tokens, and
 * services read the prompts from their caches.
 */
export function judgeOf(model: LogprobModel): Judge {
  return {
    identify: (call) => model.identify(call),
    async judge(requests, { signal } = {}) {
      const service = new Service(signal, signal, messageOf);
      const prompts = requests.map(judgePrompt);
      const listed = await service.nextTokens(model, prompts);
      const unlisted = listed.flatMap((found, place) =>
        isFailed(found)
          ? []
          : WORDS.filter((word) => logprobOf(word, found) === undefined).map((word) => ({ word, place })),
      );
      const scored =
        model.scoresGivenText === false
          ? unlisted.map(({ place }) => leastOf(listed[place] as readonly TokenProbability[]))
          : await service.score(
              model,
              unlisted.map(({ word, place }) => ({
                prompt: prompts[place] as string,
                continuation: ` ${word}`,
              })),
            );
      const results = listed.map((found, place): Judgement | Failed => {
        if (isFailed(found)) return found;
        const own = scored.filter((_, which) => unlisted[which]?.place === place);
        const failed = own.find(isFailed);
        if (failed !== undefined) return failed;
        const rest = own as { logprob: number }[];
        const [yes, no] = WORDS.map((word) => logprobOf(word, found) ?? rest.shift()?.logprob) as [
          number,
          number,
        ];
        return { yes: logistic(yes - no) };
      });
      return { results, usage: service.usage };
    },
  };
}

const leastOf = (listed: readonly TokenProbability[]) => listed.at(-1) ?? { logprob: 0 };

/** The logarithm of the probability of all listed spellings of a word; undefined, if none is listed. */
function logprobOf(word: (typeof WORDS)[number], listed: readonly TokenProbability[]): number | undefined {
  const spellings = listed.filter(({ text }) => text.trim().toLowerCase() === word);
  return spellings.length === 0 ? undefined : logSumExp(spellings.map(({ logprob }) => logprob));
}

/** The prompt with which a model with log-probabilities judges. The model replies yes or no, after a space. */
export function judgePrompt(request: JudgeRequest): string {
  const { question, passage } = request;
  return `Passage: ${onOneLine(passage)}\n\nQuestion: ${question}\n${asking(request)} Reply with yes or no.\nReply:`;
}

function asking({ answer, about }: JudgeRequest): string {
  if (answer !== undefined) return `Does the passage support the answer "${answer}"?`;
  return about === 'factuality'
    ? 'As far as you know, is what the passage states about the question true?'
    : 'Does the passage hold the facts that answer the question?';
}
