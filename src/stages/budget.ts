import { cutTo, evict, isBlank, isCuttable, renderedWith } from '../candidate.js';
import { endOutsideEdits } from '../edits.js';
import { complaints, type Limits, Meter, Tally } from '../limits.js';
import type { Stage } from '../pipeline.js';
import type { TokenCounter } from '../ports.js';
import { isByWords } from '../relevance/features.js';
import { belowFloor, WorthOfRoom } from '../relevance/floor.js';
import type { Candidate, Eviction } from '../types.js';

const NAME = 'budget';

/**
 * Packs candidates in the order in which they come, pinned ones first; what does not fit is skipped and
 * packing goes on, with what is not far less relevant than what was packed. Never a token over, under the declared counter.
 *
 * When nothing with text fits, and `allowEmpty` is false, the first candidate is cut to fit: whole sentences
 * from its beginning, or whole words if its first sentence is too long. The report says so, as it does when
 * the first in line does not fit and others do.
 */
export function budget(options: { limits: Limits; countTokens: TokenCounter; allowEmpty: boolean }): Stage {
  const { limits, countTokens, allowEmpty } = options;
  return {
    name: NAME,
    async run({ candidates }) {
      const line = [...candidates.filter(isPinned), ...candidates.filter((each) => !isPinned(each))];
      const meter = new Meter(limits);
      const needs = new Needs(line, limits);
      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      // What is relevant by its place alone is so more or less, not by so many times.
      const best = isByWords(line) ? Math.max(0, ...line.map(relevanceOf)) : 0;
      const worth = new WorthOfRoom(best);
      let isFull = false;
      for (const candidate of line) {
        needs.add(candidate);
        const share = meter.used / (limits.available ?? Number.POSITIVE_INFINITY);
        const floor = worth.floor(share);
        const relevance = relevanceOf(candidate);
        // Nothing is taken for its size alone, when better ones were too large.
        if (isFull && !candidate.pinned && !isBlank(candidate) && relevance < floor) {
          evicted.push(evict(candidate, NAME, belowFloor(relevance, floor)));
          continue;
        }
        const limit = meter.add(candidate);
        if (limit === undefined) {
          kept.push(candidate);
          if (best > 0) worth.picked(relevance, share);
        } else {
          isFull ||= limit === 'maxTokens';
          const budgetToKeep = needs.of(candidate, limit);
          evicted.push(evict(candidate, NAME, { reason: 'over-budget', limit, budgetToKeep }));
        }
      }
      const first = line.find((candidate) => !isBlank(candidate)) ?? line[0];
      const isOut = first !== undefined && evicted.some(({ index }) => index === first.index);
      if (isOut && !allowEmpty && kept.every(isBlank))
        return rescue(first, kept, evicted, meter, countTokens);
      return { kept, evicted, degradations: complaints(NAME, line, evicted) };
    },
  };
}

const isPinned = (candidate: Candidate) => candidate.pinned;

/** Of what was not measured nothing can be said against. */
const relevanceOf = ({ signals: { relevance = 1 } }: Candidate) => relevance;

/** The first in line, cut to the room there is, before the blank ones that fitted. */
async function rescue(
  first: Candidate,
  blanks: readonly Candidate[],
  evicted: readonly Eviction[],
  meter: Meter,
  countTokens: TokenCounter,
) {
  // Seldom needed: pages load less at once.
  const { cutToFit } = await import('../text/cut.js');
  const { maxTokens, perSource } = meter.roomFor(first);
  const room = Math.min(maxTokens, perSource);
  const count = (piece: string) => countTokens(renderedWith(first, piece));
  const found = isCuttable(first) ? cutToFit(first.text, room, count) : undefined;
  const id = JSON.stringify(first.id);
  const end = found && endOutsideEdits(found.end, first.edits ?? []);
  const text = first.text.slice(found?.start, end).trimEnd();
  if (found === undefined || text === '') {
    const message = `No chunk fits ${room} tokens, and not one word of ${id}: there is no text in the result.`;
    return { kept: blanks, evicted, degradations: [{ stage: NAME, code: 'nothing-fits', message } as const] };
  }
  const excerpts = [{ start: found.start, end: found.start + text.length }];
  const cut = cutTo(first, { text, excerpts }, countTokens);
  const message = `No chunk fits ${room} tokens; ${id} was cut to its first ${text.length} characters.`;
  // The cut one takes a place, too.
  const k = meter.limits.k ?? Number.POSITIVE_INFINITY;
  const displaced = blanks
    .slice(k - 1)
    .map((blank) => evict(blank, NAME, { reason: 'outranked', k, margin: 0 }));
  return {
    kept: [cut, ...blanks.slice(0, k - 1)],
    evicted: [...evicted.filter(({ index }) => index !== first.index), ...displaced],
    degradations: [{ stage: NAME, code: 'cut-to-fit', message } as const],
  };
}

/**
 * How much room makes sure that a candidate is kept: enough for everything up to it, itself included. One
 * that was not ranked, because the budget was full, could come after all others: enough for everything.
 * There is none where, with that much room, another limit or `k` would be in the way.
 */
class Needs {
  readonly #total = new Tally();
  readonly #soFar = new Tally();
  readonly #isRanked: boolean;

  constructor(
    line: readonly Candidate[],
    readonly limits: Limits,
  ) {
    for (const candidate of line) this.#total.add(candidate);
    this.#isRanked = line.some(({ signals }) => signals.rank !== undefined);
  }

  add(candidate: Candidate): void {
    this.#soFar.add(candidate);
  }

  of(candidate: Candidate, limit: 'maxTokens' | 'perSource'): number | null {
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
