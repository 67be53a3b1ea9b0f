import { complaints, Ledger, type RoomLimit, roomForAll } from '../limits.js';
import type { PipelineOutput, PipelineStage } from '../pipeline.js';
import { cutTo, evict, isBlank, isCuttable, renderedWith } from '../pool/candidate.js';
import { byRelevance, pinnedFirst } from '../pool/ranking.js';
import type { TokenCounter } from '../ports.js';
import { isByWords } from '../relevance/features.js';
import { onDemand } from '../runtime/on-demand.js';
import { endOutsideEdits } from '../text/edits.js';
import type { Candidate, Degradation, Eviction } from '../types.js';

const NAME = 'budget';

/**
 * Packs candidates into the budget: pinned ones first, then in the order of `select`, or by relevance without it. A
 * candidate that does not fit is skipped, and packing continues. By the chosen token counter, the result never exceeds
 * the budget.
 *
 * If no text was packed and `allowEmpty` is false, the first candidate that can be cut is cut to fit: whole sentences from
 * its beginning, or whole words if the first sentence is too long. The report has a degradation for that, and for a best
 * candidate that does not fit while others do.
 */
export function budget(options: {
  allowEmpty: boolean;
  /** Whether an earlier stage cuts texts if relevance is by words. */
  extracts: boolean;
}): PipelineStage {
  const { allowEmpty, extracts } = options;
  return {
    name: NAME,
    async run({ candidates, countTokens, forRoom, limits }) {
      const isRanked = candidates.some(({ signals }) => signals.rank !== undefined);
      const line = candidates.toSorted(pinnedFirst(isRanked ? () => 0 : byRelevance));
      const packed = new Ledger(limits);
      const all = new Ledger(limits);
      for (const candidate of line) all.add(candidate, candidate.signals.tokens);
      const soFar = new Ledger(limits);
      const room = roomForAll(candidates, forRoom, limits);
      // With more room, clustering and extraction could evict candidates that packing would keep.
      const isPackedOnly = !room.hasClusters && !(extracts && isByWords(line));
      const kept: Candidate[] = [];
      const gone: { candidate: Candidate; limit: RoomLimit; budgetToKeep: number | null }[] = [];
      for (const candidate of line) {
        const { rank, relevance, tokens } = candidate.signals;
        soFar.add(candidate, tokens);
        const limit = packed.placeLimit(candidate) ?? packed.tokenLimit(candidate);
        if (limit === undefined) {
          kept.push(candidate);
          packed.add(candidate, tokens);
          packed.keep(candidate, relevance);
          continue;
        }
        // A candidate that was not ranked, because the budget was full, could come after all others.
        const ahead = isRanked && rank === undefined ? all : soFar;
        const budgetToKeep = isPackedOnly
          ? ahead.budgetToKeep(candidate, limit)
          : room.budgetToKeep(candidate, limit);
        gone.push({ candidate, limit, budgetToKeep });
      }
      const evicted = gone.map(({ candidate, limit, budgetToKeep }) => {
        const last = packed.lastKept(candidate, limit, candidate.signals.relevance);
        return evict(candidate, NAME, { reason: 'over-budget', limit, budgetToKeep, ...last });
      });
      if (evicted.length > 0 && !allowEmpty && kept.every(isBlank))
        return rescue(line, kept, evicted, packed, countTokens);
      return { kept, evicted, degradations: complaints(NAME, line, evicted) };
    },
  };
}

/** It is rarely needed, and pages load less at first. */
const loadCut = onDemand(() => import('../text/cut.js'));

/** Keeps the first candidate that has text for the room that is left, cut if needed, before the blank ones that fit. */
async function rescue(
  line: readonly Candidate[],
  blanks: readonly Candidate[],
  evicted: readonly Eviction[],
  packed: Ledger,
  countTokens: TokenCounter,
): Promise<PipelineOutput> {
  const { cutToFit } = await loadCut();
  const written = line.filter((candidate) => !isBlank(candidate));
  for (const candidate of written) {
    const { text, signals, index } = candidate;
    const room = packed.roomFor(candidate);
    const isWhole = signals.tokens <= room;
    const count = (piece: string) => countTokens(renderedWith(candidate, piece));
    const found = !isWhole && isCuttable(candidate) ? cutToFit(text, room, count) : undefined;
    const end = found && endOutsideEdits(found.end, candidate.edits ?? []);
    const piece = text.slice(found?.start, end).trimEnd();
    const excerpt =
      found === undefined || piece === ''
        ? undefined
        : { start: found.start, end: found.start + piece.length };
    if (!isWhole && excerpt === undefined) continue;
    // The rescued candidate counts for k.
    const k = packed.limits.k ?? Number.POSITIVE_INFINITY;
    const displaced = blanks
      .slice(k - 1)
      .map((blank) => evict(blank, NAME, { reason: 'outranked', k, margin: 0 }));
    const gone = [...evicted.filter((each) => each.index !== index), ...displaced];
    const rescued =
      excerpt === undefined
        ? candidate
        : cutTo(
            candidate,
            { text: text.slice(excerpt.start, excerpt.end), excerpts: [excerpt] },
            countTokens,
          );
    return {
      kept: [rescued, ...blanks.slice(0, k - 1)],
      evicted: gone,
      degradations: [
        ...complaints(NAME, line, gone),
        ...(excerpt === undefined
          ? []
          : [
              complaint(
                'cut-to-fit',
                room,
                `${JSON.stringify(candidate.id)} was cut to its first ${excerpt.end - excerpt.start} characters.`,
              ),
            ]),
      ],
    };
  }
  const first = (written[0] ?? line[0]) as Candidate;
  const none = 'and not one word of any: there is no text in the result.';
  return { kept: blanks, evicted, degradations: [complaint('nothing-fits', packed.roomFor(first), none)] };
}

const complaint = (code: 'cut-to-fit' | 'nothing-fits', room: number, what: string): Degradation => ({
  stage: NAME,
  code,
  message: `No chunk fits ${room} tokens${code === 'cut-to-fit' ? ';' : ','} ${what}`,
});
