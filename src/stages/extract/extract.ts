import type { ResolvedOptions } from '../../input/options.js';
import { complaints, fits, Ledger, type Limits, WORTH_RANKING } from '../../limits.js';
import type { PipelineOutput, PipelineStage } from '../../pipeline.js';
import { evict, isBlank } from '../../pool/candidate.js';
import { latestOf } from '../../pool/latest.js';
import { byRelevance, pinnedFirst } from '../../pool/ranking.js';
import { isByWords } from '../../relevance/features.js';
import { questionInContext } from '../../relevance/question-in-context.js';
import { type ScoredUnit, scoreUnits } from '../../relevance/units.js';
import type { Unit } from '../../text/units/page.js';
import type { Candidate, Degradation, EvictionReason } from '../../types.js';
import { Draft, sharedFactsOf } from './draft.js';

const NAME = 'extract';

type ExtractOptions = Exclude<ResolvedOptions['extract'], false>;

/**
 * Cuts chunks to the units (sentences, list items, table rows, …) that answer the query best, as many as the token budget
 * holds, so that evidence from more chunks fits. Units are verbatim, in the order of the text, with offsets, and never cut.
 * A unit includes everything that it cannot be read without (the header of a table, the line that introduces a list),
 * its heading, and the sentence that it refers to. An announcement includes the first unit that it announces. The budget
 * is filled: `draft.ts` has the order in which units are taken. If a table's header and a row exceed the whole budget, the
 * row has the last row of the header only, and the report says so.
 *
 * It acts only if the tokens do not fit, and only if relevance is by words of the query. Pinned chunks stay whole as long as
 * they fit. Ties go to the chunk that was selected first, then to the earlier unit.
 */
export function extract({ gap }: ExtractOptions): PipelineStage {
  return {
    name: NAME,
    async run(input): Promise<PipelineOutput> {
      const { candidates, countTokens, lexicon, limits, pacer, query } = input;
      const { k: _, ...tokenLimits } = limits;
      const asItWas = { kept: candidates, evicted: [] };
      if (!isByWords(candidates) || fits(candidates, tokenLimits)) return asItWas;
      const isRanked = candidates.some(({ signals }) => signals.rank !== undefined);
      const ranked = candidates.toSorted(pinnedFirst(isRanked ? () => 0 : byRelevance));
      const line = worthReading(ranked, limits);
      const known = await latestOf(lexicon, NAME, { candidates: line }, async () => {
        const question = questionInContext(query, line, lexicon);
        const found = await scoreUnits(question, line, lexicon, pacer);
        const facts = line.map((candidate, chunk) =>
          sharedFactsOf(candidate, found.byChunk[chunk] as readonly Unit[]),
        );
        return { ...found, facts };
      });
      const { byChunk, scored, facts } = known;
      const draft = new Draft<ScoredUnit>(line, byChunk, scored, { gap, limits, countTokens, facts });
      for (const [chunk, { pinned }] of line.entries()) if (pinned) draft.addWhole(chunk);
      draft.fill();
      draft.settle();
      const kept = draft.candidates();
      if (kept.every(isBlank)) return asItWas;
      const stays = new Set(kept.map(({ index }) => index));
      const bestOf = bestUnits(scored, line);
      const wanted = new Ledger(limits);
      for (const candidate of candidates) wanted.add(candidate, candidate.signals.tokens);
      for (const { chunk, relevance } of draft.taken()) wanted.keep(line[chunk] as Candidate, relevance);
      const limitOf = (candidate: Candidate) => {
        const { maxTokens, trust } = wanted.left(candidate);
        if (maxTokens < 0) return 'maxTokens';
        return trust < 0 ? 'trust' : 'perSource';
      };
      const gone = candidates.filter(({ index }) => !stays.has(index));
      const evicted = gone.map((candidate) => {
        const relevance = bestOf.get(candidate.index);
        const limit = limitOf(candidate);
        const why: EvictionReason = {
          reason: 'over-budget',
          limit,
          ...wanted.lastKept(candidate, limit, relevance),
        };
        return evict(candidate, NAME, why);
      });
      return {
        kept,
        evicted,
        degradations: [...withoutHeader(draft.incomplete()), ...complaints(NAME, ranked, evicted)],
      };
    },
  };
}

const withoutHeader = (candidates: readonly Candidate[]): Degradation[] =>
  candidates.map(({ id }) => ({
    stage: NAME,
    code: 'header-over-budget',
    message: `Rows of ${JSON.stringify(id)} are kept without the whole header of their table, which does not fit the budget beside them. Raise budget.maxTokens.`,
  }));

/** Relevance of the best unit of each chunk that was read, by index of the chunk; 0 if no unit may answer. */
function bestUnits(scored: readonly ScoredUnit[], line: readonly Candidate[]): Map<number, number> {
  const best = new Map(line.map(({ index }) => [index, 0]));
  for (const { chunk, relevance } of scored) {
    const { index } = line[chunk] as Candidate;
    best.set(index, Math.max(best.get(index) as number, relevance));
  }
  return best;
}

/** The first candidates, with many times the tokens that can be kept, and all pinned ones. Nothing after them would be kept. */
function worthReading(line: readonly Candidate[], limits: Limits): readonly Candidate[] {
  const { available = Number.POSITIVE_INFINITY, perSource = Number.POSITIVE_INFINITY } = limits;
  let tokens = 0;
  const ledger = new Ledger(limits);
  const end = line.findIndex((candidate, place) => {
    // Tokens of a source beyond its quota exclude no other candidate.
    const room = Math.max(0, perSource - ledger.tokensOfDocument(candidate));
    tokens += Math.min(candidate.signals.tokens, room);
    ledger.add(candidate, candidate.signals.tokens);
    return !candidate.pinned && place >= WORTH_RANKING.least && tokens > WORTH_RANKING.times * available;
  });
  return end === -1 ? line : line.slice(0, end);
}
