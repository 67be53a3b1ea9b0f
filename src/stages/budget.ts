import { evict, isBlank } from '../candidate.js';
import { type Limits, Meter } from '../limits.js';
import type { Stage } from '../pipeline.js';
import type { TokenCounter } from '../ports.js';
import { cutToFit } from '../text/cut.js';
import type { Candidate, Degradation, Eviction } from '../types.js';

const NAME = 'budget';

/**
 * Packs candidates in the order in which they come, pinned ones first; what does not fit is skipped and
 * packing goes on. Never a token over, under the declared counter.
 *
 * When nothing with text fits, and `allowEmpty` is false, the first candidate is cut to fit: whole sentences
 * from its beginning, or whole words if its first sentence is too long. The report says so, as it does when
 * the first in line does not fit and others do.
 */
export function budget(options: { limits: Limits; countTokens: TokenCounter; allowEmpty: boolean }): Stage {
  const { limits, countTokens, allowEmpty } = options;
  return {
    name: NAME,
    run({ candidates }) {
      const line = [...candidates.filter(isPinned), ...candidates.filter((each) => !isPinned(each))];
      const meter = new Meter(limits);
      const needs = new Needs(line, limits);
      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      for (const candidate of line) {
        needs.add(candidate);
        const limit = meter.add(candidate);
        if (limit === undefined) kept.push(candidate);
        else {
          const budgetToKeep = needs.of(candidate, limit, meter);
          evicted.push(evict(candidate, NAME, { reason: 'over-budget', limit, budgetToKeep }));
        }
      }
      const [first] = line;
      const isOut = first !== undefined && evicted[0]?.index === first.index;
      if (isOut && !allowEmpty && kept.every(isBlank))
        return rescue(first, kept, evicted, meter, countTokens);
      return { kept, evicted, degradations: complaints(line, evicted) };
    },
  };
}

const isPinned = (candidate: Candidate) => candidate.pinned;

/** What the caller would want to know of: pinned chunks that went, and the best one. */
function complaints(line: readonly Candidate[], evicted: readonly Eviction[]): Degradation[] {
  const degradations: Degradation[] = [];
  const candidates = new Map(line.map((candidate) => [candidate.index, candidate]));
  for (const eviction of evicted) {
    if (eviction.reason !== 'over-budget') continue;
    const { id, index, tokens, limit, budgetToKeep } = eviction;
    const pinned = candidates.get(index)?.pinned;
    if (!pinned && index !== line[0]?.index) continue;
    const what = pinned ? 'Pinned chunk' : 'The best chunk,';
    const message = `${what} ${JSON.stringify(id)} (${tokens} tokens) does not fit; budget.${limit} ${budgetToKeep} would keep it.`;
    degradations.push({ stage: NAME, code: pinned ? 'pinned-over-budget' : 'best-over-budget', message });
  }
  return degradations;
}

/** The first in line, cut to the room there is, before the blank ones that fitted. */
function rescue(
  first: Candidate,
  blanks: readonly Candidate[],
  evicted: readonly Eviction[],
  meter: Meter,
  countTokens: TokenCounter,
) {
  const room = meter.roomFor(first.sources[0].source);
  // What the model sees around the text, metadata say, cannot be cut.
  const around = Math.max(0, first.signals.tokens - countTokens(first.text));
  const excerpt = cutToFit(first.text, room - around, countTokens);
  const id = JSON.stringify(first.id);
  if (excerpt === undefined) {
    const message = `No chunk fits ${room} tokens, and not one word of ${id}: there is no text in the result.`;
    return { kept: blanks, evicted, degradations: [{ stage: NAME, code: 'nothing-fits', message } as const] };
  }
  const text = first.text.slice(excerpt.start, excerpt.end);
  const cut: Candidate = Object.freeze({
    ...first,
    text,
    excerpts: Object.freeze([excerpt]),
    signals: Object.freeze({ ...first.signals, tokens: around + countTokens(text) }),
  });
  const message = `No chunk fits ${room} tokens; ${id} was cut to its first ${excerpt.end - excerpt.start} characters.`;
  return {
    kept: [cut, ...blanks],
    evicted: evicted.filter(({ index }) => index !== first.index),
    degradations: [{ stage: NAME, code: 'cut-to-fit', message } as const],
  };
}

/**
 * How much room makes sure that a candidate is kept: enough for everything up to it, itself included. One
 * that was not ranked, because the budget was full, could come after all others: enough for everything.
 *
 * Where `k` alone would evict it, if all before it fitted, no budget makes sure. Then it is the room that it
 * lacked when its turn came.
 */
class Needs {
  readonly #total = new Tally();
  readonly #soFar = new Tally();
  readonly #isRanked: boolean;
  #count = 0;

  constructor(
    line: readonly Candidate[],
    readonly limits: Limits,
  ) {
    for (const candidate of line) this.#total.add(candidate);
    this.#isRanked = line.some(({ signals }) => signals.rank !== undefined);
  }

  add(candidate: Candidate): void {
    this.#soFar.add(candidate);
    this.#count++;
  }

  of(candidate: Candidate, limit: 'maxTokens' | 'perSource', meter: Meter): number {
    const { signals, sources } = candidate;
    const isAll = limit === 'maxTokens';
    const reserve = isAll ? this.limits.reserve : 0;
    if (this.#count > (this.limits.k ?? Number.POSITIVE_INFINITY)) {
      return reserve + signals.tokens + (isAll ? meter.used : meter.usedBy(sources[0].source));
    }
    const tally = this.#isRanked && signals.rank === undefined ? this.#total : this.#soFar;
    return reserve + (isAll ? tally.all : tally.ofSource(candidate));
  }
}

class Tally {
  all = 0;
  readonly #bySource = new Map<string | undefined, number>();

  add(candidate: Candidate): void {
    this.all += candidate.signals.tokens;
    this.#bySource.set(candidate.sources[0].source, this.ofSource(candidate) + candidate.signals.tokens);
  }

  ofSource({ sources }: Candidate): number {
    return this.#bySource.get(sources[0].source) ?? 0;
  }
}
