/**
 * Finds statements of different chunks that say something else of the same thing, in any surroundings.
 *
 * Statements are sentences, list items and rows of tables. Equal statements count once. Pairs come from an index of
 * rare terms; the share of their terms in common, by weight, decides which pairs are read. Reading means to align the
 * words of both.
 *
 *   idf(t) = ln((1 + n) / (1 + df)) + 1                   over n distinct statements
 *   a pair is read if  Σ idf(shared) ≥ .5 · the lighter statement  and  ≥ .3 · the heavier
 *
 * Source: K. Spärck Jones, "A statistical interpretation of term specificity and its application in retrieval", 1972.
 */
import { log } from '../../math/elementary.js';
import { Heap } from '../../math/heap.js';
import { joined } from '../../relevance/passage.js';
import { lazily } from '../../runtime/lazily.js';
import type { Pacer } from '../../runtime/pacer.js';
import { alignmentOf } from '../../text/facts/alignment.js';
import { ONE_STATEMENT, sameItems } from '../../text/facts/contradiction.js';
import { type FactDifference, factsOf } from '../../text/facts/facts.js';
import type { Facts } from '../../text/facts/reader.js';
import {
  areOneDocument,
  areTitledAlike,
  contentOf,
  haveOneTitle,
  isAddition,
  isOneSubject,
  isReplacedOnce,
  NOTED,
  namesFirst,
  partsOf,
  type Setting,
  type StatementDifference,
  statementDifference,
  statementFactsOf,
  withoutVersion,
} from '../../text/facts/statements.js';
import type { Lexicon } from '../../text/lexicon.js';
import { normalise } from '../../text/normalise.js';
import type { Unit, UnitKind } from '../../text/units/page.js';
import { titledUnitsIn, unitsIn } from '../../text/units/units.js';
import type { Candidate } from '../../types.js';
import { byText, ranksByText } from './by-text.js';

/** The number or sign of an item of a list. */
const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)]|\[ ?\d{1,3} ?\])\s+/;
/** Numbers of sources behind a sentence. */
const CITATIONS = /(?<!\s|\[ ?\d{1,3} ?\])\s*(?:\[ ?\d{1,3} ?\]\s*)+$/;
/** Notes of where and when a text was found or written. */
const REFERENCE =
  /^(?:archived|retrieved|accessed|(?:\w+ )?last (?:updated|modified|edited|changed|reviewed)|published|posted|updated)\b|(?:©|\(c\)|\bcopyright\b)[ ©(c),]{0,6}\d{4}\b|\b(?:rights reserved|droits réservés|rechte vorbehalten|derechos reservados|diritti riservati|direitos reservados)\b/i;
const STATES: ReadonlySet<UnitKind> = new Set(['sentence', 'item', 'row', 'record']);
/** Longer sentences are lists, or texts without stops. In characters. */
const LONGEST = 600;
/** Terms in at most this share of the statements, or in at most this many, are rare. */
const RARE_SHARE = 0.04;
const RARE = 8;
/** Each statement is found by at least this many terms. Some of them are the values that differ. */
const LEAST_TERMS = 5;
/** Least number of these terms that a pair shares. */
const LEAST_SHARED = 2;
/** Least weight that two statements share, as a share of the weight of the lighter and of the heavier one. */
const SHARED_OF_LIGHTER = 0.5;
const SHARED_OF_HEAVIER = 0.3;
/**
 * Most pairs that are read in one call, those that share most first: so many for each statement, but not fewer than the
 * least and not more than the most.
 */
const READ = { each: 4, least: 2000, most: 4000 };
/** Most steps of the search for pairs in one call. */
const MOST_STEPS = 4_000_000;

/** A statement, and the chunks that have it under one heading. */
export interface Statement extends Setting {
  readonly text: string;
  readonly kind: UnitKind;
  /** Places of candidates, in the order given. */
  readonly places: number[];
  readonly heading: readonly string[];
  readonly headingText: string;
  /** The first line of its record, or the header of its table. Statements of other records and tables are not compared. */
  readonly header: string;
  readonly namespace: string;
  readonly terms: Int32Array;
}

/** A statement with the facts in which it differs from others. */
export interface Claim {
  readonly statement: Statement;
  /** The facts that differ from those of a rival, and these. */
  readonly facts: readonly string[];
  readonly others: readonly string[];
}

export interface StatementPair extends StatementDifference {
  readonly statements: readonly [Statement, Statement];
}

/** The statements of some candidates. */
export class Statements {
  readonly #all: readonly Statement[];

  private constructor(
    readonly candidates: readonly Candidate[],
    /** By place: the statements of the candidate, in the order of its text. */
    readonly byPlace: ReadonlyMap<number, readonly Statement[]>,
    readonly lexicon: Lexicon,
    readonly pacer: Pacer,
  ) {
    this.#all = [...new Set([...byPlace.values()].flat())];
  }

  /** @param places of candidates, in the order in which sides are to be reported. */
  static async of(
    candidates: readonly Candidate[],
    places: readonly number[],
    lexicon: Lexicon,
    pacer: Pacer,
  ): Promise<Statements> {
    return new Statements(candidates, await statementsOf(candidates, places, lexicon, pacer), lexicon, pacer);
  }

  /**
   * Returns the pairs that say something else of the same thing. `isBounded`: the bound on the work acted, so that pairs may
   * be missing.
   */
  async rivals(): Promise<{ pairs: readonly StatementPair[]; isBounded: boolean }> {
    const [all, { lexicon, pacer }] = [this.#all, this];
    const { pairs: near, isBounded } = await alikePairs(all, lexicon.vocabulary.size, pacer);
    const pairs: StatementPair[] = [];
    for (const [at, other] of near) {
      if (pacer.due()) await pacer.pause();
      const statements = inTextOrder(all[at] as Statement, all[other] as Statement);
      if (!mayConflict(...statements)) continue;
      const [left, right] = statements.map((each) => this.#factsOf(each)) as [Facts, Facts];
      const found = statementDifference(left, right, ...statements);
      if (found !== undefined) pairs.push({ ...found, statements });
    }
    return { pairs, isBounded };
  }

  /** Returns the statements of two candidates that state the facts of each side. Without one it is the whole text. */
  stating(
    places: readonly [number, number],
    facts: readonly [readonly string[], readonly string[]],
  ): [Statement, Statement] {
    const [left, right] = [places, places.toReversed()].map(([own, other]) =>
      (this.byPlace.get(own as number) ?? []).filter((each) => !each.places.includes(other as number)),
    ) as [Statement[], Statement[]];
    const [one, other] = [this.#stating(left, facts[0]), this.#stating(right, facts[1])];
    return [
      one ?? nearest(left, other) ?? this.#whole(places[0]),
      other ?? nearest(right, one) ?? this.#whole(places[1]),
    ];
  }

  #whole(place: number): Statement {
    const { text, namespace, sources } = this.candidates[place] as Candidate;
    const [{ title = '', source }] = sources;
    return {
      text,
      kind: 'block',
      // No entry of a menu, and no note about the text.
      isWhole: !FRAGMENT.test(text.trim()) && !REFERENCE.test(text.trim()),
      places: [place],
      title: wordsOf(withoutVersion(title), this.lexicon),
      heading: [],
      headingText: '',
      header: '',
      source,
      namespace,
      terms: new Int32Array(0),
    };
  }

  /** Returns whether at most one thing is replaced by another, in one record if they are lines of records. */
  isReplacedOnce(one: Statement, other: Statement): boolean {
    const isOneRecord = isRow(one) || isRow(other) || one.header === other.header;
    return isOneRecord && isReplacedOnce(this.#factsOf(one), this.#factsOf(other));
  }

  /**
   * Returns whether two statements of near texts have one subject. A title, the statements or the texts around them name it, or
   * they differ in something that no counter, date or other note of a page has.
   */
  areOneSubject(
    [one, other]: readonly [Statement, Statement],
    { kinds, differences }: FactDifference,
    places: readonly [number, number],
  ): boolean {
    if (!areTitledAlike(one, other) || areOneDocument(one, other)) return false;
    if (haveOneTitle(one, other) || !kinds.every((kind) => NOTED.has(kind))) return true;
    const [a, b] = [this.#factsOf(one), this.#factsOf(other)];
    const values = partsOf(differences.flat());
    if (one.isWhole && other.isWhole && namesFirst(a, values) && namesFirst(b, values)) return true;
    if (isOneSubject(a, b, one, other, values, true)) return true;
    const [left, right] = places.map((place) =>
      this.lexicon.found((this.candidates[place] as Candidate).text, factsOf),
    ) as [Facts, Facts];
    const around = sameItems(alignmentOf(left, right).places) - Math.min(contentOf(a), contentOf(b));
    return around > ONE_STATEMENT;
  }

  /**
   * Returns whether a candidate has a statement, other than those that are compared, that says what one of these says: it has
   * the facts that differ, and replaces nothing.
   */
  haveAlso(place: number, claims: readonly Claim[], compared: ReadonlySet<Statement>): boolean {
    const sought = claims.map(({ statement, facts, others }) => ({
      statement,
      isToHave: facts.length > 0,
      keys: keysIn(facts.length > 0 ? facts : others),
    }));
    return (this.byPlace.get(place) ?? []).some((own) => {
      if (compared.has(own)) return false;
      const said = this.#factsOf(own);
      return sought.some(({ statement, isToHave, keys }) => {
        const isOtherRecord = own.header !== '' && statement.header !== '' && own.header !== statement.header;
        if (isOtherRecord || isRow(own) !== isRow(statement)) return false;
        return hasAll(said, keys) === isToHave && isAddition(said, this.#factsOf(statement));
      });
    });
  }

  #stating(statements: readonly Statement[], keys: readonly string[]): Statement | undefined {
    const parts = keysIn(keys);
    return statements.find((each) => {
      const facts = this.#factsOf(each);
      return parts.some((key) => has(facts, key));
    });
  }

  #factsOf({ text }: Statement): Facts {
    return this.lexicon.found(text, statementFactsOf);
  }
}

/** Returns the facts that a difference names. */
const keysIn = (named: readonly string[]): string[] => named.flatMap((key) => key.split(', '));
const has = ({ facts, negations, known }: Facts, key: string): boolean =>
  facts.has(key) || negations.has(key) || known.has(key);
const hasAll = (facts: Facts, keys: readonly string[]): boolean => keys.every((key) => has(facts, key));

/** Returns the statement that shares most terms with another one. */
function nearest(statements: readonly Statement[], other: Statement | undefined): Statement | undefined {
  if (other === undefined) return undefined;
  const known = new Set(other.terms);
  const shared = ({ terms }: Statement) => terms.filter((term) => known.has(term)).length;
  return statements.toSorted((a, b) => shared(b) - shared(a))[0];
}

/** An alignment may depend on which text is first. So the order of the input does not decide it. */
const inTextOrder = (one: Statement, other: Statement): [Statement, Statement] =>
  byText(one.text, other.text) > 0 ? [other, one] : [one, other];

/** Returns whether two statements can be compared: of one namespace, of different chunks, rows of equal tables. */
function mayConflict(left: Statement, right: Statement): boolean {
  if (left.namespace !== right.namespace || left.header !== right.header) return false;
  if (isRow(left) !== isRow(right)) return false;
  if (isRow(left) && keyOfRow(left.text) !== keyOfRow(right.text)) return false;
  // A chunk that has both is on no side.
  return haveOther(left, right) && haveOther(right, left);
}

/** Returns whether a chunk has the first statement, but not the second. */
const haveOther = ({ places }: Statement, { places: others }: Statement): boolean =>
  places.some((place) => !others.includes(place));

/** No end of a sentence, and no label before a value; or a line that announces others. */
const FRAGMENT = /^(?!\[[ x]\])(?:[^:]*[^.!:。！।:"”’)\]`*_]|.*[::])$/s;
const isRow = ({ kind }: { readonly kind: UnitKind }): boolean => kind === 'row' || kind === 'record';
const keyOfRow = (row: string): string =>
  normalise(row.split(/[|,;\t]/).find((cell) => cell.trim() !== '') ?? '');

async function statementsOf(
  candidates: readonly Candidate[],
  places: readonly number[],
  lexicon: Lexicon,
  pacer: Pacer,
): Promise<Map<number, Statement[]>> {
  const found = new Map<string, Statement>();
  const byPlace = new Map<number, Statement[]>();
  const headings = new Map<string, readonly string[]>();
  const headingWords = (heading: string): readonly string[] => {
    const words = headings.get(heading) ?? wordsOf(withoutVersion(heading), lexicon);
    headings.set(heading, words);
    return words;
  };
  for (const place of places) {
    if (pacer.due()) await pacer.pause();
    const { text, namespace, sources } = candidates[place] as Candidate;
    const [{ title = '', source }] = sources;
    const units = titledUnitsIn(text, title, lexicon) ?? unitsIn(text, lexicon);
    const records = recordsOf(text, units);
    const titleWords = headingWords(title);
    const own: Statement[] = [];
    byPlace.set(place, own);
    for (const [at, unit] of units.entries()) {
      if (!STATES.has(unit.kind) || unit.end - unit.start > LONGEST) continue;
      const headingText = headingOf(text, units, unit);
      const header =
        unit.kind === 'row' || unit.kind === 'record' ? headerOf(text, units, unit) : (records[at] as string);
      const { start, end } = unit;
      const said = text.slice(start, end).trim().replace(LIST_MARK, '').replace(CITATIONS, '');
      if (/[?？]["'”’)]*$/.test(said) || isName(said) || REFERENCE.test(said)) continue;
      const key = [namespace, title, source ?? '', headingText, header, said].join('\u0000');
      const known = found.get(key);
      if (known !== undefined) {
        if (known.places.at(-1) === place) continue;
        known.places.push(place);
        own.push(known);
        continue;
      }
      const terms = distinct(lexicon.searchTermsWithin(text, start, end));
      if (terms.length < 2) continue;
      const statement = {
        text: said,
        kind: unit.kind,
        isWhole: isRow(unit) || !FRAGMENT.test(said),
        places: [place],
        title: titleWords,
        heading: headingWords(isRow(unit) || FIELD.test(header) ? headingText : `${headingText} ${header}`),
        headingText,
        header,
        source,
        namespace,
        terms,
      };
      found.set(key, statement);
      own.push(statement);
    }
  }
  return byPlace;
}

/** Returns whether a text is one word of a script with spaces. */
const isName = (text: string): boolean => !/\s/.test(text) && /^[\x21-\x7e]+$/.test(text);

const wordsOf = (text: string, lexicon: Lexicon): string[] =>
  text === '' ? [] : Array.from(lexicon.terms(text), (term) => lexicon.vocabulary.wordOf(term));

function headingOf(text: string, units: readonly Unit[], { heading }: Unit): string {
  const unit = heading === undefined ? undefined : units[heading];
  return unit === undefined
    ? ''
    : text
        .slice(unit.start, unit.end)
        .replace(/^[#\s]+/, '')
        .replace(/(?<![#\s:])[#\s:]+$/, '');
}

function headerOf(text: string, units: readonly Unit[], { needs: [header] }: Unit): string {
  const unit = header === undefined ? undefined : units[header];
  return unit === undefined ? '' : text.slice(unit.start, unit.end);
}

/**
 * Returns for each unit the line that names what lines of the form `key: value` describe: the one directly above them, or
 * the first of them. The first names itself too if it has no digit. Lines without one are compared with each other.
 */
function recordsOf(text: string, units: readonly Unit[]): string[] {
  const textAt = (place: number) => text.slice(units[place]?.start, units[place]?.end);
  const areFields = units.map(({ kind }, at) => kind === 'item' && FIELD.test(textAt(at)));
  /** Whether a field stands directly below the unit before it. */
  const isBelow = (at: number) =>
    at > 0 && areFields[at] === true && text.slice(units[at - 1]?.end, units[at]?.start) === '\n';
  let first = 0;
  return units.map((_, at) => {
    // A line directly above lines with values: "Article 4401".
    if (!areFields[at]) return isBelow(at + 1) ? textAt(at) : '';
    if (!areFields[at - 1]) first = at;
    if (isBelow(first)) return textAt(first - 1);
    const line = textAt(first);
    return first < at || (areFields[at + 1] && !/\d/.test(line)) ? line : '';
  });
}
const FIELD = /^\s*[^\s:][^:\n]{0,40}: \S/;

/** Returns the distinct terms of some parts, ascending. */
function distinct(parts: readonly Int32Array[]): Int32Array {
  const all = joined(parts).sort();
  return all.filter((term, at) => term !== all[at - 1]);
}

/** The terms of statements, as far as pairs are found by them. */
class Keys {
  readonly idfs: Float64Array;
  /** By statement: all terms by weight, and those of them that are no keys but may be shared. */
  readonly weights: Float64Array;
  readonly others: Float64Array;
  /** By statement: whether all its rare terms are keys, and no other terms. */
  readonly areRare: boolean[];
  /** By statement. */
  readonly keys: Int32Array[];
  /** By term: the number of statements that have it as a key. */
  readonly counts: Int32Array;
  /** Lists of this length and longer ones are left out, because all together would take too many steps. */
  readonly tooLong: number;

  constructor(statements: readonly Statement[], vocabulary: number) {
    const n = statements.length;
    const frequencies = new Int32Array(vocabulary);
    for (const { terms } of statements)
      for (const term of terms) frequencies[term] = (frequencies[term] as number) + 1;
    this.idfs = new Float64Array(vocabulary);
    for (const { terms } of statements) {
      for (const term of terms) this.idfs[term] ||= log((1 + n) / (1 + (frequencies[term] as number))) + 1;
    }
    this.weights = new Float64Array(n);
    this.others = new Float64Array(n);
    this.counts = new Int32Array(vocabulary);
    const most = Math.max(RARE, RARE_SHARE * n);
    this.areRare = [];
    this.keys = statements.map(({ terms }, at) => {
      const common = terms.filter((term) => (frequencies[term] as number) > 1);
      const rare = common.filter((term) => (frequencies[term] as number) <= most);
      const areRare = rare.length >= LEAST_TERMS;
      this.areRare.push(areRare);
      this.weights[at] = this.#weightOf(terms);
      this.others[at] = this.#weightOf(common);
      const keys = areRare
        ? rare
        : common
            .sort((a, b) => (frequencies[a] as number) - (frequencies[b] as number) || a - b)
            .subarray(0, LEAST_TERMS);
      this.others[at] = (this.others[at] as number) - this.#weightOf(keys);
      for (const key of keys) this.counts[key] = (this.counts[key] as number) + 1;
      return keys;
    });
    this.tooLong = this.#tooLong();
  }

  #weightOf(terms: Int32Array): number {
    let weight = 0;
    for (const term of terms) weight += this.idfs[term] as number;
    return weight;
  }

  #tooLong(): number {
    const lengths = this.counts.filter((count) => count > 1).sort();
    let steps = 0;
    for (const length of lengths) {
      steps += (length * (length - 1)) / 2;
      if (steps > MOST_STEPS) return length;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The most weight that two statements share, if they share keys of this weight. */
  mostShared(one: number, other: number, keys: number): number {
    const [left, right] = [this.others[one] as number, this.others[other] as number];
    return keys + (this.areRare[one] && this.areRare[other] ? Math.min(left, right) : left + right);
  }
}

interface Alike {
  readonly pair: readonly [number, number];
  readonly share: number;
}

/** Tolerance: sums in another order must not drop a pair. */
const EPSILON = 1e-9;

/**
 * Returns the pairs of places of statements that share enough weight, ascending, as many as may be read. The order of the
 * statements does not decide which pairs are left out.
 */
async function alikePairs(
  statements: readonly Statement[],
  vocabulary: number,
  pacer: Pacer,
): Promise<{ pairs: readonly (readonly [number, number])[]; isBounded: boolean }> {
  const all = new Keys(statements, vocabulary);
  const { idfs, weights, counts, tooLong } = all;
  const lists = new Map<number, Int32Array>();
  const lengths = new Int32Array(vocabulary);
  const near = new Int32Array(statements.length);
  const shared = new Uint32Array(statements.length);
  const sharedKeys = new Float64Array(statements.length);
  const mostRead = Math.min(READ.most, Math.max(READ.least, READ.each * statements.length));
  const ranks = lazily(() => ranksByText(statements.map(({ text }) => text)));
  const rankOf = ({ pair: [one, other] }: Alike) => {
    const [left, right] = [ranks()[one] as number, ranks()[other] as number];
    return Math.min(left, right) * statements.length + Math.max(left, right);
  };
  /** The pairs that share most. The first shares least. */
  const found = new Heap<Alike>(
    (a, b) => a.share < b.share || (a.share === b.share && rankOf(a) > rankOf(b)),
  );
  let isTooMany = false;
  for (const [at, { terms }] of statements.entries()) {
    if (pacer.due()) await pacer.pause();
    let nearby = 0;
    for (const key of all.keys[at] as Int32Array) {
      if ((counts[key] as number) >= tooLong) continue;
      const length = lengths[key] as number;
      let list = lists.get(key);
      if (list === undefined) {
        list = new Int32Array(counts[key] as number);
        lists.set(key, list);
      }
      const idf = idfs[key] as number;
      for (let place = 0; place < length; place++) {
        const other = list[place] as number;
        if (shared[other] === 0) near[nearby++] = other;
        shared[other] = (shared[other] as number) + 1;
        sharedKeys[other] = (sharedKeys[other] as number) + idf;
      }
      list[length] = at;
      lengths[key] = length + 1;
    }
    const weight = weights[at] as number;
    for (let place = 0; place < nearby; place++) {
      const other = near[place] as number;
      const isNear = (shared[other] as number) >= LEAST_SHARED;
      const keys = sharedKeys[other] as number;
      shared[other] = 0;
      sharedKeys[other] = 0;
      if (!isNear) continue;
      const lighter = Math.min(weight, weights[other] as number);
      const heavier = Math.max(weight, weights[other] as number);
      const least = Math.max(SHARED_OF_LIGHTER * lighter, SHARED_OF_HEAVIER * heavier);
      if (all.mostShared(at, other, keys) + EPSILON < least && tooLong === Number.POSITIVE_INFINITY) continue;
      const both = sharedWeight(terms, (statements[other] as Statement).terms, idfs);
      if (both + EPSILON < least) continue;
      const share = Math.round(both / heavier / EPSILON);
      const last = found.size < mostRead ? undefined : found.first;
      isTooMany ||= last !== undefined;
      if (last !== undefined && share < last.share) continue;
      found.push({ pair: [other, at], share });
      if (last !== undefined) found.pop();
    }
  }
  const pairs = found.all().map(({ pair }) => pair);
  return {
    pairs: pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]),
    isBounded: isTooMany || tooLong !== Number.POSITIVE_INFINITY,
  };
}

function sharedWeight(one: Int32Array, other: Int32Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const difference = (one[i] as number) - (other[j] as number);
    if (difference === 0) sum += weights[one[i] as number] as number;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return sum;
}
