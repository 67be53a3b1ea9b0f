import { complaints, Ledger, type Limits, type RoomLimit } from '../limits.js';
import type { PipelineOutput, PipelineStage } from '../pipeline.js';
import { cutTo, evict, isBlank, isCuttable, renderedWith } from '../pool/candidate.js';
import { byRelevance, pinnedFirst } from '../pool/ranking.js';
import type { TokenCounter } from '../ports.js';
import { cutToFit } from '../text/cut.js';
import { endOutsideEdits } from '../text/edits.js';
import type { Candidate, Degradation, Eviction } from '../types.js';

const NAME = 'budget';
/**
 * Packs candidates into the budget: pinned ones first, then in the order of `select`, or by relevance without it. A
 * candidate that does not fit is skipped, and packing continues until `k` are packed. By the chosen token counter, the
 * result never exceeds the budget.
 *
 * If no text was packed and `allowEmpty` is false, the first candidate that can be cut is cut to fit: whole sentences from
 * its beginning, or whole words if the first sentence is too long. The report has a degradation for that, and for a best
 * candidate that does not fit while others do.
 */
export function budget({ allowEmpty }: { allowEmpty: boolean }): PipelineStage {
  return {
    name: NAME,
    async run({ candidates, countTokens, limits }) {
      const isRanked = candidates.some(({ signals }) => signals.rank !== undefined);
      const line = candidates.toSorted(pinnedFirst(isRanked ? () => 0 : byRelevance));
      const packed = new Ledger(limits);
      const kept: Candidate[] = [];
      const gone: { candidate: Candidate; limit: RoomLimit }[] = [];
      const { k = Number.POSITIVE_INFINITY } = limits;
      const beyond: Eviction[] = [];
      for (const candidate of line) {
        const { tokens } = candidate.signals;
        // Those that did not fit when `k` were selected may fit by now: others were cut, or a user's stage moved them.
        if (packed.chunks >= k && !candidate.pinned) {
          beyond.push(outranked(candidate, k));
          continue;
        }
        const limit = packed.placeLimit(candidate) ?? packed.tokenLimit(candidate);
        if (limit === undefined) {
          kept.push(candidate);
          packed.add(candidate, tokens);
          continue;
        }
        gone.push({ candidate, limit });
      }
      const fits = blockFits(limits);
      while (kept.length > 0 && !fits(kept.map(({ rendered }) => rendered))) {
        const candidate = kept.pop() as Candidate;
        packed.add(candidate, -candidate.signals.tokens, -1);
        gone.push({ candidate, limit: 'maxTokens' });
      }
      for (const candidate of kept) packed.keep(candidate, candidate.signals.relevance);
      const forRoomHere = gone.map(({ candidate, limit }) => {
        const last = packed.lastKept(candidate, limit, candidate.signals.relevance);
        return evict(candidate, NAME, { reason: 'over-budget', limit, ...last });
      });
      const evicted = [...forRoomHere, ...beyond];
      if (evicted.length > 0 && !allowEmpty && kept.every(isBlank))
        return rescue(line, kept, evicted, { packed, fits, countTokens });
      return { kept, evicted, degradations: complaints(NAME, line, evicted) };
    },
  };
}

/**
 * Returns a test whether the block of a frame fits as a whole. By an exact counter it does if its passages do. Estimates of
 * passages may sum to a few tokens less than that of the block, because the words of a text affect each other's.
 */
const blockFits =
  ({ blockTokens = () => 0, available = Number.POSITIVE_INFINITY }: Limits) =>
  (passages: readonly string[]): boolean =>
    blockTokens(passages) <= available;

/** Keeps the first candidate that has text for the room that is left, cut if needed, before the blank ones that fit. */
function rescue(
  line: readonly Candidate[],
  blanks: readonly Candidate[],
  evicted: readonly Eviction[],
  {
    packed,
    fits,
    countTokens,
  }: {
    packed: Ledger;
    fits: (passages: readonly string[]) => boolean;
    countTokens: TokenCounter;
  },
): PipelineOutput {
  const around = blanks.map(({ rendered }) => rendered);
  const written = line.filter((candidate) => !isBlank(candidate));
  for (const candidate of written) {
    const { text, signals, index } = candidate;
    const room = packed.roomFor(candidate);
    const isWhole = signals.tokens <= room && fits([...around, candidate.rendered]);
    const count = (piece: string) => {
      const rendered = renderedWith(candidate, piece);
      return fits([...around, rendered]) ? countTokens(rendered) : Number.POSITIVE_INFINITY;
    };
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
    const pinned = blanks.filter((blank) => blank.pinned);
    const others = blanks.filter((blank) => !blank.pinned);
    const places = Math.max(0, k - 1 - pinned.length);
    const displaced = others.slice(places).map((blank) => outranked(blank, k));
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
      kept: [rescued, ...pinned, ...others.slice(0, places)],
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
  const pinned = line.filter((candidate) => candidate.pinned);
  return {
    kept: blanks,
    evicted,
    degradations: [
      ...complaints(NAME, pinned, evicted),
      complaint('nothing-fits', packed.roomFor(first), none),
    ],
  };
}

/** The places are taken; how much it lacked to the last of them is not known here. */
const outranked = (candidate: Candidate, k: number): Eviction =>
  evict(candidate, NAME, { reason: 'outranked', k, margin: 0 });

const complaint = (code: 'cut-to-fit' | 'nothing-fits', room: number, what: string): Degradation => ({
  stage: NAME,
  code,
  message: `No chunk fits ${room} token${room === 1 ? '' : 's'}${code === 'cut-to-fit' ? ';' : ','} ${what}`,
});
