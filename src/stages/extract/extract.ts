import type { PipelineOutput, PipelineStage } from '../../pipeline.js';
import { evict, isBlank } from '../../pool/candidate.js';
import { byRelevance, pinnedFirst } from '../../pool/ranking.js';
import { isByWords } from '../../relevance/features.js';
import { belowFloor, WorthOfRoom } from '../../relevance/floor.js';
import { questionOf } from '../../relevance/passage.js';
import type { ScoredUnit } from '../../relevance/units.js';
import type { Unit } from '../../text/units.js';
import type { Candidate } from '../../types.js';
import { complaints, fits, type Limits, Tally, tokensOfTier, WORTH_RANKING } from '../shared/limits.js';
import { RoomToKeep } from '../shared/room-to-keep.js';

const NAME = 'extract';
/**
 * Cuts chunks to the units (sentences, list items, table rows, …) that answer the query best, as many as the
 * token budget holds, so that the evidence of more chunks fits. Verbatim, in the order of the text, with
 * offsets; never inside a unit. A unit brings what it cannot be read without (the header of a table, the line
 * that introduces a list), its heading, and the sentence that it leans on; what announces something, the first of it.
 * Room is left rather than filled with what is far less relevant than what was picked.
 *
 * Acts only if the tokens do not fit, and only where relevance is by words of the query. Pinned chunks stay whole
 * while they fit. Ties go to the chunk that was selected first, then to the earlier unit.
 */
export function extract({ gap }: { gap: string }): PipelineStage {
  return {
    name: NAME,
    async run(input): Promise<PipelineOutput> {
      const { candidates, countTokens, evicted: before, lexicon, limits, pacer, query } = input;
      const { k: _, ...tokenLimits } = limits;
      const asItWas = { kept: candidates, evicted: [] };
      if (!isByWords(candidates) || fits(candidates, tokenLimits)) return asItWas;
      // Not before there is pressure: pages load less at once.
      modules ??= await load();
      const [{ Draft }, { scoreUnits }] = modules;
      const isRanked = candidates.some(({ signals }) => signals.rank !== undefined);
      const ranked = candidates.toSorted(pinnedFirst(isRanked ? () => 0 : byRelevance));
      const line = worthReading(ranked, limits);
      const total = new Tally();
      for (const candidate of candidates) total.add(candidate);
      const share = Math.min(1, (limits.available ?? total.tokens) / total.tokens);
      const question = questionOf(query.text, lexicon);
      const { byChunk, scored } = await scoreUnits(question, line, lexicon, { share, pacer });
      const draft = new Draft(line, byChunk, { gap, limits, countTokens });
      for (const [chunk, { pinned }] of line.entries()) if (pinned) draft.addWhole(chunk);
      const inTurn = inTurnOf(scored, line, byChunk);
      const worth = new WorthOfRoom(scored[0]?.relevance ?? 0);
      const isUnderPressure = (candidate: Candidate) =>
        total.tokens > (limits.available ?? Number.POSITIVE_INFINITY) ||
        total.ofDocument(candidate) > (limits.perSource ?? Number.POSITIVE_INFINITY) ||
        total.ofTier(candidate) > tokensOfTier(candidate, limits);
      const isWorthIt = ({ chunk, relevance }: ScoredUnit) => {
        const candidate = line[chunk] as Candidate;
        return candidate.pinned || relevance >= worth.floor(draft.fullness) || !isUnderPressure(candidate);
      };
      for (const unit of inTurn) {
        const { fullness } = draft;
        if (isWorthIt(unit) && draft.add(unit)) worth.picked(unit.relevance, fullness);
        if (pacer.due()) await pacer.pause();
      }
      // Better little than nothing.
      draft.settle(inTurn, draft.isEmpty ? () => true : isWorthIt);
      const kept = draft.candidates();
      if (kept.every(isBlank)) return asItWas;
      const stays = new Set(kept.map(({ index }) => index));
      // What the last of a full budget was not worth went for want of room.
      const floor = worth.floor(0);
      const bestOf = bestUnits(scored, line);
      const room = new RoomToKeep(candidates, before, limits);
      const limitOf = (candidate: Candidate) => {
        if (total.tokens > (limits.available ?? Number.POSITIVE_INFINITY)) return 'maxTokens';
        return total.ofTier(candidate) > tokensOfTier(candidate, limits) ? 'trust' : 'perSource';
      };
      const evicted = candidates
        .filter(({ index }) => !stays.has(index))
        .map((candidate) => {
          const relevance = bestOf.get(candidate.index);
          const isBelow = relevance !== undefined && relevance < floor;
          const limit = limitOf(candidate);
          return evict(
            candidate,
            NAME,
            isBelow
              ? belowFloor(relevance, floor)
              : { reason: 'over-budget', limit, budgetToKeep: room.of(candidate, limit) },
          );
        });
      return { kept, evicted, degradations: complaints(NAME, ranked, evicted) };
    },
  };
}

/** Of each chunk that was read the relevance of its best unit, by its index; 0 if it has none that may answer. */
function bestUnits(scored: readonly ScoredUnit[], line: readonly Candidate[]): Map<number, number> {
  const best = new Map(line.map(({ index }) => [index, 0]));
  for (const { chunk, relevance } of scored) {
    const { index } = line[chunk] as Candidate;
    best.set(index, Math.max(best.get(index) as number, relevance));
  }
  return best;
}

/** To ask for them again takes a while even where they are there. */
let modules: Awaited<ReturnType<typeof load>> | undefined;
const load = () => Promise.all([import('./draft.js'), import('../../relevance/units.js')]);

/** White space that is not one space between two words: hardly any sentence has it. */
const UNEVEN = /[^\S ]| {2}|^ | $/;

/** Units of pinned chunks first. What says the same as a unit before it comes after all that does not. */
function inTurnOf(
  scored: readonly ScoredUnit[],
  line: readonly Candidate[],
  byChunk: readonly (readonly Unit[])[],
): ScoredUnit[] {
  const said = new Set<string>();
  const turns: ScoredUnit[][] = [[], [], []];
  for (const unit of scored) {
    const { text, pinned } = line[unit.chunk] as Candidate;
    const { start, end } = (byChunk[unit.chunk] as readonly Unit[])[unit.place] as Unit;
    const lower = text.slice(start, end).toLowerCase();
    const words = UNEVEN.test(lower) ? lower.replace(/\s+/g, ' ').trim() : lower;
    turns[pinned ? 0 : said.has(words) ? 2 : 1]?.push(unit);
    said.add(words);
  }
  return turns.flat();
}

/** The beginning of the line that holds many times what can be kept: nothing behind it would be. */
function worthReading(
  line: readonly Candidate[],
  { available = Number.POSITIVE_INFINITY, perSource = Number.POSITIVE_INFINITY }: Limits,
): readonly Candidate[] {
  let tokens = 0;
  const ofSources = new Tally();
  const end = line.findIndex((candidate, place) => {
    // What a source has beyond its quota keeps nobody out.
    const room = Math.max(0, perSource - ofSources.ofDocument(candidate));
    tokens += Math.min(candidate.signals.tokens, room);
    ofSources.add(candidate);
    return place >= WORTH_RANKING.least && tokens > WORTH_RANKING.times * available;
  });
  return end === -1 ? line : line.slice(0, end);
}
