/** From options and candidates to utilities. Loaded only where `ecs` is used. */
import { isBlank } from '../candidate.js';
import { messageOf, rethrowControlFlow } from '../errors.js';
import type { ResolvedOptions } from '../options.js';
import type { StageInput } from '../pipeline.js';
import type { TokenCounter } from '../ports.js';
import { byRelevance } from '../ranking.js';
import type { Candidate, Degradation, EcsUse } from '../types.js';
import { answersOf, type BeliefInput, type Utilities, type Utility, utilitiesByBelief } from './belief.js';
import { judgeOf, utilitiesByJudge } from './judgement.js';
import { type Passage, passagesOf } from './passages.js';
import { plainPrompt } from './prompt.js';
import { Service } from './service.js';
import { utilitiesByTrajectory } from './trajectory.js';
import { methodOf, objection } from './trust.js';

export type EcsOptions = Exclude<ResolvedOptions['ecs'], false>;

/** Passages that a chunk may be split into, on average over those that are compared. */
const PASSAGES_PER_CHUNK = 4;

export interface Measurement {
  /** By index of the candidate. */
  readonly utilities: ReadonlyMap<number, Utility>;
  readonly use: EcsUse;
  readonly degradations: readonly Omit<Degradation, 'stage'>[];
}

/**
 * Measures the most relevant candidates. Whatever the service does, there is a result: with utilities, or with
 * none and the reason why.
 *
 * @throws what was thrown by the caller's abort, or by a graph's interrupt.
 */
export async function measure(
  { candidates, query, signal, serviceSignal }: StageInput,
  options: EcsOptions,
  countTokens: TokenCounter,
): Promise<Measurement> {
  const { answer } = query;
  const service = new Service(serviceSignal, signal);
  const method = methodOf(options, answer);
  const use: EcsUse = {
    method,
    trust: 'none',
    scored: 0,
    bounded: 0,
    passages: 0,
    rounds: 0,
    usage: service.usage,
  };
  const nothing = (code: Degradation['code'], message: string): Measurement => ({
    utilities: new Map(),
    use,
    degradations: [{ code, message }],
  });
  const open = candidates.filter((candidate) => !candidate.pinned && !isBlank(candidate));
  if (open.length === 0) return { utilities: new Map(), use, degradations: [] };
  try {
    const asked = method === 'judge' ? (options.judge ?? options.model) : options.model;
    use.model = await service.identify(asked as NonNullable<typeof asked>);
    const why = options.trust === 'always' ? undefined : objection(options.profile, method, use.model);
    if (why !== undefined) return nothing('ecs-not-trusted', `Relevance alone decides. ${why}`);
    use.trust = options.trust;
    const { chosen, passages, tooLong } = choose(open, options, countTokens);
    use.passages = passages.length;
    const context = candidates.filter(({ pinned }) => pinned).map(({ rendered }) => rendered);
    const input = {
      ...options,
      prompt: options.prompt ?? plainPrompt,
      service,
      question: query.text,
      context,
      passages,
      relevance: chosen.map(({ signals }) => signals.relevance ?? 1),
    };
    const { byChunk, rounds, failures } = await utilitiesBy(method, input, options, answer);
    const utilities = new Map<number, Utility>();
    for (const [place, found] of byChunk.entries())
      if (found !== undefined) utilities.set((chosen[place] as Candidate).index, found);
    use.rounds = rounds;
    use.scored = utilities.size;
    use.bounded = byChunk.filter((found) => found?.exact === false).length;
    return { utilities, use, degradations: incomplete(byChunk, failures, chosen, tooLong) };
  } catch (error) {
    rethrowControlFlow(error, signal);
    use.trust = 'none';
    return nothing(
      'ecs-failed',
      `Utility could not be measured; relevance alone decides. ${messageOf(error)}`,
    );
  }
}

function utilitiesBy(
  method: EcsUse['method'],
  input: Omit<BeliefInput, 'model'>,
  options: EcsOptions,
  answer: string | undefined,
): Promise<Utilities> {
  const { model, judge } = options;
  // The schema sees to it that there is one or the other.
  if (model === undefined || method === 'judge')
    return utilitiesByJudge(input, judge ?? judgeOf(model as NonNullable<typeof model>), answer);
  const asked = { ...input, model };
  if (method === 'trajectory') return utilitiesByTrajectory(asked, options);
  return method === 'answer'
    ? utilitiesByBelief(asked, [answer as string])
    : answersOf(asked, options).then((answers) => utilitiesByBelief(asked, answers));
}

/** The most relevant, with their passages, as long as there are not too many of these. */
function choose(
  open: readonly Candidate[],
  { maxCandidates, maxPassageTokens }: EcsOptions,
  countTokens: TokenCounter,
) {
  const chosen: Candidate[] = [];
  const passages: Passage[] = [];
  const tooLong: Candidate[] = [];
  for (const candidate of open.toSorted(byRelevance).slice(0, maxCandidates)) {
    const own = passagesOf(candidate, chosen.length, maxPassageTokens, countTokens);
    if (passages.length + own.length > PASSAGES_PER_CHUNK * maxCandidates) tooLong.push(candidate);
    else {
      chosen.push(candidate);
      passages.push(...own);
    }
  }
  return { chosen, passages, tooLong };
}

function incomplete(
  byChunk: Utilities['byChunk'],
  failures: readonly string[],
  chosen: readonly Candidate[],
  tooLong: readonly Candidate[],
): Omit<Degradation, 'stage'>[] {
  const without = [...chosen.filter((_, place) => byChunk[place] === undefined), ...tooLong];
  if (without.length === 0 && failures.length === 0) return [];
  const which =
    without.length === 0
      ? 'Some passages, or rounds, were not measured.'
      : `${without.length} chunks have no utility, relevance stands for it: ${without.map(({ id }) => JSON.stringify(id)).join(', ')}.`;
  const long =
    tooLong.length === 0
      ? ''
      : ` ${tooLong.length} of them have too many passages; raise ecs.maxPassageTokens.`;
  const why = failures[0] === undefined ? '' : ` ${failures[0]}`;
  return [{ code: 'ecs-incomplete', message: `${which}${long}${why}` }];
}
