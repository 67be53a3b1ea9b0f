/**
 * Utility without an answer: by how much a passage makes the question more probable.
 *
 *   U(u; q) = ln P(q | u) − ln P(q) − β |u|
 *
 * in nats, with |u| in tokens: the pointwise mutual information of question and passage. Nothing is generated, so the model
 * cannot copy an answer from a passage that has nothing to do with the question.
 *
 * Sources: J. Ponte and W. B. Croft, "A language modeling approach to information retrieval", 1998 (query likelihood);
 * D. Sachan et al., "Improving passage retrieval with zero-shot question generation", 2022 (with a language model).
 */
import type { PipelineInput } from '../pipeline.js';
import { renderedWith } from '../pool/candidate.js';
import { chunkPassage, profileOf } from '../relevance/chunks.js';
import { textsWithoutEchoes } from '../relevance/echo.js';
import { questionInContext } from '../relevance/question-in-context.js';
import type { Candidate } from '../types.js';
import { type AskInput, continuationAfter } from './answer.js';
import { questionPrompt } from './prompt.js';
import { allFailed, isFailed, noBaseline } from './service.js';
import { medianOf, type Utilities, type Utility } from './utility.js';

/**
 * Measures each passage.
 *
 * @throws ContextShapingError `service`, if no passage can be scored, or the question cannot be scored without one.
 */
export async function utilitiesByQuestion({
  model,
  service,
  question,
  passages,
  lengthPenalty,
}: AskInput): Promise<Utilities> {
  const prompts = [questionPrompt(), ...passages.map(({ text }) => questionPrompt(text))];
  const [without, ...found] = await service.score(
    model,
    prompts.map((prompt) => ({ prompt, continuation: continuationAfter(prompt, question) })),
  );
  if (found.every(isFailed)) throw allFailed(found);
  if (without === undefined || isFailed(without)) throw noBaseline('question', without);
  const byPassage = passages.map(({ penalised }, at): Utility | undefined => {
    const each = found[at] as (typeof found)[number];
    if (isFailed(each)) return undefined;
    const utility = each.logprob - without.logprob - lengthPenalty * penalised;
    return { utility, exact: each.exact && without.exact };
  });
  return { byPassage, rounds: 1, failures: found.filter(isFailed).map(({ failure }) => failure) };
}

/** The question and the chunks as the model reads them. */
export interface Reading {
  /** With the words that it takes from the conversation before it. */
  readonly question: string;
  /** The chunks to measure, without a repetition of the question: nothing makes a question more probable than itself. */
  readonly open: readonly Candidate[];
  /** Indices of candidates that may have been written for the question: they repeat it, or are of a dependent group. */
  readonly written: ReadonlySet<number>;
}

/**
 * Reads the question and the chunks as relevance does.
 *
 * @param open the chunks to measure, of `pool`.
 */
export function readForQuestion(
  open: readonly Candidate[],
  pool: readonly Candidate[],
  { query, lexicon }: Pick<PipelineInput, 'query' | 'lexicon'>,
): Reading {
  const question = questionInContext(query, pool, lexicon);
  const profile = profileOf(pool);
  const passages = pool.map((candidate) => chunkPassage(candidate, lexicon, profile));
  const echoes = textsWithoutEchoes(passages, question, lexicon);
  const echoAt = new Map(pool.map(({ index }, at) => [index, echoes[at]]));
  const carried = question.carried?.words.map(({ word }) => word) ?? [];
  return {
    question: carried.length === 0 ? query.text : `${query.text} (${carried.join(', ')})`,
    open: open.map((candidate) => {
      const without = echoAt.get(candidate.index);
      if (without === undefined) return candidate;
      const { text, heading: title } = without;
      const [own, ...others] = candidate.sources;
      const sources = [{ ...own, title }, ...others] as unknown as Candidate['sources'];
      return { ...candidate, text, rendered: renderedWith(candidate, text), sources };
    }),
    written: new Set(
      open.flatMap(({ index, isDependent }) =>
        isDependent || echoAt.get(index) !== undefined ? [index] : [],
      ),
    ),
  };
}

/**
 * Bounds the utility of chunks that may have been written for the question: it is at most the median of the other chunks, so
 * it lifts none of them above a chunk that was not. Without another chunk, nothing is bounded.
 */
export function withinBounds(
  byPassage: Utilities['byPassage'],
  chunks: readonly Candidate[],
  written: ReadonlySet<number>,
): (Utility | undefined)[] {
  const isWritten = (at: number) => written.has((chunks[at] as Candidate).index);
  const most = medianOf(byPassage.flatMap((found, at) => (found && !isWritten(at) ? [found.utility] : [])));
  return byPassage.map((found, at) =>
    found && most !== undefined && isWritten(at) && found.utility > most
      ? { ...found, utility: most }
      : found,
  );
}
