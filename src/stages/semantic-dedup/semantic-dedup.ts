import type { ResolvedOptions } from '../../input/options.js';
import type { PipelineStage } from '../../pipeline.js';
import { evict, inheritSources, renderedWith, withSignals } from '../../pool/candidate.js';
import type { TokenCounter } from '../../ports.js';
import { lazily } from '../../runtime/lazily.js';
import type { Candidate, Degradation, Eviction } from '../../types.js';
import { indexOf } from '../shared/indexed.js';
import { conflictsOf, rivalsOf } from './conflicts.js';
import { copiesIn } from './copies.js';
import { type Mark, settle } from './prefer.js';
import { Statements } from './statements.js';

const NAME = 'semantic-dedup';
const INCOMPLETE: Degradation = Object.freeze({
  stage: NAME,
  code: 'conflicts-incomplete',
  message:
    'The chunks have too many similar statements, so only the most similar pairs were compared. Some differences may be missing. Fetch fewer chunks, or set a namespace.',
});
/**
 * Texts are near-copies, and speak of one subject, if their Jaccard similarity is at least this. 99 % of the contradictions in
 * RAMDocs, and of those made from XQuAD, are at least as similar.
 */
const NEAR = 0.44;

/**
 * Evicts near-copies: texts with the same facts, words and signs in the same order (`nearForm`), whose vectors, if there
 * are any, are within `maxDistance`. No text goes because its vector is near. One of them stays and inherits the sources
 * of the others.
 *
 * Then it looks for conflicts: statements of two candidates that stay which state different facts at the same point. No
 * later stage treats these candidates as redundant with each other.
 *
 * The option `conflicts.prefer` puts one side of a conflict first and marks the candidates of the others as superseded;
 * their frame then names the preferred candidate, and its tokens are counted. `conflicts.drop` evicts those of them that
 * state nothing else.
 */
export function semanticDedup({
  maxDistance,
  conflicts: preferring = { drop: false },
  preview = false,
}: {
  maxDistance: number;
  conflicts?: ResolvedOptions['conflicts'];
  preview?: number | false;
}): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { candidates, lexicon, pacer } = input;
      if (candidates.length < 2) return { kept: candidates, evicted: [], conflicts: [] };
      const { copies, measure } = copiesIn(candidates, maxDistance, input);
      const copiesOf = new Map<Candidate, Candidate[]>();
      const gone = new Set<Candidate>();
      const evicted = copies.map(({ candidate, staying, distance }): Eviction => {
        gone.add(candidate);
        copiesOf.set(staying, [...(copiesOf.get(staying) ?? []), candidate]);
        const { id: keptId } = staying;
        return evict(candidate, NAME, {
          reason: 'semantic-duplicate',
          keptId,
          distance,
          maxDistance,
          measure,
        });
      });
      const staying = candidates
        .filter((candidate) => !gone.has(candidate))
        .map((candidate) => inheritSources(candidate, copiesOf.get(candidate) ?? []));
      const words = lazily(() => indexOf(staying, input));
      const nearby = (one: number, other: number) => {
        const index = words();
        const shared = index.sharedBy(one, other);
        return shared >= NEAR * (index.sizeOf(one) + index.sizeOf(other) - shared) ? shared : 0;
      };
      const statements = new Statements(staying, lexicon, nearby);
      const { pairs, others, isBounded } = await statements.rivals(pacer);
      const rivals = rivalsOf([...pairs, ...others], staying);
      const kept = staying.map((candidate, place) =>
        Object.freeze({ ...candidate, conflicts: Object.freeze([...(rivals.get(place) ?? [])]) }),
      );
      const listed = conflictsOf(pairs, statements, preview);
      const degradations: Degradation[] = isBounded ? [INCOMPLETE] : [];
      if (preferring.prefer == null || listed.length === 0) {
        return { kept, evicted, conflicts: listed, degradations };
      }
      const settled = settle(listed, kept, preferring);
      const stays: Candidate[] = [];
      for (const candidate of kept) {
        const mark = settled.superseded.get(candidate.index);
        if (mark === undefined) stays.push(candidate);
        else if (mark.goes) {
          const { by, because } = mark.superseded;
          evicted.push(evict(candidate, NAME, { reason: 'superseded', by, because }));
        } else stays.push(marked(candidate, mark, input.countTokens));
      }
      return { kept: stays, evicted, conflicts: settled.conflicts, degradations };
    },
  };
}

/** The candidate with its mark, in its frame if it has one. */
function marked(candidate: Candidate, { superseded, behind }: Mark, countTokens: TokenCounter): Candidate {
  const known = { ...candidate, superseded, behind };
  if (candidate.render === undefined) return Object.freeze(known);
  const rendered = renderedWith(known, candidate.text);
  return withSignals({ ...known, rendered }, { tokens: countTokens(rendered) });
}
