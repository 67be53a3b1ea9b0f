import { mapped, tiny, toSorted } from '../math/steps.js';
import { cosine } from '../math/vectors.js';
import type { PipelineOutput, PipelineStage } from '../pipeline.js';
import { documentOf, isBlank, withSignals } from '../pool/candidate.js';
import { by, byScore } from '../pool/ranking.js';
import { answerableOf } from '../relevance/answerable.js';
import { chunkPassage, profileOf } from '../relevance/chunks.js';
import { COEFFICIENTS } from '../relevance/coefficients.js';
import { withoutEchoes } from '../relevance/echo.js';
import { LEXICAL, lexicalFeatures } from '../relevance/features.js';
import { aboveFloor } from '../relevance/floor.js';
import type { Question } from '../relevance/passage.js';
import { loadBackground, questionInContext } from '../relevance/question-in-context.js';
import { retrievalFeatures, scale } from '../relevance/retrieval.js';
import { type SupportGroup, supportGroups } from '../relevance/support-groups.js';
import { type Values, weightedMean } from '../relevance/weighted-mean.js';
import type { ShapingQuery } from '../stage.js';
import { TermList } from '../text/term-list.js';
import type { Candidate, Degradation, Ranking } from '../types.js';

type Weights = Readonly<Record<string, number | undefined>>;

/**
 * Measures relevance to the query, 0..1 within this pool: the weighted mean of the features that a candidate has. Lexical
 * features are shares of the best value in the pool. Other features are scaled from the least to the greatest value in the
 * pool, except for the place in a ranked list. A feature that is missing, or the same for all candidates, does not count.
 * Without any feature, relevance is absent and scores decide. The relevance of a blank text is 0, at any score.
 *
 * Evicts candidates below `floor`, unless they are pinned. If all are below it, the most relevant stays, unless
 * `allowEmpty` is true.
 *
 * Weights are learned: one set for passages of documents, one for conversations of people, one for chats with an
 * assistant. Explicit `weights` override them.
 */
export function relevance({
  weights: given,
  preview = false,
  ...least
}: {
  weights: Weights;
  /** Whether the report may have words of the conversation. */
  preview?: boolean;
  floor: number;
  allowEmpty: boolean;
}): PipelineStage {
  return {
    name: 'relevance',
    async run(input) {
      const { query, lexicon, pacer } = input;
      const { ranked } = input.listOrder;
      // Ties within features go to the first candidate in this order: best score first, if the list is no ranking.
      const candidates = await pacer.run(toSorted(input.candidates, ranked ? byPlace : byScore));
      const profile = profileOf(candidates);
      const weights: Weights = { ...COEFFICIENTS[profile], ...given };
      for (const { text } of candidates) {
        lexicon.read(text);
        if (pacer.due()) await pacer.pause();
      }
      const { contradicting, outlying, ...retrieval } = await pacer.run(
        retrievalFeatures(candidates, ranked),
      );
      const isRetrieved = ranked || candidates.some(({ score }) => score !== undefined);
      const background = isRetrieved ? await loadBackground() : undefined;
      const question = await questionInContext(query, candidates, lexicon);
      const list = new TermList();
      const whole = await pacer.run(
        mapped(
          candidates,
          (candidate) => chunkPassage(candidate, lexicon, profile, list),
          ({ text }) => text.length,
        ),
      );
      const passages = await pacer.run(withoutEchoes(whole, question, lexicon.vocabulary));
      const lexical = await pacer.run(
        lexicalFeatures(question, passages, lexicon, {
          names: LEXICAL.filter((name) => (weights[name] ?? 0) > 0),
          language: background,
        }),
      );
      const cosines = await pacer.run(
        mapped(candidates, ({ vector }) =>
          vector && query.vector ? cosine(vector, query.vector) : undefined,
        ),
      );
      const features: Record<string, Values | undefined> = {
        ...lexical,
        cosine: scale(cosines),
        ...retrieval,
        entropy: scale(candidates.map(({ signals }) => signals.entropy?.blend)),
      };
      const relevances = await pacer.run(weightedMean(candidates.length, features, weights));
      const relevanceAt = new Map(
        await pacer.run(mapped(candidates, ({ index }, place) => [index, relevances[place]] as const, tiny)),
      );
      if (pacer.due()) await pacer.pause();
      // Support groups need relevance by words.
      const isByWords = LEXICAL.some((name) => features[name] !== undefined && (weights[name] ?? 0) > 0);
      const values = Float64Array.from(relevances, (own) => own?.value ?? 0);
      const line = isByWords
        ? await pacer.run(
            toSorted(
              [...candidates.keys()],
              (a, b) => (values[b] as number) - (values[a] as number) || a - b,
            ),
          )
        : [];
      if (pacer.due()) await pacer.pause();
      const mayJoin = (a: number, b: number) => {
        const [one, other] = [candidates[a] as Candidate, candidates[b] as Candidate];
        return one.tier === other.tier && !one.conflicts.includes(other.index);
      };
      const found = await pacer.run(supportGroups(question, passages, line, lexicon.vocabulary, mayJoin));
      const groups = found.map(({ places, ...said }) => ({
        ...said,
        members: places.map((place) => candidates[place] as Candidate),
      }));
      const groupOf = new Map(
        groups.flatMap(({ members }, group) => members.map(({ index }) => [index, group] as const)),
      );
      const measured = mapped(input.candidates, (candidate): Candidate => {
        if (isBlank(candidate)) return withSignals(candidate, { relevance: 0 });
        const own = relevanceAt.get(candidate.index);
        return own === undefined
          ? candidate
          : withSignals(candidate, {
              relevance: own.value,
              features: Object.freeze(own.parts),
              ...(groupOf.has(candidate.index) ? { support: groupOf.get(candidate.index) as number } : {}),
            });
      });
      const { degradations = [], ...rest } = aboveFloor('relevance', await pacer.run(measured), least);
      return {
        ...rest,
        ...told(groups),
        answerable: await pacer.run(answerableOf(question, passages, lexicon)),
        ranking: {
          ...input.listOrder,
          weights: profile,
          features: Object.keys(features).filter(
            (name) => features[name] !== undefined && (weights[name] ?? 0) > 0,
          ),
          ...toldOf(query, question, preview),
        },
        degradations: [...scoresLeftOut(contradicting, outlying), ...degradations],
      };
    },
  };
}

/** The report's entry on the conversation before the query. */
function toldOf(
  { history }: ShapingQuery,
  { carried }: Question,
  preview: boolean,
): Pick<Ranking, 'history'> {
  if (history === undefined) return {};
  const { words = [] } = carried ?? {};
  const inWords = { carried: words.map(({ word, weight }) => ({ word, weight })) };
  return { history: { turns: history.length, words: words.length, ...(preview ? inWords : {}) } };
}

/** Report entries of groups of chunks that say the same. */
function told(
  groups: readonly (Pick<SupportGroup, 'says' | 'areEntries'> & { members: readonly Candidate[] })[],
): Pick<PipelineOutput, 'support' | 'flagged'> {
  return {
    support: groups.map(({ says, members }) => ({
      ids: members.map(({ id }) => id),
      indices: members.map(({ index }) => index),
      says: [...says],
      sources: sourcesOf(members),
    })),
    flagged: groups.flatMap(({ members, areEntries }, support) => {
      const flag = {
        kind: 'dependent-group',
        support,
        members: members.length,
        sources: sourcesOf(members),
      } as const;
      return areEntries ? [] : members.map(({ id, index }) => ({ id, index, flags: [flag] }));
    }),
  };
}

/** Number of source documents; all candidates without a known one count as one. */
const sourcesOf = (members: readonly Candidate[]) => new Set(members.map(documentOf)).size;

const byPlace = by(({ index }) => -index);

function scoresLeftOut(contradicting: number, outlying: number): Degradation[] {
  const leftOut = (code: 'scores-contradict-order' | 'scores-outlying', count: number, why: string) =>
    count === 0 ? [] : [{ stage: 'relevance', code, message: `${count} scores were left out: ${why}` }];
  return [
    ...leftOut(
      'scores-contradict-order',
      contradicting,
      'the list is ranked, best first, but these scores rise along it. Give scores of which the greatest is best, or set ranked to false.',
    ),
    ...leftOut(
      'scores-outlying',
      outlying,
      'they are out of all proportion to the other scores. Give scores of one retriever only.',
    ),
  ];
}
