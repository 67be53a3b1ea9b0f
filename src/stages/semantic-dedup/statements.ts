/**
 * Statements of chunks, and the pairs of them that say something else of the same thing.
 *
 * Statements are sentences, list items and rows of tables, as units are read. Only those of chunks with similar sentences get
 * their headings.
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import type { Pacer } from '../../runtime/pacer.js';
import { withoutEntities } from '../../text/entities.js';
import { isAddition, type StatementDifference, statementDifference } from '../../text/facts/difference.js';
import { disagree } from '../../text/facts/disagree.js';
import { type Facts, factsOf, type Item, keyOf } from '../../text/facts/reader.js';
import { mayBeOneSubject, type Setting, withoutVersion } from '../../text/facts/subject.js';
import { fold } from '../../text/fold.js';
import type { Lexicon } from '../../text/lexicon.js';
import type { Unit, UnitKind } from '../../text/units/page.js';
import { unitsUnder } from '../../text/units/units.js';
import type { Candidate } from '../../types.js';
import { similarPairs, type Worded, wordNumbers } from './similar.js';

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
/** A sentence that stands in more surroundings is a phrase of many pages. */
const MOST_SETTINGS = 6;

/** A statement, and the chunks that have it under one heading. */
export interface Statement extends Setting {
  readonly text: string;
  readonly kind: UnitKind;
  /** Places of candidates, ascending. */
  readonly places: number[];
  readonly headingText: string;
  /** The first line of its record, or the header of its table. Statements of other records and tables are not compared. */
  readonly header: string;
  readonly namespace: string;
}

/** A statement with the facts in which it differs from others. */
export interface Claim {
  readonly statement: Statement;
  /** The facts that differ from those of a rival, and these. */
  readonly facts: readonly string[];
  readonly others: readonly string[];
}

interface Pair {
  readonly statements: readonly [Statement, Statement];
}
export type StatementPair = Pair & StatementDifference;

/** A unit that states something, in chunks of one namespace. */
interface Sentence extends Worded {
  readonly namespace: string;
  /** The places of candidates that have it, and the offsets in their texts. */
  readonly standing: { readonly place: number; readonly start: number }[];
}

/** The statements of some candidates, in the order in which sides are to be reported. */
export class Statements {
  /** By place: the statements of the candidate by their offsets, in the order of its text. */
  readonly #byPlace = new Map<number, ReadonlyMap<number, Statement>>();
  readonly #known = new Map<string, Statement>();
  readonly #words = new Map<string, readonly string[]>();
  readonly #facts = new Map<string, Facts>();

  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
    /** The number of words that two candidates share if they are near-copies, else 0. */
    readonly nearby: (one: number, other: number) => number,
  ) {}

  /**
   * Returns the pairs that say something else of the same thing, and others in near-copies that state other facts.
   * `isBounded`: the bound on the work acted, so that pairs may be missing.
   */
  async rivals(
    pacer: Pacer,
  ): Promise<{ pairs: readonly StatementPair[]; others: readonly Pair[]; isBounded: boolean }> {
    const sentences = new Map<string, Sentence>();
    for (const place of this.candidates.keys()) {
      if (pacer.due()) await pacer.pause();
      this.#addSentences(place, sentences);
    }
    const similar = await similarPairs([...sentences.values()], areApart, pacer);
    // All chunks that have one of the sentences are read first, so that each statement knows its chunks.
    const settings = new Map<Sentence, readonly Statement[]>();
    for (const sentence of similar.pairs.flat()) {
      if (pacer.due()) await pacer.pause();
      if (!settings.has(sentence)) settings.set(sentence, this.#settingsOf(sentence));
    }
    const compared = new Set<string>();
    const pairs: StatementPair[] = [];
    const others: Pair[] = [];
    const numbers = new Map([...this.#known.values()].map((each, at) => [each, at]));
    for (const [one, other] of similar.pairs) {
      if (pacer.due()) await pacer.pause();
      for (const left of settings.get(one) ?? []) {
        for (const right of settings.get(other) ?? []) {
          const key = [numbers.get(left), numbers.get(right)].sort().join();
          if (compared.has(key) || !mayConflict(left, right)) continue;
          compared.add(key);
          this.#compare(left, right, pairs, others);
        }
      }
    }
    return { pairs, others, isBounded: similar.isBounded };
  }

  /** Adds the units of a candidate that state something, each with the words that count. */
  #addSentences(place: number, into: Map<string, Sentence>): void {
    const { text, namespace } = this.candidates[place] as Candidate;
    const { vocabulary } = this.lexicon;
    const numbers = vocabulary.found(wordNumbers);
    const [ids, starts] = [this.lexicon.words(text), this.lexicon.starts(text)];
    let next = 0;
    for (const unit of this.#unitsOf(place)) {
      const { start, end } = unit;
      let from = next;
      if (starts !== undefined) {
        while (from < ids.length && (starts[from] as number) < start) from++;
        for (next = from; next < ids.length && (starts[next] as number) < end; ) next++;
      }
      if (!mayState(unit)) continue;
      const said = text.slice(start, end).trim();
      const key = `${namespace}\u0000${said}`;
      const known = into.get(key);
      if (known !== undefined) {
        known.standing.push({ place, start });
        continue;
      }
      const own = starts === undefined ? vocabulary.idsOf(said.toLowerCase().match(WORD()) ?? []) : undefined;
      const words = own === undefined ? numbers(ids, from, next) : numbers(own, 0, own.length);
      if (words !== undefined) into.set(key, { text: said, words, namespace, standing: [{ place, start }] });
    }
  }

  #unitsOf(place: number): readonly Unit[] {
    const { text, sources } = this.candidates[place] as Candidate;
    return unitsUnder(text, sources[0].title, this.lexicon);
  }

  /** The statements that a sentence is under the headings of its chunks. */
  #settingsOf({ standing }: Sentence): readonly Statement[] {
    const all = standing.flatMap(({ place, start }) => this.#of(place).get(start) ?? []);
    return [...new Set(all)].slice(0, MOST_SETTINGS);
  }

  #compare(left: Statement, right: Statement, pairs: StatementPair[], others: Pair[]): void {
    // An alignment may depend on which text is first. So the order of the input does not decide it.
    const statements: [Statement, Statement] = left.text > right.text ? [right, left] : [left, right];
    const nearby = this.nearby(left.places[0] as number, right.places[0] as number);
    if (nearby === 0 && !mayBeOneSubject(...statements, nearby)) return;
    const [a, b] = statements.map((each) => this.#factsOf(each)) as [Facts, Facts];
    const found =
      statementDifference(a, b, ...statements, 0) ??
      (nearby > 0 ? statementDifference(a, b, ...statements, nearby) : undefined);
    if (found !== undefined) pairs.push({ ...found, statements });
    // In near-copies: the same of another subject.
    else if (nearby > 0 && disagree(a, b)) others.push({ statements });
  }

  #of(place: number): ReadonlyMap<number, Statement> {
    const known = this.#byPlace.get(place) ?? this.#read(place);
    this.#byPlace.set(place, known);
    return known;
  }

  /**
   * Returns whether a candidate has a statement, other than those that are compared, that says what one of these says: it has
   * the facts that differ, and replaces nothing.
   */
  haveAlso(place: number, claims: readonly Claim[], compared: ReadonlySet<Statement>): boolean {
    return [...this.#of(place).values()].some((own) => {
      if (compared.has(own)) return false;
      const said = this.#factsOf(own);
      return claims.some(({ statement, facts, others }) => {
        const isOtherRecord = own.header !== '' && statement.header !== '' && own.header !== statement.header;
        if (isOtherRecord || isRow(own) !== isRow(statement)) return false;
        const isToHave = facts.length > 0;
        return (
          hasAll(said, isToHave ? facts : others) === isToHave && isAddition(said, this.#factsOf(statement))
        );
      });
    });
  }

  #factsOf({ text }: Statement): Facts {
    const facts = this.#facts.get(text) ?? statementFactsOf(text);
    this.#facts.set(text, facts);
    return facts;
  }

  /** Reads the statements of a candidate. */
  #read(place: number): Map<number, Statement> {
    const { text, namespace, sources } = this.candidates[place] as Candidate;
    const [{ title = '', source }] = sources;
    const units = this.#unitsOf(place);
    const records = recordsOf(text, units);
    const found = new Map<number, Statement>();
    for (const [at, unit] of units.entries()) {
      if (!mayState(unit)) continue;
      const { start, end, kind } = unit;
      const headingText = headingOf(text, units, unit);
      const header = isRow(unit) ? headerOf(text, units, unit) : (records[at] as string);
      const said = text.slice(start, end).trim().replace(LIST_MARK, '').replace(CITATIONS, '');
      if (/[?？]["'”’)]*$/.test(said) || isName(said) || REFERENCE.test(said)) continue;
      const key = [namespace, title, source ?? '', headingText, header, said].join('\u0000');
      const heading = isRow(unit) || FIELD.test(header) ? headingText : `${headingText} ${header}`;
      const statement = this.#known.get(key) ?? {
        text: said,
        kind,
        isWhole: isRow(unit) || !FRAGMENT.test(said),
        places: [],
        title: this.#wordsOf(title),
        heading: this.#wordsOf(heading),
        headingText,
        header,
        source,
        namespace,
      };
      if (!statement.places.includes(place)) {
        statement.places.push(place);
        statement.places.sort((a, b) => a - b);
      }
      this.#known.set(key, statement);
      found.set(start, statement);
    }
    return found;
  }

  #wordsOf(name: string): readonly string[] {
    const known = this.#words.get(name);
    if (known !== undefined) return known;
    const terms = this.lexicon.terms(withoutVersion(name).trim());
    const words = Array.from(terms, (term) => this.lexicon.vocabulary.wordOf(term));
    this.#words.set(name, words);
    return words;
  }
}

const hasAll = ({ items, known }: Facts, keys: readonly string[]): boolean =>
  keys.every((key) => known.has(key) || items.some((item) => keyOf(item) === key));

/** Returns whether a unit is a statement, as far as its kind and its length tell. */
const mayState = ({ kind, start, end }: Unit): boolean => STATES.has(kind) && end - start <= LONGEST;

/** Returns whether each stands in a chunk of one namespace that lacks the other. */
function areApart(one: Sentence, other: Sentence): boolean {
  const lacks = (a: Sentence, b: Sentence) =>
    a.standing.some(({ place }) => b.standing.every((each) => each.place !== place));
  return one.namespace === other.namespace && lacks(one, other) && lacks(other, one);
}

/** A character of a script without spaces, or a word. */
const WORD = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}_]+`,
  'gu',
);

/** "For a day" is "for 1 day". */
const ONE = new Set(['a', 'an']);

/** Reads the facts of one statement, which colons and quotation marks do not divide. */
function statementFactsOf(text: string): Facts {
  const found = factsOf(withoutEntities(text));
  const items = found.items.map((item, at): Item => {
    const isOne = item.kind === 'unit' && ONE.has(found.items[at - 1]?.key ?? '');
    if (!isOne) return { ...item, sentence: 0 };
    return { key: `1 ${item.key}`, word: undefined, kind: 'number', sentence: 0 };
  });
  return { ...found, items };
}

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
  fold(row.split(/[|,;\t]/).find((cell) => cell.trim() !== '') ?? '').trim();

/** Returns whether a text is one word of a script with spaces. */
const isName = (text: string): boolean => !/\s/.test(text) && /^[\x21-\x7e]+$/.test(text);

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
