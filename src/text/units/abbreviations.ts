/**
 * Finds abbreviations by counting: an abbreviation nearly always has its full stop, and within a sentence a small letter,
 * a comma or a number follows. The last word of a sentence is also used without a stop.
 *
 * Source: T. Kiss and J. Strunk, Unsupervised multilingual sentence boundary detection, Computational Linguistics 32(4),
 * 2006. Their likelihood ratios need a large corpus. A pool has few texts, so counts decide: of n uses of a word at most
 * n / 20 have no stop, and at least max(1, letters − 3) stops are within a sentence.
 */
import { classOf, LETTER, NUMBER } from '../characters.js';
import { Lexicon } from '../lexicon.js';
import { fold } from '../normalise.js';
import { isBeginner, LEANING } from './word-lists.js';

/** What texts show of a word that has a full stop. */
interface Uses {
  /** Uses with a stop. */
  stopped: number;
  /** Stops within a sentence. */
  within: number;
  /** Stops that end a line, or before a word that begins sentences. */
  last: number;
  /** Other words with a capital that follow. */
  readonly names: Set<string>;
}

/** In letters. */
const LONGEST = 9;
/** The least uses of a title, or a word of addresses, that only names follow. Fewer may be ends of sentences. */
const TITLE = { longest: 4, uses: 5, names: 4 };
const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the abbreviations in a text, in lower case. Each text of the lexicon's pool counts once, so neither the order
 * of the texts nor a copy has an influence.
 */
export function abbreviationsIn(text: string, lexicon: Lexicon): ReadonlySet<string> {
  const known = lexicon.foundInPool(abbreviationsOf);
  if (known.size === 0) return NONE;
  const own = [...lexicon.found(text, usesIn).keys()].filter((word) => known.has(word));
  return own.length === 0 ? NONE : new Set(own);
}

/** Returns the abbreviations that a text shows by itself. */
export const ownAbbreviations = (text: string): ReadonlySet<string> =>
  abbreviationsOf([text], undefined, [usesIn(text)]);

function abbreviationsOf(
  texts: readonly string[],
  lexicon?: Lexicon,
  found = texts.map((text) => (lexicon as Lexicon).found(text, usesIn)),
): ReadonlySet<string> {
  const all = new Map<string, Uses>();
  for (const uses of found) {
    for (const [word, { stopped, within, last, names }] of uses) {
      const sum = usesOf(word, all);
      sum.stopped += stopped;
      sum.within += within;
      sum.last += last;
      for (const name of names) sum.names.add(name);
    }
  }
  const likely = [...all].filter(([word, uses]) => isLikely(word, uses));
  if (likely.length === 0) return NONE;
  const reader = lexicon ?? new Lexicon();
  const { vocabulary } = reader;
  const ids = likely.map(([word]) => vocabulary.idOf(fold(word)));
  const read = texts.map((text) => reader.words(text));
  const counts = new Uint32Array(vocabulary.size);
  for (const words of read) for (const id of words) counts[id] = (counts[id] as number) + 1;
  const isNearlyAlwaysStopped = ([, { stopped }]: [string, Uses], place: number) => {
    const count = counts[ids[place] as number] as number;
    return count - stopped <= count / 20;
  };
  return new Set(likely.filter(isNearlyAlwaysStopped).map(([word]) => word));
}

function isLikely(word: string, { stopped, within, last, names }: Uses): boolean {
  if (LEANING.has(word)) return false;
  if (within >= Math.max(1, word.length - 3)) return true;
  return last === 0 && word.length <= TITLE.longest && stopped >= TITLE.uses && names.size >= TITLE.names;
}

function usesOf(word: string, all: Map<string, Uses>): Uses {
  let uses = all.get(word);
  if (uses === undefined) {
    uses = { stopped: 0, within: 0, last: 0, names: new Set() };
    all.set(word, uses);
  }
  return uses;
}

function usesIn(text: string): ReadonlyMap<string, Uses> {
  const all = new Map<string, Uses>();
  // Where sentences begin with small letters, those prove nothing.
  const proves = !isSmall(text.trimStart().charAt(0));
  for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
    let start = at;
    while (at - start <= LONGEST && classAt(text, start - 1) === LETTER) start--;
    if (start === at || at - start > LONGEST || classAt(text, start - 1) === NUMBER || text[start - 1] === '.')
      continue;
    const next = text[at + 1] ?? '\n';
    if (next === '.' || classAt(text, at + 1) === LETTER) continue;
    const uses = usesOf(text.slice(start, at).toLowerCase(), all);
    uses.stopped++;
    if (next === ',' || next === ';' || next === ':') uses.within++;
    else if (next === '\n' || next === '\r') uses.last++;
    else if (next === ' ' || next === '\u00a0') {
      let end = at + 2;
      while (classAt(text, end) === LETTER && end - at < 24) end++;
      const following = text.slice(at + 2, end);
      if (isSmall(following.charAt(0))) uses.within += proves ? 1 : 0;
      else if (following === '') uses.within += isShortNumber(text, at + 2) ? 1 : 0;
      else if (isBeginner(following)) uses.last++;
      else if (at - start <= TITLE.longest) uses.names.add(following);
    }
  }
  return all;
}

const classAt = (text: string, at: number): number =>
  at >= 0 && at < text.length ? classOf(text.charCodeAt(at)) : 0;
const isSmall = (character: string): boolean => character !== character.toUpperCase();

/** Returns whether a number of up to three digits begins here. Longer ones are years, which begin sentences. */
const isShortNumber = (text: string, at: number): boolean => /^\d{1,3}(?!\d)/.test(text.slice(at, at + 4));
