import { evict } from '../candidate.js';
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
 * When nothing fits, and `allowEmpty` is false, the first candidate is cut to fit: whole sentences from
 * its beginning, or whole words if its first sentence is too long. The report says so.
 */
export function budget(options: { limits: Limits; countTokens: TokenCounter; allowEmpty: boolean }): Stage {
  const { limits, countTokens, allowEmpty } = options;
  return {
    name: NAME,
    run({ candidates }) {
      const meter = new Meter(limits);
      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      const degradations: Degradation[] = [];
      const ahead = new Ahead(candidates);
      for (const candidate of [
        ...candidates.filter(isPinned),
        ...candidates.filter((each) => !isPinned(each)),
      ]) {
        const demand = ahead.add(candidate);
        const limit = meter.add(candidate);
        if (limit === undefined) {
          kept.push(candidate);
          continue;
        }
        const budgetToKeep = limit === 'maxTokens' ? demand.all + limits.reserve : demand.source;
        evicted.push(evict(candidate, NAME, { reason: 'over-budget', limit, budgetToKeep }));
        if (candidate.pinned) {
          const message = `Pinned chunk ${JSON.stringify(candidate.id)} does not fit budget.${limit}.`;
          degradations.push({ stage: NAME, code: 'pinned-over-budget', message });
        }
      }
      const first =
        kept.length > 0 || allowEmpty
          ? undefined
          : candidates.find(({ index }) => index === evicted[0]?.index);
      if (first === undefined) return { kept, evicted, degradations };
      return rescue(first, evicted, degradations, limits, countTokens);
    },
  };
}

const isPinned = (candidate: Candidate) => candidate.pinned;

function rescue(
  first: Candidate,
  evicted: readonly Eviction[],
  degradations: readonly Degradation[],
  limits: Limits,
  countTokens: TokenCounter,
) {
  const room = Math.min(
    limits.available ?? Number.POSITIVE_INFINITY,
    limits.perSource ?? Number.POSITIVE_INFINITY,
  );
  // What the model sees around the text, metadata say, cannot be cut.
  const around = Math.max(0, first.signals.tokens - countTokens(first.text));
  const excerpt = cutToFit(first.text, room - around, countTokens);
  const id = JSON.stringify(first.id);
  if (excerpt === undefined) {
    const message = `No chunk fits ${room} tokens, and not one word of ${id}: the result is empty.`;
    return {
      kept: [],
      evicted,
      degradations: [...degradations, { stage: NAME, code: 'nothing-fits', message } as const],
    };
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
    kept: [cut],
    evicted: evicted.filter(({ index }) => index !== first.index),
    degradations: [...degradations, { stage: NAME, code: 'cut-to-fit', message } as const],
  };
}

/**
 * How much room makes sure that a candidate is kept: enough for everything up to it, itself included. One
 * that was not ranked, because the budget was full, could come after all others: enough for everything.
 */
class Ahead {
  readonly #total = new Tally();
  readonly #soFar = new Tally();
  readonly #ranked: boolean;

  constructor(candidates: readonly Candidate[]) {
    for (const candidate of candidates) this.#total.add(candidate);
    this.#ranked = candidates.some(({ signals }) => signals.rank !== undefined);
  }

  add(candidate: Candidate): { all: number; source: number } {
    this.#soFar.add(candidate);
    const tally = this.#ranked && candidate.signals.rank === undefined ? this.#total : this.#soFar;
    return { all: tally.all, source: tally.ofSource(candidate) };
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
