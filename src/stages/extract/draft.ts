/** A context that is assembled from parts of chunks. */
import { cutTo, isCuttable } from '../../pool/candidate.js';
import type { TokenCounter } from '../../ports.js';
import type { Memory } from '../../runtime/memory.js';
import { join } from '../../text/join.js';
import type { Unit } from '../../text/units/page.js';
import { closure } from '../../text/units/units.js';
import type { Candidate } from '../../types.js';
import { type Limits, Meter } from '../shared/limits.js';

/** Number of units to try in the room that is left after tokens are counted. */
const ATTEMPTS = 32;
/**
 * A unit with the sentences that it refers to takes at most this share of the budget, except for the first unit; otherwise it
 * is added alone. Without that bound, .06 fewer questions of HotpotQA keep all their sentences at a tenth of the tokens; at
 * a quarter of the tokens it has no effect.
 */
const LEANING_SHARE = 1 / 4;

interface DraftOptions {
  readonly gap: string;
  readonly limits: Limits;
  readonly countTokens: TokenCounter;
  readonly memory: Memory;
}

/** A chunk, and the parts of it that are kept. */
interface Part {
  readonly candidate: Candidate;
  readonly units: readonly Unit[];
  /** Computed once, because it searches the text. */
  readonly cuttable: boolean;
  readonly kept: Set<number>;
  /** Whether a chunk without units, such as a blank one, is in as a whole. */
  isIn: boolean;
  /** Estimated until `settle`, then counted. */
  tokens: number;
}

/** Units that were added together. */
interface Step<U> {
  /** The unit whose turn it was. Absent if a whole chunk was added. */
  readonly unit?: U;
  readonly part: Part;
  readonly places: readonly number[];
  readonly tokens: number;
}

interface PlacedUnit {
  /** Place of the chunk among those given. */
  readonly chunk: number;
  /** Place of the unit in its chunk. */
  readonly place: number;
}

/**
 * Takes units as long as there is room for them. Tokens are estimated while it fills, because each count reads a whole
 * chunk, and counted in `settle`.
 */
export class Draft<U extends PlacedUnit> {
  readonly #parts: readonly Part[];
  readonly #steps: Step<U>[] = [];
  readonly #meter: Meter;
  readonly #gapTokens: number;

  constructor(
    candidates: readonly Candidate[],
    units: readonly (readonly Unit[])[],
    readonly options: DraftOptions,
  ) {
    this.#parts = candidates.map((candidate, chunk) => ({
      candidate,
      units: units[chunk] as readonly Unit[],
      cuttable: options.memory.of(candidate, 'cuttable', () => isCuttable(candidate)),
      kept: new Set(),
      isIn: false,
      tokens: 0,
    }));
    this.#meter = new Meter(options.limits);
    this.#gapTokens = options.countTokens(options.gap);
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /** How full the budget is, 0..1; 0 without one. */
  get fullness(): number {
    return this.#meter.used / (this.options.limits.available ?? Number.POSITIVE_INFINITY);
  }

  /** Adds the missing units of the chunk, if there is room for them. */
  addWhole(chunk: number): void {
    const part = this.#parts[chunk] as Part;
    const tokens = part.candidate.signals.tokens - part.tokens;
    const places = [...part.units.keys()].filter((place) => !part.kept.has(place));
    if (part.isIn || !this.#meter.holds(part.candidate, tokens)) return;
    if (places.length > 0) this.#take({ part, places, tokens });
    else if (part.units.length === 0) {
      part.isIn = true;
      this.#spend(part, tokens);
    }
  }

  /**
   * Adds the unit with the units that it needs and those that it refers to; without the latter if both take too much of the
   * budget. Returns whether it was added.
   */
  add(unit: U): boolean {
    const { chunk, place } = unit;
    const part = this.#parts[chunk] as Part;
    if (part.kept.has(place) || !this.#meter.holds(part.candidate, 1)) return false;
    const places = this.#wish(part, place).filter((each) => !part.kept.has(each));
    const tokens = this.#estimate(part, places);
    if (!this.#meter.holds(part.candidate, tokens)) return false;
    this.#take({ unit, part, places, tokens });
    return true;
  }

  #wish(part: Part, place: number): number[] {
    if (!part.cuttable) return [...part.units.keys()];
    const leaning = closure(part.units, place, true);
    const { available = Number.POSITIVE_INFINITY, perSource = Number.POSITIVE_INFINITY } =
      this.options.limits;
    const share = this.isEmpty ? 1 : LEANING_SHARE;
    const isTooMuch = this.#estimate(part, leaning) > share * Math.min(available, perSource);
    return isTooMuch ? closure(part.units, place, false) : leaning;
  }

  /**
   * Counts the tokens. While they are too many, it removes the units that were added last; then it tries the units of
   * `inTurn` that are worth their room.
   */
  settle(inTurn: readonly U[], isWorthIt: (unit: U) => boolean): void {
    for (const part of this.#parts) if (part.kept.size > 0) this.#count(part);
    while (this.#meter.isOver() && this.#steps.length > 0) this.#takeBack();
    let attempts = 0;
    for (const unit of inTurn) {
      if (attempts === ATTEMPTS) break;
      if (!isWorthIt(unit) || !this.add(unit)) continue;
      attempts++;
      this.#count((this.#steps.at(-1) as Step<U>).part);
      if (this.#meter.isOver()) this.#undo(this.#steps.length - 1);
    }
    // Blank chunks take no room.
    for (const [chunk, { units }] of this.#parts.entries()) if (units.length === 0) this.addWhole(chunk);
  }

  /** The units that were added in their own turn, in the order of their turns. */
  taken(): U[] {
    return this.#steps.flatMap(({ unit }) => unit ?? []);
  }

  /** The candidates of which something is kept, cut to their units. */
  candidates(): Candidate[] {
    const found = this.#parts.filter(({ kept, isIn }) => kept.size > 0 || isIn);
    return found.map((part) => this.#cut(part));
  }

  #take(step: Step<U>): void {
    for (const place of step.places) step.part.kept.add(place);
    this.#steps.push(step);
    this.#spend(step.part, step.tokens);
  }

  /** Removes as many steps as the excess needs by estimate, so that few counts are needed. */
  #takeBack(): void {
    const touched = new Set<Part>();
    for (let last = this.#steps.length - 1; last >= 0 && this.#meter.isOver(); last--) {
      const { part, places, tokens } = this.#steps[last] as Step<U>;
      if (!this.#meter.isOver(part.candidate)) continue;
      this.#steps.splice(last, 1);
      for (const place of places) part.kept.delete(place);
      this.#spend(part, -Math.min(tokens, part.tokens));
      touched.add(part);
    }
    for (const part of touched) this.#count(part);
  }

  #undo(at: number): void {
    const [{ part, places }] = this.#steps.splice(at, 1) as [Step<U>];
    for (const place of places) part.kept.delete(place);
    this.#count(part);
  }

  #count(part: Part): void {
    this.#spend(part, (part.kept.size === 0 ? 0 : this.#cut(part).signals.tokens) - part.tokens);
  }

  #spend(part: Part, tokens: number): void {
    part.tokens += tokens;
    this.#meter.spend(part.candidate, tokens);
  }

  #cut({ candidate, units, kept }: Part): Candidate {
    if (kept.size === units.length) return candidate;
    const { gap, countTokens } = this.options;
    return cutTo(candidate, join(candidate.text, units, kept, gap), countTokens);
  }

  /** Estimates tokens by the share of the text. The first units also pay for the rendered text around it. */
  #estimate({ candidate, units, kept }: Part, places: readonly number[]): number {
    const { text, rendered, signals } = candidate;
    let length = kept.size === 0 ? rendered.length - text.length : 0;
    for (const place of places) length += (units[place] as Unit).end - (units[place] as Unit).start;
    const isApart = kept.size > 0 && !places.some((place) => kept.has(place - 1) || kept.has(place + 1));
    return (
      Math.ceil((signals.tokens * length) / Math.max(1, rendered.length)) + (isApart ? this.#gapTokens : 0)
    );
  }
}
