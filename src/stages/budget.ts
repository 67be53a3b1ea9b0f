import { complaints, isForeseeable, type Limits, Meter, Places, type RoomLimit, Tally } from '../limits.js';
import type { PipelineOutput, PipelineStage } from '../pipeline.js';
import { cutTo, evict, isBlank, isCuttable, renderedWith } from '../pool/candidate.js';
import { byRelevance, pinnedFirst } from '../pool/ranking.js';
import type { TokenCounter } from '../ports.js';
import { isByWords } from '../relevance/features.js';
import { onDemand } from '../runtime/on-demand.js';
import { endOutsideEdits } from '../text/edits.js';
import type { Candidate, Degradation, Eviction, EvictionReason } from '../types.js';
import { LastKept } from './shared/last-kept.js';
import { RoomToKeep } from './shared/room-to-keep.js';

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
    async run({ candidates, countTokens, evicted: before, limits }) {
      const isRanked = candidates.some(({ signals }) => signals.rank !== undefined);
      const line = candidates.toSorted(pinnedFirst(isRanked ? () => 0 : byRelevance));
      const meter = new Meter(limits);
      const places = new Places(limits);
      const room = RoomToKeep.of(candidates, before, limits);
      const needs = new Needs(line, limits);
      // With more room, clustering and extraction could evict candidates that packing would keep.
      const isPackedOnly = !room.hasClusters && !(extracts && isByWords(line));
      const kept: Candidate[] = [];
      const gone: { candidate: Candidate; why: EvictionReason }[] = [];
      const last = new LastKept();
      for (const candidate of line) {
        needs.add(candidate);
        const limit = places.limitOf(candidate) ?? meter.add(candidate);
        if (limit === undefined) {
          kept.push(candidate);
          places.take(candidate);
          last.add(candidate, candidate.signals.relevance);
        } else {
          const budgetToKeep = (isPackedOnly ? needs : room).of(candidate, limit);
          gone.push({ candidate, why: { reason: 'over-budget', limit, budgetToKeep } });
        }
      }
      const evicted = gone.map(({ candidate, why }) => {
        if (why.reason !== 'over-budget') return evict(candidate, NAME, why);
        const evidence = last.evidence(candidate, why.limit, candidate.signals.relevance);
        return evict(candidate, NAME, { ...why, ...evidence });
      });
      if (evicted.length > 0 && !allowEmpty && kept.every(isBlank))
        return rescue(line, kept, evicted, meter, countTokens);
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
  meter: Meter,
  countTokens: TokenCounter,
): Promise<PipelineOutput> {
  const { cutToFit } = await loadCut();
  const roomFor = (candidate: Candidate) => {
    const { maxTokens, perSource, trust } = meter.roomFor(candidate);
    return Math.min(maxTokens, perSource, trust);
  };
  const written = line.filter((candidate) => !isBlank(candidate));
  for (const candidate of written) {
    const { text, signals, index } = candidate;
    const room = roomFor(candidate);
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
    const k = meter.limits.k ?? Number.POSITIVE_INFINITY;
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
  return { kept: blanks, evicted, degradations: [complaint('nothing-fits', roomFor(first), none)] };
}

const complaint = (code: 'cut-to-fit' | 'nothing-fits', room: number, what: string): Degradation => ({
  stage: NAME,
  code,
  message: `No chunk fits ${room} tokens${code === 'cut-to-fit' ? ';' : ','} ${what}`,
});

/**
 * Computes the limit at which a candidate is kept: enough for all candidates up to and including it. A candidate that was
 * not ranked, because the budget was full, could come after all others and needs enough for all. There is no such limit if
 * another limit or `k` would then exclude it.
 */
class Needs {
  readonly #total: Tally;
  readonly #soFar: Tally;
  readonly #isRanked: boolean;

  constructor(
    line: readonly Candidate[],
    readonly limits: Limits,
  ) {
    this.#total = new Tally(limits);
    this.#soFar = new Tally(limits);
    for (const candidate of line) this.#total.add(candidate);
    this.#isRanked = line.some(({ signals }) => signals.rank !== undefined);
  }

  add(candidate: Candidate): void {
    this.#soFar.add(candidate);
  }

  of(candidate: Candidate, limit: RoomLimit): number | null {
    if (!isForeseeable(limit, this.limits)) return null;
    const { k, available, perSource, reserve } = this.limits;
    const ahead = this.#isRanked && candidate.signals.rank === undefined ? this.#total : this.#soFar;
    if (ahead.count > (k ?? Number.POSITIVE_INFINITY)) return null;
    if (limit === 'maxTokens') {
      return ahead.ofDocument(candidate) > (perSource ?? Number.POSITIVE_INFINITY)
        ? null
        : ahead.tokens + reserve;
    }
    return ahead.tokens > (available ?? Number.POSITIVE_INFINITY) ? null : ahead.ofDocument(candidate);
  }
}
