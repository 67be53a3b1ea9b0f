/**
 * A context that is assembled from parts of chunks.
 *
 *   next = argmax_u gain(u) / √(cost(u) + 1)
 *
 * A unit is added together with the units that it needs. `gain` is the sum of the relevance of those that are not in yet
 * and can answer, `cost` the sum of their tokens. A header or a heading takes room once, but does not count in the cost:
 * otherwise no table would begin before all sentences are in. The root is between taking the most relevant units, which
 * may be long, and taking the most relevance per token, which prefers fragments. A unit that does not fit is skipped.
 *
 * Source: H. Lin, J. Bilmes, "Multi-document Summarization via Budgeted Maximization of Submodular Functions", 2010: the
 * greedy choice by gain / costʳ. r = ½ was chosen on seven sets, each with the model of the others.
 */

import { Ledger, type Limits } from '../../limits.js';
import { cutTo, isCuttable } from '../../pool/candidate.js';
import type { TokenCounter } from '../../ports.js';
import { IS_TABULAR, Joiner } from '../../text/join.js';
import type { Unit } from '../../text/units/page.js';
import { closure } from '../../text/units/units.js';
import type { Candidate } from '../../types.js';
import { Queue } from './queue.js';

/** Number of units to try in the room that is left after tokens are counted. */
const ATTEMPTS = 32;
/**
 * A unit with the sentences that it refers to takes at most this share of the budget, except for the first unit; otherwise it
 * is added alone. Without that bound, .06 fewer questions of HotpotQA keep all their sentences at a tenth of the tokens; at
 * a quarter of the tokens it has no effect.
 */
const LEANING_SHARE = 1 / 4;
/**
 * A part of a chunk with no more tokens and with less relevance is no evidence, but a scrap that filled the last room: a
 * name, a link, a remark.
 */
const SCRAP = { tokens: 8, relevance: 0.05 };
/** A unit that has no room for this share of its tokens by characters is not counted. */
const LEAST_COUNTED = 0.25;
/** Tokens between two units. */
const SEPARATOR = 1;

interface DraftOptions {
  readonly gap: string;
  readonly limits: Limits;
  readonly countTokens: TokenCounter;
  /** The facts of each chunk. Drafts of the same units share them. */
  readonly facts?: readonly Facts[] | undefined;
}

/** The facts of a chunk and its units that no limit changes. */
interface Facts {
  /** Computed once, because it searches the text. */
  readonly cuttable: boolean;
  readonly joiner: Joiner;
  /** Tokens of each unit, counted when they are first asked for. */
  readonly ofUnits: Float64Array;
  /** Places of units that others include. When one is added, the others cost less. */
  readonly shared: ReadonlySet<number>;
  /** By place, computed when it is first asked for: the unit with those that it needs, and without those that it refers to. */
  readonly needed: (readonly number[] | undefined)[];
  /** The same with the units that it refers to. */
  readonly leaning: (readonly number[] | undefined)[];
}

export const sharedFactsOf = (candidate: Candidate, units: readonly Unit[]): Facts => ({
  cuttable: isCuttable(candidate),
  joiner: new Joiner(candidate.text, units),
  ofUnits: new Float64Array(units.length).fill(-1),
  shared: new Set(
    units.flatMap(({ needs, heading, leansOn }) => [...needs, heading ?? [], leansOn ?? []].flat()),
  ),
  needed: new Array(units.length),
  leaning: new Array(units.length),
});

/** A chunk, and the parts of it that are kept. */
interface Part extends Facts {
  readonly candidate: Candidate;
  readonly units: readonly Unit[];
  readonly kept: Set<number>;
  /** The joined units. They are counted on demand, and forgotten when the part changes. */
  joined?: { readonly tokens: number; readonly places: readonly number[] } | undefined;
  /** By place, the units among those given that are read with it. Computed when it is first asked for. */
  readBy?: number[][];
  /** Whether a chunk without units, such as a blank one, is in as a whole. */
  isIn: boolean;
  /** The sum of its units until `settle`, then counted. */
  tokens: number;
  /** Relevance of each unit; 0 for those that cannot answer, and for those that say what a better unit says. */
  readonly relevance: Float64Array;
}

/** The closure of a unit, computed once for all drafts. */
function closureOf({ units, needed, leaning }: Part, place: number, lean: boolean): readonly number[] {
  const known = lean ? leaning : needed;
  const found = known[place] ?? closure(units, place, lean);
  known[place] = found;
  return found;
}

/** Units that were added together. */
interface Step<U> {
  /** The unit whose turn it was. Absent if a whole chunk was added. */
  readonly unit?: U;
  readonly part: Part;
  readonly places: readonly number[];
  readonly tokens: number;
}

interface RelevantUnit {
  /** Place of the chunk among those given. */
  readonly chunk: number;
  /** Place of the unit in its chunk. */
  readonly place: number;
  readonly says: number;
  readonly relevance: number;
}

/**
 * Takes units as long as there is room for them. While it fills, the tokens of a part are the sum of those of its units.
 * `settle` counts them.
 */
export class Draft<U extends RelevantUnit> {
  readonly #parts: readonly Part[];
  readonly #steps: Step<U>[] = [];
  readonly #ledger: Ledger;
  readonly #gapTokens: number;
  /** Whether tables have a mark where rows are left out. It must not cost a row. */
  #marksTables = false;
  /** By chunk: its units among those given, in their order. */
  readonly #unitsOf: readonly (readonly number[])[];
  /** Units of pinned chunks come first, and repetitions of an earlier unit last. */
  readonly #turns: Uint8Array;

  /** @param scored the units that may answer, best first. Ties go to the first. */
  constructor(
    candidates: readonly Candidate[],
    units: readonly (readonly Unit[])[],
    readonly scored: readonly U[],
    readonly options: DraftOptions,
  ) {
    this.#parts = candidates.map((candidate, chunk) => {
      const own = units[chunk] as readonly Unit[];
      return {
        ...(options.facts?.[chunk] ?? sharedFactsOf(candidate, own)),
        candidate,
        units: own,
        kept: new Set(),
        isIn: false,
        tokens: 0,
        relevance: new Float64Array(own.length),
      };
    });
    this.#ledger = new Ledger(options.limits);
    this.#gapTokens = options.countTokens(options.gap);
    this.#turns = new Uint8Array(scored.length);
    const said = new Set<number>();
    const unitsOf: number[][] = candidates.map(() => []);
    for (const [at, { chunk, place, says, relevance }] of scored.entries()) {
      const { candidate, relevance: ofUnits } = this.#parts[chunk] as Part;
      unitsOf[chunk]?.push(at);
      this.#turns[at] = candidate.pinned ? 0 : said.has(says) ? 2 : 1;
      if (!said.has(says)) ofUnits[place] = relevance;
      said.add(says);
    }
    this.#unitsOf = unitsOf;
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /** Takes the units in the order of their worth, until no other fits. */
  fill(): void {
    const queue = new Queue();
    const worths = new Float64Array(this.scored.length).fill(-1);
    const enter = (at: number) => {
      const worth = this.#worthOf(at);
      if (worth === worths[at]) return;
      worths[at] = worth;
      queue.push(at, this.#turns[at] as number, worth);
    };
    /** By chunk, the places that were added since its units were valued again. */
    const added: number[][] = [];
    for (let at = 0; at < this.scored.length; at++) enter(at);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const unit = this.scored[next.item] as U;
      // An older entry of a unit that is worth more by now.
      if (next.worth !== worths[next.item] || !this.add(unit)) continue;
      const { part, places } = this.#steps.at(-1) as Step<U>;
      for (const place of places) added[unit.chunk]?.push(place);
      if (!places.some((place) => part.shared.has(place))) continue;
      for (const at of this.#unitsWith(unit.chunk, added[unit.chunk])) {
        if (!part.kept.has((this.scored[at] as U).place)) enter(at);
      }
      added[unit.chunk] = [];
    }
  }

  /**
   * Returns the units of a chunk that cost less or more since these places were added. Before the first time,
   * those are all: the text around them is paid.
   */
  #unitsWith(chunk: number, added: readonly number[] | undefined): Iterable<number> {
    const own = this.#unitsOf[chunk] as readonly number[];
    if (added === undefined) return own;
    const part = this.#parts[chunk] as Part;
    if (part.readBy === undefined) {
      part.readBy = [];
      for (const at of own)
        for (const lean of [false, true])
          for (const place of closureOf(part, (this.scored[at] as U).place, lean)) {
            part.readBy[place] ??= [];
            part.readBy[place]?.push(at);
          }
    }
    const found = new Set<number>();
    // A gap beside a unit is no more if its neighbour is in.
    for (const place of added)
      for (const near of [place - 1, place, place + 1])
        for (const at of part.readBy[near] ?? []) found.add(at);
    return found;
  }

  /** The gain of a unit per root of its cost. Units that cannot answer are in `places` because others need them. */
  #worthOf(at: number): number {
    const { chunk, place, relevance } = this.scored[at] as U;
    const part = this.#parts[chunk] as Part;
    if (this.#turns[at] !== 1) return relevance / Math.sqrt(this.#cost(part, [place], byCharacters) + 1);
    const places = (this.#wishes(part, place, byCharacters)[0] as readonly number[]).filter(
      (each) => !part.kept.has(each),
    );
    const paid = places.filter((each) => each === place || (part.relevance[each] as number) > 0);
    const gain = paid.reduce((sum, each) => sum + (part.relevance[each] as number), 0);
    return gain / Math.sqrt(this.#cost(part, paid, byCharacters) + 1);
  }

  /** Adds the missing units of the chunk, if there is room for them. */
  addWhole(chunk: number): void {
    const part = this.#parts[chunk] as Part;
    const tokens = part.candidate.signals.tokens - part.tokens;
    const places = [...part.units.keys()].filter((place) => !part.kept.has(place));
    if (part.isIn || this.#ledger.roomFor(part.candidate) < tokens) return;
    if (places.length > 0) this.#take({ part, places, tokens });
    else if (part.units.length === 0) {
      part.isIn = true;
      this.#spend(part, tokens);
    }
  }

  /** Adds the unit with those that it is read with, as many as there is room for. Returns whether it was added. */
  add(unit: U): boolean {
    const part = this.#parts[unit.chunk] as Part;
    if (part.kept.has(unit.place)) return false;
    // Most units are left when there is little room. They are not counted.
    if (this.#ledger.roomFor(part.candidate) < LEAST_COUNTED * byCharacters(part, unit.place)) return false;
    for (const places of this.#wishes(part, unit.place)) {
      const missing = places.filter((each) => !part.kept.has(each));
      let tokens = this.#cost(part, missing);
      if (this.#ledger.roomFor(part.candidate) < tokens) {
        // Joined units may be a few tokens less than their sum.
        if (this.#ledger.roomFor(part.candidate) < tokens - missing.length - 1) continue;
        tokens = this.#joinedWith(part, missing) - part.tokens;
        if (this.#ledger.roomFor(part.candidate) < tokens) continue;
      }
      this.#take({ unit, part, places: missing, tokens });
      return true;
    }
    return false;
  }

  /**
   * Returns the units to add for a unit, best choice first. The first has those that it needs and those that it refers to,
   * unless all together take too much of the budget. The second has only those that it needs. If these exceed the whole
   * budget, a line of a table is without the upper rows of the header.
   */
  #wishes(part: Part, place: number, tokensOf = this.#counted): (readonly number[])[] {
    const { units } = part;
    const { available = Number.POSITIVE_INFINITY, perSource = Number.POSITIVE_INFINITY } =
      this.options.limits;
    const room = Math.min(available, perSource);
    const leaning = closureOf(part, place, true);
    const needed = closureOf(part, place, false);
    const { kind, needs, heading = [] } = units[place] as Unit;
    const wishes = [needed];
    if (
      leaning.length > needed.length &&
      (this.isEmpty || this.#cost(part, leaning, tokensOf) <= LEANING_SHARE * room)
    )
      wishes.unshift(leaning);
    if (IS_TABULAR.test(kind) && this.#cost(part, needed, tokensOf) > room)
      wishes.push([...needs, heading, place].flat());
    return wishes;
  }

  /**
   * Counts the tokens. While they are too many, it removes the units that were added last; then it tries the best of the
   * others in the room that is left. At last, chunks without a kept unit are added whole if they fit: a chunk goes only for
   * lack of room.
   */
  settle(): void {
    for (const part of this.#parts) if (part.kept.size > 0) this.#count(part);
    while (this.#ledger.isOver() && this.#steps.length > 0) this.#takeBack();
    let attempts = 0;
    for (const turn of [0, 1, 2]) {
      for (const [at, unit] of this.scored.entries()) {
        if (attempts === ATTEMPTS || this.#turns[at] !== turn || !this.add(unit)) continue;
        attempts++;
        this.#count((this.#steps.at(-1) as Step<U>).part);
        if (this.#ledger.isOver()) this.#undo(this.#steps.length - 1);
      }
    }
    for (let last = this.#steps.length - 1; last > 0; last--)
      if (this.#isScrap(this.#steps[last] as Step<U>)) this.#undo(last);
    this.#markTables();
    // First those that gaps and marks made longer than they were: then no part takes room that the whole would not. Other
    // kept parts stay parts, without the marks and lead-ins that the cut of a chunk left behind.
    for (const isPart of [true, false]) {
      for (const [chunk, { candidate, tokens, kept }] of this.#parts.entries())
        if (isPart ? candidate.signals.tokens <= tokens : kept.size === 0) this.addWhole(chunk);
    }
  }

  /** Whether a step is all that is kept of its chunk, and too little to read. The first step never is. */
  #isScrap({ unit, part, places }: Step<U>): boolean {
    const isAll = part.kept.size === places.length && part.kept.size < part.units.length;
    if (!isAll || unit === undefined || unit.relevance >= SCRAP.relevance || part.candidate.pinned)
      return false;
    // The text alone counts: a name under a header with its source is still a name.
    return places.reduce((sum, place) => sum + this.#counted(part, place) + SEPARATOR, 0) <= SCRAP.tokens;
  }

  /** Marks the gaps of tables if there is room for all marks. */
  #markTables(): void {
    const count = () => {
      for (const part of this.#parts) if (part.kept.size > 0) this.#count(part);
    };
    this.#marksTables = true;
    count();
    if (!this.#ledger.isOver()) return;
    this.#marksTables = false;
    count();
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

  /** The candidates with a line of a table that is kept without all that it needs. */
  incomplete(): Candidate[] {
    const found = this.#parts.filter(({ units, kept }) =>
      [...kept].some((place) => units[place]?.needs.some((need) => !kept.has(need))),
    );
    return found.map(({ candidate }) => candidate);
  }

  #take(step: Step<U>): void {
    for (const place of step.places) step.part.kept.add(place);
    step.part.joined = undefined;
    this.#steps.push(step);
    this.#spend(step.part, step.tokens);
  }

  /** Removes as many steps as the excess needs by estimate, so that few counts are needed. */
  #takeBack(): void {
    const touched = new Set<Part>();
    for (let last = this.#steps.length - 1; last >= 0 && this.#ledger.isOver(); last--) {
      const { part, places, tokens } = this.#steps[last] as Step<U>;
      if (!this.#ledger.isOver(part.candidate)) continue;
      this.#steps.splice(last, 1);
      for (const place of places) part.kept.delete(place);
      part.joined = undefined;
      this.#spend(part, -Math.min(tokens, part.tokens));
      touched.add(part);
    }
    for (const part of touched) this.#count(part);
  }

  #undo(at: number): void {
    const [{ part, places }] = this.#steps.splice(at, 1) as [Step<U>];
    for (const place of places) part.kept.delete(place);
    part.joined = undefined;
    this.#count(part);
  }

  #count(part: Part): void {
    this.#spend(part, (part.kept.size === 0 ? 0 : this.#cut(part).signals.tokens) - part.tokens);
  }

  #spend(part: Part, tokens: number): void {
    part.tokens += tokens;
    this.#ledger.add(part.candidate, tokens, 0);
  }

  #cut({ candidate, units, kept, joiner }: Part): Candidate {
    if (kept.size === units.length) return candidate;
    const { gap, countTokens } = this.options;
    return cutTo(candidate, joiner.join(kept, gap, this.#marksTables), countTokens);
  }

  /** The tokens of the part with more units. The kept units are counted once for all units that are tried. */
  #joinedWith(part: Part, missing: readonly number[]): number {
    const { candidate, units, kept, joiner } = part;
    if (kept.size + missing.length === units.length) return candidate.signals.tokens;
    if (kept.size === 0) return this.#cut({ ...part, kept: new Set(missing) }).signals.tokens;
    part.joined ??= {
      tokens: this.#cut(part).signals.tokens,
      places: [...kept].sort((a, b) => a - b),
    };
    const { clean = (text: string) => text } = candidate;
    const count = (text: string) => this.options.countTokens(clean(text));
    return part.joined.tokens + joiner.added(part.joined.places, missing, this.options.gap, count);
  }

  /** The tokens of these units. The first units also pay for the rendered text around them, and gaps cost, too. */
  #cost(part: Part, places: readonly number[], tokensOf = this.#counted): number {
    const { candidate, units, kept, cuttable } = part;
    const { text, rendered, signals } = candidate;
    if (!cuttable) return signals.tokens;
    const around = kept.size === 0 ? (signals.tokens * (rendered.length - text.length)) / rendered.length : 0;
    const tokens = places.reduce((sum, place) => sum + tokensOf(part, place) + SEPARATOR, 0);
    const isTabular = places.every((place) => IS_TABULAR.test((units[place] as Unit).kind));
    const isApart =
      kept.size > 0 && !isTabular && !places.some((place) => kept.has(place - 1) || kept.has(place + 1));
    return tokens + Math.ceil(around) + (isApart ? this.#gapTokens : 0);
  }

  #counted = ({ candidate, units, ofUnits }: Part, place: number): number => {
    if ((ofUnits[place] as number) < 0) {
      const { start, end } = units[place] as Unit;
      ofUnits[place] = this.options.countTokens(candidate.text.slice(start, end));
    }
    return ofUnits[place] as number;
  };
}

/** The tokens of a unit by its share of the characters: near enough to order units, and most are never counted. */
function byCharacters({ candidate: { signals, rendered }, units }: Part, place: number): number {
  const { start, end } = units[place] as Unit;
  return (signals.tokens * (end - start)) / rendered.length;
}
