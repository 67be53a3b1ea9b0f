import { lazily } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { DATE_WORDS, dateAt } from './dates.js';
import { isGerman, nameOf } from './names.js';
import { countNegations, isLanguage, isNumero, NEGATIONS } from './negations.js';
import { NUMBER_WORDS } from './number-words.js';
import { quantityAt } from './numbers.js';
import { type Opposites, oppositesIn } from './opposites.js';
import { wholeOf } from './signs.js';
import { type Sign, type Token, wordAt } from './tokens.js';
import { bareUnitAt, unitWords } from './units.js';
import type { Word } from './word.js';
import { setOf } from './word-lists.js';

/** The facts of one text, prepared for comparison. {@link factsOf} creates them. */
export interface Facts {
  /** The facts by folded form. */
  readonly facts: ReadonlyMap<string, Fact>;
  /** All words, stemmed, and facts, in order. */
  readonly items: readonly Item[];
  /**
   * Number of occurrences of each folded word. A name that the other text writes in lower case is not missing there.
   */
  readonly known: ReadonlyMap<string, number>;
  /** Numbers without their units, and the number of occurrences of each. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Number of occurrences of each negation. */
  readonly negations: ReadonlyMap<string, number>;
  readonly opposites: Opposites;
  /** All signs with their words, equal for two texts only if they have the same signs: see {@link wholeOf}. */
  readonly signs: string;
}

/** A word or a fact of a text. Every item has all properties, because engines need half the space for objects of one shape. */
export interface Item {
  key: string;
  /** The word, if the key is its stem. */
  readonly word: Word | undefined;
  /** The kind of a fact, or of an item that may be a fact. */
  readonly kind: FactKind | undefined;
  /** Number of its sentence, line or quotation in the text. */
  readonly sentence: number;
}

/** Returns the key of an item, or the word itself if the key is its stem. */
export const keyOf = ({ key, word }: Item): string => word?.folded ?? key;

export interface Fact {
  kind: FactKind;
  weak: boolean;
  count: number;
  /** The number of a quantity, without the unit. */
  number?: string;
}

/**
 * All words and marks with which facts other than names begin. Passing over the others saves a quarter of the reading time.
 */
const LISTED = lazily(() => new Set([...DATE_WORDS, ...NUMBER_WORDS, ...unitWords(), ...NEGATIONS]));
/** Returns whether a fact other than a name may begin with a folded word or mark. */
export const isListed = (word: string): boolean => LISTED().has(word);
const RANGE = setOf('- to or and');
/** Marks that separate their neighbours: "after rain, sun" and "after sun, rain", "Ann's son". */
const ITEM_MARKS = setOf(", 's");

/** The facts and items read so far. */
interface Draft {
  readonly tokens: readonly Token[];
  readonly german: boolean;
  readonly items: Item[];
  readonly facts: Map<string, Fact>;
  readonly known: Map<string, number>;
  readonly quantities: {
    number: string;
    unit: string;
    key: string | undefined;
    weak: boolean;
    start: number;
    end: number;
    item: Item;
  }[];
  readonly negations: string[];
  /** Signs with their words. */
  readonly signs: string[];
  /** Number of the sentence that is read. */
  sentence: number;
}

/** Reads the facts of a text from its tokens and signs. */
export function readFacts(tokens: readonly Token[], signs: readonly Sign[]): Facts {
  const known = new Map<string, number>();
  const words: Word[] = [];
  for (const { word } of tokens) {
    if (word === undefined) continue;
    const times = known.get(word.folded) ?? 0;
    if (times === 0 && word.placed.length > 0) words.push(word);
    known.set(word.folded, times + 1);
  }
  const german = isGerman(known);
  // This must come before parts of identifiers join the words.
  const opposites = oppositesIn(words, known);
  const draft: Draft = {
    tokens,
    german,
    items: [],
    facts: new Map(),
    known,
    quantities: [],
    negations: [],
    signs: signs.map(({ whole }) => whole),
    sentence: 0,
  };
  const { items, facts, quantities, negations } = draft;
  for (let at = 0; at < tokens.length; ) {
    if (tokens[at]?.sentence !== tokens[at - 1]?.sentence) draft.sentence++;
    at = readListed(draft, at) ?? readName(draft, at);
  }
  const numbers = new Map<string, number>();
  for (const { number, unit, key, weak, item } of quantities) {
    item.key = key ?? (unit === '' ? number : `${number} ${unit}`);
    note(facts, item.key, 'number', weak, number);
    count(numbers, number);
  }
  return {
    items,
    facts,
    known,
    numbers,
    negations: countNegations(negations),
    opposites,
    signs: wholeOf(draft.signs),
  };
}

/** Reads a fact that its words reveal. Like the functions below, it returns the index of the token after the fact. */
function readListed(draft: Draft, at: number): number | undefined {
  const { type, folded, word } = draft.tokens[at] as Token;
  if (type === 'sign') {
    state(draft, folded, 'sign', false);
    return at + 1;
  }
  if (type === 'word' && word !== undefined) {
    word.isListed ??= isListed(folded);
    if (!word.isListed) return undefined;
  } else if (type === 'mark' && !isListed(folded)) return undefined;
  return readDate(draft, at) ?? readQuantity(draft, at) ?? readNegation(draft, at) ?? readUnit(draft, at);
}

function readDate(draft: Draft, at: number): number | undefined {
  const date = dateAt(draft.tokens, at);
  if (date !== undefined) state(draft, date.key, 'date', date.weak);
  return date?.end;
}

function readQuantity(draft: Draft, start: number): number | undefined {
  const { tokens, known, quantities } = draft;
  const quantity = quantityAt(tokens, start);
  if (quantity === undefined) return undefined;
  const { numbers, unit, key, per, weak, at, end } = quantity;
  const previous = quantities.at(-1);
  // "3-5 days" means "3 days to 5 days".
  const joint = wordAt(tokens, start - 1);
  const range = previous?.end === start - 1 && RANGE.has(joint);
  if (isSpan(draft, start)) draft.signs.push('to');
  if (range && previous.unit === '') previous.unit = unit;
  for (const number of numbers) {
    // The unit may follow later.
    const item = add(draft, number, 'number');
    quantities.push({ number, unit, key, weak, start, end, item });
  }
  if (per !== undefined) state(draft, per, 'unit', false);
  // "GPT-4" and "GPT 4" equal "GPT4".
  const label = tokens[wordAt(tokens, at - 1) === '-' ? at - 2 : at - 1];
  if (label?.type === 'word') count(known, label.folded + wordAt(tokens, at));
  return end;
}

/** Returns whether a number goes with the one before: "6-12", "6 to 12", "6-to-12", but not "6, 12" or "from 6 to 12". */
function isSpan({ tokens, quantities }: Draft, start: number): boolean {
  const previous = quantities.at(-1);
  if (previous === undefined || previous.end >= start || start - previous.end > 3) return false;
  const between = tokens.slice(previous.end, start).map(({ folded }) => folded);
  return /^(?:-|-?to-?)$/.test(between.join('')) && wordAt(tokens, previous.start - 1) !== 'from';
}

function readNegation(draft: Draft, at: number): number | undefined {
  const { tokens, negations } = draft;
  const word = wordAt(tokens, at);
  const token = tokens[at] as Token;
  if (token.type !== 'negation' && (!NEGATIONS.has(word) || isLanguage(token))) return undefined;
  if (isNumero(tokens, at)) add(draft, 'number');
  else {
    add(draft, word, 'negation');
    negations.push(word);
  }
  return at + 1;
}

function readUnit(draft: Draft, at: number): number | undefined {
  const unit = bareUnitAt(draft.tokens, at);
  if (unit !== undefined) state(draft, unit.name, 'unit', unit.weak);
  return unit?.end;
}

/** Reads the token as a name or as a plain word. */
function readName(draft: Draft, at: number): number {
  const { tokens, german, facts, known } = draft;
  const token = tokens[at] as Token;
  const { type, folded, word } = token;
  if (type === 'mark' || folded === 'per') {
    if (ITEM_MARKS.has(folded)) add(draft, folded);
    return at + 1;
  }
  const name = nameOf(token, german);
  if (name !== undefined) note(facts, name.key, 'name', name.weak);
  if (name?.parts === undefined) {
    add(draft, (word as Word).key, name && 'name', word);
    return at + 1;
  }
  for (const part of name.parts) {
    count(known, part);
    add(draft, part, 'name');
  }
  return at + 1;
}

function state(draft: Draft, key: string, kind: FactKind, weak: boolean): void {
  note(draft.facts, key, kind, weak);
  add(draft, key, kind);
}

function add({ items, sentence }: Draft, key: string, kind?: FactKind, word?: Word): Item {
  const item = { key, word, kind, sentence };
  items.push(item);
  return item;
}

/** Records a fact. A weak fact does not weaken a sure fact of the same form. */
function note(facts: Map<string, Fact>, key: string, kind: FactKind, weak: boolean, number?: string): void {
  const fact = facts.get(key);
  const times = (fact?.count ?? 0) + 1;
  if (fact !== undefined && weak) facts.set(key, { ...fact, count: times });
  else facts.set(key, { kind, weak, count: times, ...(number === undefined ? {} : { number }) });
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
