import { cosine } from '../math/vectors.js';
import type { PipelineOutput, PipelineStage } from '../pipeline.js';
import { documentOf, isBlank, withSignals } from '../pool/candidate.js';
import { gate } from '../pool/gate.js';
import { by, byScore } from '../pool/ranking.js';
import { answerableOf } from '../relevance/answerable.js';
import { type ChunkProfile, chunkPassage, profileOf } from '../relevance/chunks.js';
import { COEFFICIENTS } from '../relevance/coefficients.js';
import { withoutEchoes } from '../relevance/echo.js';
import { LEXICAL, lexicalFeatures } from '../relevance/features.js';
import {
  COSINE,
  type Expert,
  logOddsOf,
  PLACE,
  placeValue,
  type Relevance,
  relevanceOf,
} from '../relevance/model.js';
import type { Question } from '../relevance/passage.js';
import { questionInContext } from '../relevance/question-in-context.js';
import { DEVIATIONS, similarityOf } from '../relevance/similarity.js';
import { type SupportGroup, supportGroups } from '../relevance/support-groups.js';
import type { ShapingQuery } from '../stage.js';
import * as everyday from '../text/background.js';
import type { Candidate, Ranking } from '../types.js';

/**
 * Measures relevance: the probability that a candidate holds evidence for the query (`relevance/model.ts`). The features
 * are measures of its words, and the cosine of its vector. The order of the list counts as far as it can be trusted.
 * Without words, vectors and order, relevance is absent. The relevance of a blank text is 0.
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
  floor,
  allowEmpty,
  isStatic = false,
  scores = 'order',
}: {
  weights: Readonly<Record<string, number | undefined>>;
  /** Whether the report may have words of the conversation. */
  preview?: boolean;
  floor: number;
  allowEmpty: boolean;
  /** Whether the embedder says that its vectors are those of a static model. */
  isStatic?: boolean;
  /** The meaning of the scores of candidates. */
  scores?: 'order' | 'cosine';
}): PipelineStage {
  return {
    name: 'relevance',
    async run(input) {
      const { query, lexicon, listOrder } = input;
      const { ranks, trust } = listOrder;
      // Ties within features go to the first candidate in this order: the best rank, or the best score.
      const byRank = by(({ index }) => -(ranks[index] as number));
      const candidates = input.candidates.toSorted(trust > 0 ? byRank : byScore);
      const profile = profileOf(candidates);
      const experts = expertsWith(COEFFICIENTS[profile], given);
      const names = LEXICAL.filter(
        (name) =>
          hasWeight(experts, name) ||
          ((query.vector !== undefined || scores === 'cosine') && name === 'coverage'),
      );
      // Passages are mostly retrieved for the question, so the pool does not show which of its words are rare.
      const language = profile === 'passages' ? everyday : undefined;
      const question = questionInContext(query, candidates, lexicon);
      const whole = candidates.map((candidate) => chunkPassage(candidate, lexicon, profile));
      const passages = withoutEchoes(whole, question, lexicon.vocabulary);
      const lexical = lexicalFeatures(question, passages, lexicon, { names, language });
      const features = Object.entries(lexical).filter(([name]) => hasWeight(experts, name));
      const isOrdered = trust > 0 && candidates.length > 1 && experts.ranked.place > 0;
      const size = candidates.length;
      // Without the copies that are gone.
      const rankAt = new Int32Array(size);
      for (let at = 1; at < size; at++) {
        const [before, own] = [candidates[at - 1] as Candidate, candidates[at] as Candidate];
        rankAt[at] = ranks[before.index] === ranks[own.index] ? (rankAt[at - 1] as number) : at;
      }
      const inputs = candidates.map((_, at) => ({
        size,
        values: features.map(([name, own]) => [name, own[at] ?? 0] as const),
        rank: isOrdered ? rankAt[at] : undefined,
      }));
      const cosines = cosinesOf(candidates, query.vector, scores);
      const kind = isStatic ? 'static' : profile === 'passages' ? 'passages' : 'turns';
      const deviations = given.cosine ?? DEVIATIONS[kind];
      const similarity =
        cosines && deviations > 0
          ? similarityOf(cosines, {
              deviations,
              words: inputs.map((each) => logOddsOf(relevanceOf(experts, { ...each, trust: 0 }).value)),
              places: isOrdered ? Array.from(rankAt, placeValue) : undefined,
              coverage: lexical.coverage?.reduce((most, each) => Math.max(most, each)) ?? 0,
              isVouchedFor: given.cosine !== undefined,
            })
          : undefined;
      const believed = trust * (1 - (similarity?.repeated ?? 0));
      const isMeasured = features.length > 0 || isOrdered || similarity !== undefined;
      const relevances = inputs.map((each, at) =>
        relevanceOf(experts, {
          ...each,
          trust: believed,
          cosine: similarity?.evidence[at],
        }),
      );
      const relevanceAt = new Map(
        candidates.map(
          ({ index }, place) => [index, relevances[place] as (typeof relevances)[number]] as const,
        ),
      );
      const line = names.some((name) => name in lexical)
        ? [...candidates.keys()].toSorted(
            (a, b) => (relevances[b]?.value as number) - (relevances[a]?.value as number) || a - b,
          )
        : [];
      const mayJoin = (a: number, b: number) => {
        const [one, other] = [candidates[a] as Candidate, candidates[b] as Candidate];
        return one.tier === other.tier && !one.conflicts.includes(other.index);
      };
      const groupsFound = supportGroups(question, passages, line, lexicon.vocabulary, mayJoin);
      const groups = groupsFound.map(({ places, ...said }) => ({
        ...said,
        members: places.map((place) => candidates[place] as Candidate),
      }));
      const groupOf = new Map(
        groups.flatMap(({ members }, group) => members.map(({ index }) => [index, group] as const)),
      );
      const measured = input.candidates.map((candidate): Candidate => {
        if (isBlank(candidate)) return withSignals(candidate, { relevance: 0 });
        if (!isMeasured) return candidate;
        const { value, parts } = relevanceAt.get(candidate.index) as Relevance;
        const support = groupOf.get(candidate.index);
        const isDependent = support !== undefined && groups[support]?.isDependent === true;
        return withSignals(isDependent ? { ...candidate, isDependent } : candidate, {
          relevance: value,
          features: Object.freeze(parts),
          ...(support === undefined ? {} : { support }),
        });
      });
      const { degradations, ...rest } = gate('relevance', measured, {
        fails: ({ pinned, signals: { relevance = 1 } }) => !pinned && relevance < floor,
        worth: ({ signals }) => signals.relevance ?? 0,
        reasonOf: ({ signals: { relevance = 0 } }) => ({
          reason: 'below-floor',
          floor,
          margin: Math.max(0, floor - relevance),
        }),
        allowEmpty,
        code: 'floor-lifted',
        option: 'relevance.floor',
        bound: floor,
        most: 'is the most relevant',
      });
      const { ranks: _, degradations: ofOrder, ...order } = listOrder;
      return {
        ...rest,
        ...told(groups),
        answerable: answerableOf(
          question,
          passages,
          lexicon,
          kind === 'passages' && cosines && similarity ? { cosines, trust: similarity.trust } : undefined,
        ),
        ranking: {
          ...order,
          trust: believed,
          weights: profile,
          features: [
            ...features.map(([name]) => name),
            ...(similarity ? [COSINE] : []),
            ...(isOrdered && believed > 0 ? [PLACE] : []),
          ],
          ...toldOf(query, question, preview),
        },
        degradations: [...ofOrder, ...degradations],
      };
    },
  };
}

/** The experts of a profile with the weights that the caller gives. */
function expertsWith(
  learned: (typeof COEFFICIENTS)[ChunkProfile],
  { place, cosine: _, ...given }: Readonly<Record<string, number | undefined>>,
): { words: Expert; ranked: Expert } {
  const own = Object.fromEntries(Object.entries(given).filter(([, weight]) => weight !== undefined));
  const over = (expert: Expert): Expert => ({
    ...expert,
    place: expert.place === 0 ? 0 : (place ?? expert.place),
    weights: { ...expert.weights, ...own } as Record<string, number>,
  });
  return { words: over(learned.words), ranked: over(learned.ranked) };
}

const hasWeight = ({ words, ranked }: { words: Expert; ranked: Expert }, name: string): boolean =>
  (words.weights[name] ?? 0) > 0 || (ranked.weights[name] ?? 0) > 0;

/** The cosines of the candidates and the query: of their vectors, else their scores. Undefined if one of them has none. */
function cosinesOf(
  candidates: readonly Candidate[],
  asked: Float32Array | undefined,
  scores: 'order' | 'cosine',
): number[] | undefined {
  const ofVectors = candidates.flatMap(({ vector }) => (vector && asked ? [cosine(vector, asked)] : []));
  if (ofVectors.length === candidates.length) return ofVectors;
  const ofScores = scores === 'cosine' ? candidates.flatMap(({ score }) => score ?? []) : [];
  return ofScores.length === candidates.length ? ofScores : undefined;
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
  groups: readonly (Pick<SupportGroup, 'says' | 'isDependent'> & { members: readonly Candidate[] })[],
): Pick<PipelineOutput, 'support' | 'flagged'> {
  return {
    support: groups.map(({ says, members }) => ({
      ids: members.map(({ id }) => id),
      indices: members.map(({ index }) => index),
      says: [...says],
      sources: sourcesOf(members),
    })),
    flagged: groups.flatMap(({ members, isDependent }, support) => {
      const flag = {
        kind: 'dependent-group',
        support,
        members: members.length,
        sources: sourcesOf(members),
      } as const;
      return isDependent ? members.map(({ id, index }) => ({ id, index, flags: [flag] })) : [];
    }),
  };
}

/** Number of source documents; all candidates without a known one count as one. */
const sourcesOf = (members: readonly Candidate[]) => new Set(members.map(documentOf)).size;
