import type { FactKind } from '../../types.js';
import { DATE_WORDS, dateAt } from './dates.js';
import type { Fact, Facts } from './facts.js';
import { isGerman, nameOf } from './names.js';
import { countNegations, isNumero, NEGATIONS } from './negations.js';
import { NUMBER_WORDS } from './number-words.js';
import { quantityAt } from './numbers.js';
import { oppositesIn } from './opposites.js';
import { type Token, wordAt } from './tokens.js';
import { bareUnitAt, UNIT_WORDS } from './units.js';
import { setOf } from './word-lists.js';

/** All words that can be facts other than names. To know the others at once saves a quarter of the reading. */
const LISTED = new Set([...DATE_WORDS, ...NUMBER_WORDS, ...UNIT_WORDS, ...NEGATIONS]);
const RANGE = setOf('- to or and');

/** What has been read of a text so far. */
interface Draft {
  readonly tokens: readonly Token[];
  readonly german: boolean;
  readonly frame: string[];
  /** What is left in the frame of words with an opposite: of `unsafe` what it shares with `safe`, else ''. */
  readonly neutral: ReadonlyMap<string, string>;
  readonly facts: Map<string, Fact>;
  readonly known: Set<string>;
  readonly quantities: { number: string; unit: string; weak: boolean; end: number }[];
  readonly negations: string[];
}

/** Reads the facts of a text from its tokens; `negations` are those that are in none. */
export function readFacts(tokens: readonly Token[], negations: string[]): Facts {
  const known = new Set<string>();
  for (const { type, folded } of tokens) if (type === 'word' || type === 'caseless') known.add(folded);
  const german = isGerman(known);
  const { opposites, neutral } = oppositesIn(known);
  const draft: Draft = {
    tokens,
    german,
    frame: [],
    neutral,
    facts: new Map(),
    known,
    quantities: [],
    negations,
  };
  for (let at = 0; at < tokens.length; ) at = readListed(draft, at) ?? readName(draft, at);
  const { frame, facts, quantities } = draft;
  for (const { number, unit, weak } of quantities) {
    note(facts, unit === '' ? number : `${number} ${unit}`, 'number', weak, number);
  }
  const numbers = new Set(quantities.map((quantity) => quantity.number));
  return { frame, facts, known, numbers, negations: countNegations(negations), opposites };
}

/** Reads what its words give away. Like those below, returns the index of the token after what it read. */
function readListed(draft: Draft, at: number): number | undefined {
  const { type, folded } = draft.tokens[at] as Token;
  if (type === 'word' && !LISTED.has(folded)) return undefined;
  return readDate(draft, at) ?? readQuantity(draft, at) ?? readNegation(draft, at) ?? readUnit(draft, at);
}

function readDate({ tokens, facts }: Draft, at: number): number | undefined {
  const date = dateAt(tokens, at);
  if (date !== undefined) note(facts, date.key, 'date', date.weak);
  return date?.end;
}

function readQuantity({ tokens, facts, known, quantities }: Draft, start: number): number | undefined {
  const quantity = quantityAt(tokens, start);
  if (quantity === undefined) return undefined;
  const { numbers, unit, per, weak, at, end } = quantity;
  if (per !== undefined) note(facts, per, 'unit', false);
  const previous = quantities.at(-1);
  // "3-5 days" says "3 days to 5 days".
  const range = previous?.end === start - 1 && RANGE.has(wordAt(tokens, start - 1));
  if (range && previous.unit === '') previous.unit = unit;
  for (const number of numbers) quantities.push({ number, unit, weak, end });
  // "GPT-4" and "GPT 4" are "GPT4".
  const label = tokens[wordAt(tokens, at - 1) === '-' ? at - 2 : at - 1];
  if (label?.type === 'word') known.add(label.folded + wordAt(tokens, at));
  return end;
}

function readNegation({ tokens, negations }: Draft, at: number): number | undefined {
  const word = wordAt(tokens, at);
  if (!NEGATIONS.has(word)) return undefined;
  if (!isNumero(tokens, at)) negations.push(word);
  return at + 1;
}

function readUnit({ tokens, facts }: Draft, at: number): number | undefined {
  const unit = bareUnitAt(tokens, at);
  if (unit !== undefined) note(facts, unit.name, 'unit', unit.weak);
  return unit?.end;
}

/** Reads the token as a name or as a part of the frame. */
function readName({ tokens, german, frame, neutral, facts, known }: Draft, at: number): number {
  const token = tokens[at] as Token;
  if (token.type === 'mark' || token.folded === 'per') return at + 1;
  const name = nameOf(token, german);
  if (name !== undefined) note(facts, name.key, 'name', name.weak);
  for (const part of name?.parts ?? []) known.add(part);
  const word = neutral.get(token.folded) ?? token.folded;
  if (!name?.outOfFrame && word !== '') frame.push(word);
  return at + 1;
}

/** A weak fact does not weaken a sure one of the same form. */
function note(facts: Map<string, Fact>, key: string, kind: FactKind, weak: boolean, number?: string): void {
  if (weak && facts.has(key)) return;
  facts.set(key, number === undefined ? { kind, weak } : { kind, weak, number });
}
