/** Measures the utilities of candidates. This module is loaded only if `ecs` is used. */

import { ContextShapingError, rethrowControlFlow } from '../errors.js';
import type { ResolvedOptions } from '../input/options.js';
import type { PipelineInput } from '../pipeline.js';
import { isBlank, unframed } from '../pool/candidate.js';
import { byRelevance } from '../pool/ranking.js';
import type { PromptInput } from '../ports.js';
import { questionInContext } from '../relevance/question-in-context.js';
import type { Candidate, Degradation, EcsUse } from '../types.js';
import { type AskInput, utilitiesByAnswer } from './answer.js';
import { judgeOf, utilitiesByJudge } from './judgement.js';
import { passagesOf } from './passages.js';
import { plainPrompt } from './prompt.js';
import { readForQuestion, utilitiesByQuestion, withinBounds } from './question.js';
import { Service } from './service.js';
import { methodOf, objection, reachOf, type Surroundings } from './trust.js';
import type { Utilities, Utility } from './utility.js';

export type EcsOptions = Exclude<ResolvedOptions['ecs'], false> & {
  /** The options outside of `ecs` on which relevance depends. */
  readonly surroundings: Surroundings;
};

type Complaint = Omit<Degradation, 'stage'>;

export interface Measurement {
  /** Utilities by the index of the candidate. */
  readonly utilities: ReadonlyMap<number, Utility>;
  readonly use: EcsUse;
  readonly degradations: readonly Complaint[];
}

/**
 * Measures the most relevant candidates. If the service fails, the result has no utilities, and a degradation with the
 * reason.
 *
 * @throws the reason of the caller's abort, or a graph's interrupt.
 */
export async function measure(given: PipelineInput, options: EcsOptions): Promise<Measurement> {
  const { query, lexicon, countTokens, listOrder, pacer, tellError, signal, serviceSignal } = given;
  const { answer } = query;
  const candidates = given.candidates.map(unframed);
  const service = new Service(serviceSignal, signal, tellError);
  const method = methodOf(options, answer);
  const { share, maxCandidates } = reachOf(options, method);
  let model: string | undefined;
  const used = (what: Partial<EcsUse>): EcsUse => ({
    method,
    ...(model === undefined ? {} : { model }),
    trust: 'none',
    share,
    maxCandidates,
    scored: 0,
    bounded: 0,
    passages: 0,
    rounds: 0,
    ...what,
    usage: service.usage,
  });
  const nothing = (...degradations: Complaint[]) => ({
    utilities: new Map(),
    use: used({}),
    degradations,
  });
  const open = candidates.filter((candidate) => !candidate.pinned && !isBlank(candidate));
  if (open.length === 0) return nothing();
  if (query.text.trim() === '')
    return nothing({
      code: 'ecs-failed',
      message: 'The query is empty, so there is no question for the model.',
    });
  try {
    if (options.trust === 'profile') {
      const asked = (method === 'judge' && options.judge) || options.model;
      // Without a profile there is no identity to compare.
      if (options.profile !== undefined && asked !== undefined) model = await service.identify(asked);
      const occasion = {
        method,
        ranked: listOrder.ranked,
        hasVectors: query.vector !== undefined && candidates.some(({ vector }) => vector !== undefined),
        hasAnswer: answer !== undefined,
      };
      const why = objection(options, options.surroundings, occasion, model);
      if (why !== undefined)
        return nothing({ code: 'ecs-not-trusted', message: `Only relevance ranks the chunks. ${why}` });
    }
    const read = method === 'question' ? readForQuestion(open, candidates, given) : undefined;
    const best = (read?.open ?? open).toSorted(byRelevance).slice(0, maxCandidates);
    const found = await passagesOf(
      best,
      () => questionInContext({ ...query, text: [query.text, answer].join(' ').trim() }, candidates, lexicon),
      { maxTokens: options.maxPassageTokens, countTokens, lexicon, pacer },
    );
    serviceSignal?.throwIfAborted();
    const chosen = best.filter((_, at) => found[at] !== undefined);
    const tooLong = best.filter((_, at) => found[at] === undefined);
    const passages = found.filter((each) => each !== undefined);
    if (passages.length === 0) return nothing(...incomplete([], [], [], tooLong));
    const input = {
      ...options,
      prompt: checked(options.prompt ?? plainPrompt),
      service,
      question: read?.question ?? query.text,
      context: candidates
        .filter(({ pinned }) => pinned)
        .sort(byRelevance)
        .map(({ rendered }) => rendered),
      passages,
    };
    const { byPassage, rounds, failures } = await utilitiesBy(method, input, options, answer);
    const byChunk = read === undefined ? byPassage : withinBounds(byPassage, chosen, read.written);
    const utilities = new Map<number, Utility>();
    for (const [place, each] of byChunk.entries())
      if (each !== undefined) utilities.set((chosen[place] as Candidate).index, each);
    return {
      utilities,
      use: used({
        trust: options.trust,
        scored: utilities.size,
        bounded: byChunk.filter((each) => each?.exact === false).length,
        passages: passages.length,
        rounds,
      }),
      degradations: incomplete(byChunk, failures, chosen, tooLong),
    };
  } catch (error) {
    rethrowControlFlow(error, signal);
    const message = `Utility could not be measured, so only relevance ranks the chunks. ${tellError(error)}`;
    return nothing({ code: 'ecs-failed', message });
  }
}

async function utilitiesBy(
  method: EcsUse['method'],
  input: Omit<AskInput, 'model'>,
  options: EcsOptions,
  answer: string | undefined,
): Promise<Utilities> {
  const { model, judge } = options;
  // The schema of the options guarantees a model or a judge.
  if (model === undefined || method === 'judge')
    return utilitiesByJudge(
      input,
      judge ?? judgeOf(model as NonNullable<typeof model>),
      answer,
      options.judging === 'factuality' ? options.judging : undefined,
    );
  const asked = { ...input, model };
  return answer === undefined ? utilitiesByQuestion(asked) : utilitiesByAnswer(asked, answer);
}

/** Checks the prompts that the caller's function returns. */
function checked(prompt: (input: PromptInput) => string): (input: PromptInput) => string {
  return (input) => {
    const text: unknown = prompt(input);
    if (typeof text === 'string' && text !== '') return text;
    throw new ContextShapingError('invalid-options', {
      field: 'ecs.prompt',
      value: text,
      is: 'must return a non-empty string',
      remedy: 'Give a synchronous function from { context, question } to the prompt.',
    });
  };
}

function incomplete(
  byChunk: Utilities['byPassage'],
  failures: readonly string[],
  chosen: readonly Candidate[],
  tooLong: readonly Candidate[],
): Complaint[] {
  const without = [...chosen.filter((_, place) => byChunk[place] === undefined), ...tooLong];
  if (without.length === 0 && failures.length === 0) return [];
  const names = without.map(({ id }) => JSON.stringify(id)).join(', ');
  const sentences = [
    names === '' ? 'Some passages or rounds were not measured.' : `No utility was measured for ${names}.`,
    tooLong.length === 0 ? '' : `Chunks that are too long: ${tooLong.length}; raise ecs.maxPassageTokens.`,
    failures.length === 0 ? '' : `Failures: ${failures.length}; the first: ${failures[0]}`,
  ];
  return [{ code: 'ecs-incomplete', message: sentences.filter((each) => each !== '').join(' ') }];
}
