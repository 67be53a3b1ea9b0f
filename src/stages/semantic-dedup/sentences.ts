/**
 * Finds pairs of sentences or lines of different chunks that are equal but for one place, before any of them is read for
 * its facts. Most lists have none, and must not pay for the search.
 *
 * Each sentence is a row of numbers: the stems of its words, without those that only hold it together. All numbers count
 * as one word, and so do opposites. Two sentences are aligned if they share enough pairs of neighbouring words that few
 * sentences have.
 */
import { lcs } from '../../math/lcs.js';
import { enlarged } from '../../runtime/enlarged.js';
import { lazyRegExp } from '../../runtime/lazily.js';
import type { Pacer } from '../../runtime/pacer.js';
import { type WordKind, WordKinds } from '../../text/facts/kinds.js';
import type { Lexicon } from '../../text/lexicon.js';
import { LONGEST_HEADING } from '../../text/units/headings.js';
import type { Vocabulary } from '../../text/vocabulary.js';
import type { Candidate } from '../../types.js';

/** The place of a candidate that has a sentence, and the offset in its text. */
export interface Standing {
  readonly place: number;
  readonly start: number;
}

/** A sentence or a line, wherever it stands. */
export interface Sentence extends Standing {
  readonly end: number;
  readonly standing: Standing[];
  /** The numbers of its words that count. */
  readonly words: Int32Array;
  /** The sentence before it with the same hash. */
  readonly next: Sentence | undefined;
}

/** Longer sentences are lists, or texts without stops. In characters, and in words that count. */
const LONGEST = 600;
const MOST_WORDS = 160;
/** A pair of neighbouring words that more sentences have says little. */
const MOST_LISTED = 16;
/** Most pairs that are aligned in one call, those that share most first. */
const MOST_ALIGNED = 4000;
/** Least share of the pairs of neighbouring words of the shorter sentence. */
const LEAST_SHARED = 0.25;
/** Most words of only one sentence, as a share of the words that both have, and most words of a replaced part. */
const MOST_ADDED = 0.6;
const MOST_REPLACED = 8;
/** Least number of words that both have, as a share of the words of the longer sentence. */
const LEAST_SAME = 0.5;

/**
 * Returns the pairs, in the order of the sentences. `isBounded`: there were too many, and the least alike are missing.
 *
 * @param mayConflict whether two sentences that are equal but for one place may be about one subject.
 */
export async function similarSentences(
  candidates: readonly Candidate[],
  lexicon: Lexicon,
  mayConflict: (one: Sentence, other: Sentence) => boolean,
  pacer: Pacer,
): Promise<{ pairs: readonly (readonly [Sentence, Sentence])[]; isBounded: boolean }> {
  const all = new Sentences(candidates, lexicon);
  for (let place = 0; place < candidates.length; place++) {
    if (pacer.due()) await pacer.pause();
    all.add(place);
  }
  const sentences = all.found;
  const neighbours = new Neighbours(sentences.map(({ words }) => words));
  const found: { one: Sentence; other: Sentence; share: number }[] = [];
  for (const [at, one] of sentences.entries()) {
    if (pacer.due()) await pacer.pause();
    neighbours.each(at, (place, shared) => {
      const other = sentences[place] as Sentence;
      const share = shared / Math.min(one.words.length, other.words.length);
      if (share < LEAST_SHARED || !areApart(one, other, candidates)) return;
      found.push({ one: other, other: one, share });
    });
  }
  const textOf = ({ place, start, end }: Sentence) => candidates[place]?.text.slice(start, end) ?? '';
  const isBounded = found.length > MOST_ALIGNED;
  if (isBounded) {
    const textsOf = ({ one, other }: (typeof found)[number]) =>
      [textOf(one), textOf(other)].sort().join('\n');
    found.sort((a, b) => b.share - a.share || (textsOf(a) < textsOf(b) ? -1 : 1));
    found.length = MOST_ALIGNED;
  }
  const pairs = found.filter(
    ({ one, other }) =>
      mayDiffer(one.words, other.words) &&
      withoutSpace(textOf(one)) !== withoutSpace(textOf(other)) &&
      mayConflict(one, other),
  );
  return { pairs: pairs.map(({ one, other }) => [one, other] as const), isBounded };
}

/** The text without white space, but for that between digits: copies of one page differ in it alone. */
const withoutSpace = (text: string): string => text.replace(/(?<!\d)\s+|\s+(?!\d)/g, '');

/** Returns whether each stands in a chunk of one namespace that lacks the other. */
function areApart(one: Sentence, other: Sentence, candidates: readonly Candidate[]): boolean {
  if (candidates[one.place]?.namespace !== candidates[other.place]?.namespace) return false;
  const lacks = (a: Sentence, b: Sentence) =>
    a.standing.some(({ place }) => b.standing.every((each) => each.place !== place));
  return lacks(one, other) && lacks(other, one);
}

/** Returns whether at most one part, or a name of two parts, is replaced by another. */
function mayDiffer(one: Int32Array, other: Int32Array): boolean {
  let [same, replaced, added, at, from] = [0, 0, 0, 0, 0];
  const note = (left: number, right: number) => {
    if (left > 0 && right > 0) replaced += Math.max(left, right) > MOST_REPLACED ? 3 : 1;
    else added += left + right;
  };
  for (const [left, right] of lcs(one, other)) {
    note(left - at, right - from);
    same++;
    [at, from] = [left + 1, right + 1];
  }
  note(one.length - at, other.length - from);
  return (
    replaced <= 2 &&
    added <= MOST_ADDED * Math.max(same, 2) &&
    same >= LEAST_SAME * Math.max(one.length, other.length) - 1 &&
    same > 0
  );
}

/** The sentences that have each pair of neighbouring words. */
class Neighbours {
  /** By slot of a hash table: the pair, the number of its sentences, and its last entry, plus one. */
  readonly #pairs: Int32Array;
  readonly #counts: Int32Array;
  readonly #last: Int32Array;
  /** By entry: its sentence, its slot, and the entry of the same pair before it, plus one. */
  readonly #sentences: Int32Array;
  readonly #slots: Int32Array;
  readonly #before: Int32Array;
  /** By sentence: its first entry. */
  readonly #first: Int32Array;
  readonly #shared: Int32Array;

  constructor(rows: readonly Int32Array[]) {
    const total = rows.reduce((sum, { length }) => sum + length + 1, 0);
    const size = 2 ** Math.ceil(Math.log2(2 * total + 2));
    this.#pairs = new Int32Array(size);
    this.#counts = new Int32Array(size);
    this.#last = new Int32Array(size);
    this.#sentences = new Int32Array(total);
    this.#slots = new Int32Array(total);
    this.#before = new Int32Array(total);
    this.#first = new Int32Array(rows.length + 1);
    this.#shared = new Int32Array(rows.length);
    let entry = 0;
    for (const [at, row] of rows.entries()) {
      // How a sentence begins and how it ends are pairs, too: the middle of a short one may be what differs.
      let before = END;
      for (let place = 0; place <= row.length; place++) {
        const word = row[place] ?? END;
        const slot = this.#slotOf(pairOf(before, word));
        before = word;
        const last = this.#last[slot] as number;
        if (last === 0 || this.#sentences[last - 1] !== at)
          this.#counts[slot] = (this.#counts[slot] as number) + 1;
        this.#sentences[entry] = at;
        this.#slots[entry] = slot;
        this.#before[entry] = last;
        this.#last[slot] = ++entry;
      }
      this.#first[at + 1] = entry;
    }
  }

  /** Calls back with each sentence before one that shares pairs with it, and how many. */
  each(at: number, call: (other: number, shared: number) => void): void {
    const shared = this.#shared;
    const near: number[] = [];
    for (let own = this.#first[at] as number; own < (this.#first[at + 1] as number); own++) {
      const slot = this.#slots[own] as number;
      if ((this.#counts[slot] as number) < 2 || (this.#counts[slot] as number) > MOST_LISTED) continue;
      for (let entry = this.#before[own] as number; entry > 0; entry = this.#before[entry - 1] as number) {
        const other = this.#sentences[entry - 1] as number;
        if (other === at) continue;
        if (shared[other] === 0) near.push(other);
        shared[other] = (shared[other] as number) + 1;
      }
    }
    for (const other of near) {
      call(other, shared[other] as number);
      shared[other] = 0;
    }
  }

  #slotOf(pair: number): number {
    const pairs = this.#pairs;
    const last = pairs.length - 1;
    let slot = (Math.imul(pair, 0x9e3779b1) >>> 7) & last;
    while ((this.#last[slot] as number) > 0 && pairs[slot] !== pair) slot = (slot + 1) & last;
    pairs[slot] = pair;
    return slot;
  }
}

/** Returns a number that seldom is that of another pair. */
const pairOf = (one: number, other: number): number => (Math.imul(one, 0x85ebca6b) + other) | 0;

/** The sentences and lines of candidates, each once, in order. */
class Sentences {
  readonly found: Sentence[] = [];
  /** By hash of their words: the last of them. */
  readonly #known = new Map<number, Sentence>();
  readonly #numbers: WordNumbers;

  constructor(
    readonly candidates: readonly Candidate[],
    readonly lexicon: Lexicon,
  ) {
    this.#numbers = lexicon.vocabulary.found(WordNumbers);
  }

  /** Adds those of a candidate. */
  add(place: number): void {
    const { text } = this.candidates[place] as Candidate;
    const ids = this.lexicon.words(text);
    const starts = this.lexicon.starts(text);
    let next = 0;
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = endOfSentence(text, start);
      const first = next;
      if (starts !== undefined) while (next < ids.length && (starts[next] as number) < end) next++;
      if (end - start > LONGEST || isEmpty(text, start, end)) continue;
      if (starts !== undefined) {
        if (next - first > 1) this.#add(place, start, end, ids, first, next);
        continue;
      }
      const own = this.lexicon.vocabulary.idsOf(text.slice(start, end).toLowerCase().match(WORD()) ?? []);
      this.#add(place, start, end, own, 0, own.length);
    }
  }

  #add(place: number, start: number, end: number, ids: Int32Array, from: number, to: number): void {
    const words = this.#numbers.of(ids, from, to);
    if (words === undefined) return;
    let hash = 0;
    for (let at = from; at < to; at++) hash = pairOf(hash, ids[at] as number);
    const first = this.#known.get(hash);
    for (let each = first; each !== undefined; each = each.next) {
      if (!this.#isSame(each, place, start, end)) continue;
      each.standing.push({ place, start });
      return;
    }
    const sentence = { place, start, end, words, standing: [{ place, start }], next: first };
    this.found.push(sentence);
    this.#known.set(hash, sentence);
  }

  #isSame(one: Sentence, place: number, start: number, end: number): boolean {
    const [other, own] = [this.candidates[one.place], this.candidates[place]] as [Candidate, Candidate];
    const said = own.text.slice(start, end).trim();
    return other.namespace === own.namespace && other.text.slice(one.start, one.end).trim() === said;
  }
}

/** Returns whether a text begins with a line that is its title. */
export const hasTitle = (text: string): boolean => isHeading(text, 0, text.indexOf('\n') + 1);

/** Returns whether the line is a heading, as units are read, or a question: it states nothing. */
function isEmpty(text: string, start: number, end: number): boolean {
  if (text[end - 1] === '?') return /^\s*(?:\n|\p{Lu}|$)/u.test(text.slice(end, end + 9));
  return isHeading(text, start, end);
}

/** Returns whether the line is a heading: it has hashes, or it is a paragraph of its own above another, without a stop. */
function isHeading(text: string, start: number, end: number): boolean {
  const isFirst = start === 0 || text.charCodeAt(start - 1) === LINE_FEED;
  if (isFirst && text[start] === '#') return /^#{1,6}\s/.test(text.slice(start, end));
  if (text.charCodeAt(end - 1) !== LINE_FEED || text.charCodeAt(end) !== LINE_FEED) return false;
  const first = lineOf(text, start);
  if (end - first > LONGEST_HEADING || (first > 0 && text.charCodeAt(first - 2) !== LINE_FEED)) return false;
  return NAME.test(text.slice(first, end).trim()) && /\S/.test(text.slice(end, end + 9));
}
/** Returns the start of the line, or an offset that is too far away. */
function lineOf(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_HEADING - 1);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}
const LINE_FEED = 10;

/** Returns whether the sentence ends a short line between others, without a stop, a value or cells: no whole statement. */
export function isFragment(text: string, { start, end }: Sentence): boolean {
  const first = lineOf(text, start);
  const isLine = end === text.length || text.charCodeAt(end - 1) === LINE_FEED;
  if (!isLine || end - first > NARROW || !LABEL.test(text.slice(start, end).trim())) return false;
  const before = first === 0 ? '' : text.slice(lineOf(text, first - 1), first).trimEnd();
  const next = text.slice(end, end + NARROW).split('\n', 1)[0] as string;
  // Wider lines may be one sentence.
  return (
    before.length < NARROW && next.length < NARROW && !/[,(\-–—]$/.test(before) && !/^\s*\p{Ll}/u.test(next)
  );
}
const NARROW = 40;
const LABEL = /^[A-Z\d][^:|,;\t`]*[^\s.,;:!?…。，、；：！？"'”’)\]*_`(–—-]$/;

/** No item, row, entry or sentence. */
const NAME =
  /^(?!(?:\d{1,3}|[A-Z])[.)]\s|\d{4}[-/])[A-Z\d\xc0-\xde][^:|=`\t\n]*[^\s.,;:!?…。，、；：！？"'”’)\]]["'”’)]{0,2}$/;

/** A character of a script without spaces, or a word. */
const WORD = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}_]+`,
  'gu',
);

/** Returns the offset behind the sentence or line that begins at `start`. */
function endOfSentence(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 0x3002 || code === 0xff01 || code === 0xff1f) return at + 1;
    // A stop is followed by white space. The dot of an initial is none: "J. Smith", "the U.S. Army".
    if ((code === 46 || code === 33 || code === 63) && text.charCodeAt(at + 1) <= 32) {
      if (code !== 46 || !INITIAL.test(text.slice(Math.max(0, at - 2), at))) return at + 1;
    }
  }
  return text.length;
}

const INITIAL = /^[^A-Za-z\d]?[A-Z]$/;

/** Yields the stems that two sentences share, each once, and an empty one for a value or one end of a scale. */
export function* sharedStems(one: Sentence, other: Sentence, vocabulary: Vocabulary): Generator<string> {
  for (const [at, number] of one.words.entries()) {
    if (!other.words.includes(number) || one.words.indexOf(number) < at) continue;
    yield number < FIRST_WORD ? '' : vocabulary.wordOf(number - FIRST_WORD);
  }
}

/** By number of a word: what the word counts as, or 0 if it does not count. It is known once the word was asked for. */
class WordNumbers {
  #numbers = new Int32Array(1 << 12);
  readonly #room = new Int32Array(MOST_WORDS);
  readonly #scales = new Map<string, number>();

  constructor(readonly vocabulary: Vocabulary) {}

  /**
   * Returns what the words from one place to another count as, in order, without those that do not count. Several numbers in
   * a row are one. `undefined` if too few or too many count.
   */
  of(ids: Int32Array, from: number, to: number): Int32Array | undefined {
    const found = this.#room;
    let count = 0;
    for (let at = from; at < to; at++) {
      const id = ids[at] as number;
      const number = (this.#numbers[id] as number) || this.#learn(id);
      if (number === IGNORED || (number === VALUE && count > 0 && found[count - 1] === VALUE)) continue;
      if (count === MOST_WORDS) return undefined;
      found[count++] = number;
    }
    return count < 2 ? undefined : found.slice(0, count);
  }

  #learn(id: number): number {
    const number = this.#numberOf(id, this.vocabulary.found(WordKinds).of(id));
    if (id >= this.#numbers.length) this.#numbers = enlarged(this.#numbers, this.vocabulary.size);
    this.#numbers[id] = number;
    return number;
  }

  #numberOf(id: number, kind: WordKind): number {
    if (kind === 'glue') return IGNORED;
    if (kind === 'value') return VALUE;
    if (kind === undefined) return FIRST_WORD + this.vocabulary.stemOf(id);
    const known = this.#scales.get(kind.scale) ?? FIRST_SCALE - this.#scales.size;
    this.#scales.set(kind.scale, known);
    return known;
  }
}

const IGNORED = 1;
const VALUE = 2;
const END = 3;
const FIRST_WORD = 4;
const FIRST_SCALE = -1;
