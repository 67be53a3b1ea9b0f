/**
 * Reads a text as a sequence of words and facts: numbers with their units, dates, names, negations and signs, each in one
 * form, so that "1,000" and "1000", "May 8, 2023" and "2023-05-08", "don't" and "do not" are equal.
 *
 * The reading takes linear time. Folding removes letter case, except in units that differ from others only in case
 * (`unit-case`). Number words, date words and opposites are English (month names of seven more languages are recognised
 * beside a number); other negations are those of forty languages.
 *
 * A text passes through these steps: one spelling (`spelling`), signs (`signs`), tokens (`tokens`, `caseless`), facts (here:
 * one file for each kind of fact says whether one starts at a token, and where it ends).
 */
import { lazily } from '../../runtime/lazily.js';
import type { FactKind } from '../../types.js';
import { DATE_WORDS, dateAt } from './dates.js';
import { countNegations, isLanguage, isNumero, NEGATIONS } from './negations.js';
import { NUMBER_WORDS } from './number-words.js';
import { quantityAt } from './numbers.js';
import { isStating, signsIn } from './signs.js';
import { oneSpelling } from './spelling.js';
import { type Token, tokensIn, wordAt } from './tokens.js';
import { bareUnitAt, unitWords } from './units.js';
import { isName, type Word } from './word.js';
import { setOf } from './word-lists.js';

export const KINDS: readonly FactKind[] = ['number', 'date', 'unit', 'name', 'negation', 'sign', 'word'];

/** The facts of one text, prepared for comparison. */
export interface Facts {
  /** All words, stemmed, and facts, in order. */
  readonly items: readonly Item[];
  /** Number of occurrences of each folded word. A name that the other text writes in lower case is not missing there. */
  readonly known: ReadonlyMap<string, number>;
  /** Number of negations. */
  readonly negations: number;
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

/** All words and marks with which facts other than names begin. */
const LISTED = lazily(() => new Set(['a', ...DATE_WORDS, ...NUMBER_WORDS, ...unitWords(), ...NEGATIONS]));
const RANGE = setOf('- to or and');
/** Marks that separate their neighbours: "after rain, sun" and "after sun, rain", "Ann's son". */
const ITEM_MARKS = setOf(", 's");
/** Particles and endings. They are never names. */
const SHORT_HIRAGANA = /^[\u3041-\u309f]{1,2}$/;

/** The facts and items read so far. */
interface Draft {
  readonly tokens: readonly Token[];
  readonly items: Item[];
  readonly known: Map<string, number>;
  readonly quantities: Quantity[];
  readonly negations: string[];
}

interface Quantity {
  readonly number: string;
  unit: string;
  readonly key: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly item: Item;
}

/** Reads the facts of a text. It never throws. An empty text has no facts. */
export function factsOf(text: string): Facts {
  const plain = oneSpelling(text);
  const tokens = tokensIn(plain, signsIn(plain));
  const draft: Draft = { tokens, items: [], known: new Map(), quantities: [], negations: [] };
  for (const { word } of tokens) if (word !== undefined) count(draft.known, word.folded);
  for (let at = 0; at < tokens.length; ) at = readListed(draft, at) ?? readName(draft, at);
  for (const { number, unit, key, item } of draft.quantities) {
    item.key = key ?? (unit === '' ? number : `${number} ${unit}`);
  }
  return { items: draft.items, known: draft.known, negations: countNegations(draft.negations) };
}

/** Reads a fact that its words reveal. Like the functions below, it returns the index of the token after the fact. */
function readListed(draft: Draft, at: number): number | undefined {
  const { type, folded } = draft.tokens[at] as Token;
  if (type === 'sign') {
    add(draft, at, folded, isStating(folded) ? 'sign' : undefined);
    return at + 1;
  }
  if ((type === 'word' || type === 'mark') && !LISTED().has(folded)) return undefined;
  return readDate(draft, at) ?? readQuantity(draft, at) ?? readNegation(draft, at) ?? readUnit(draft, at);
}

function readDate(draft: Draft, at: number): number | undefined {
  const date = dateAt(draft.tokens, at);
  if (date !== undefined) add(draft, at, date.key, 'date');
  return date?.end;
}

function readQuantity(draft: Draft, start: number): number | undefined {
  const { tokens, known, quantities } = draft;
  const quantity = quantityAt(tokens, start);
  if (quantity === undefined) return undefined;
  const { numbers, unit, key, per, at, end } = quantity;
  const previous = quantities.at(-1);
  const joint = wordAt(tokens, start - 1);
  // "3-5 days" means "3 days to 5 days".
  if (previous?.end === start - 1 && RANGE.has(joint) && previous.unit === '') previous.unit = unit;
  // "6-12" and "6 to 12" are a span, "6, 12" are two numbers.
  if (isSpan(draft, start)) {
    if (draft.items.at(-1)?.key === 'to') draft.items.pop();
    add(draft, start, '-', 'sign');
  }
  for (const number of numbers) {
    // The unit may follow later.
    const item = add(draft, start, number, 'number');
    quantities.push({ number, unit, key, start, end, item });
  }
  if (per !== undefined) add(draft, start, per, 'unit');
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
  if (isNumero(tokens, at)) add(draft, at, 'number');
  else {
    add(draft, at, word, 'negation');
    negations.push(word);
  }
  return at + 1;
}

function readUnit(draft: Draft, at: number): number | undefined {
  const unit = bareUnitAt(draft.tokens, at);
  if (unit !== undefined) add(draft, at, unit.name, 'unit');
  return unit?.end;
}

/** Reads the token as a name or as a plain word. The parts of an identifier (`GPT4`, `3D`) are names, too. */
function readName(draft: Draft, at: number): number {
  const { type, folded, suffix, initial, word } = draft.tokens[at] as Token;
  if (type === 'mark' || folded === 'per') {
    if (ITEM_MARKS.has(folded)) add(draft, at, folded);
  } else if (type === 'number' || word?.isIdentifier === true) {
    for (const part of (folded + suffix).match(/\d+|\D+/g) ?? []) {
      count(draft.known, part);
      add(draft, at, part, 'name');
    }
  } else {
    const isNamed = type === 'caseless' ? !SHORT_HIRAGANA.test(folded) : isName(word as Word, initial);
    add(draft, at, (word as Word).key, isNamed ? 'name' : undefined, word);
  }
  return at + 1;
}

function add({ items, tokens }: Draft, at: number, key: string, kind?: FactKind, word?: Word): Item {
  const item = { key, word, kind, sentence: (tokens[at] as Token).sentence };
  items.push(item);
  return item;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
