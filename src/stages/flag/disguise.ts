/**
 * Undoes disguises of words that people still read: invisible characters within words, compatibility forms and letters of
 * other scripts that look Latin, digits and signs in place of letters (`1gn0re`), letters apart (`i g n o r e`).
 *
 * Source: Unicode Standard Annex #15 (compatibility forms).
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import { LOOK_ALIKES } from './look-alikes.js';

/** A text without disguises, and the offset in the original of each of its code units, and of its end. */
export interface Undisguised {
  readonly text: string;
  readonly offsets: readonly number[];
}

const INVISIBLE = lazyRegExp(String.raw`^[\p{Default_Ignorable_Code_Point}\p{Cf}]$`, 'u');
/** Digits and signs that stand for letters. `1`, `!` and `|` stand for two. */
const LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  '@': 'a',
  $: 's',
};
const TWO_LETTERS = /[1!|]/;
/** A word with more of these is not read, because each doubles the number of readings. */
const MOST_CHOICES = 4;
/** A word with such a character beside a letter. */
const DIGIT_WORD =
  /(?<![\w@$!|])(?=[\w@$!|]*[a-z])(?=[\w@$!|]*[0134578@$!|])[a-z0134578@$!|]{2,30}(?<![!|])(?![\w@$])/gi;
/**
 * Single letters with one and the same mark between them. Two marks or more separate words. A word of one letter before
 * letters with another mark is not one of them.
 */
const LETTERS_APART = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}])\p{L}([ ._*·-])\p{L}(?![\p{L}\p{N}]|(?!\1)[._*·-]\p{L})(?:\1{1,4}\p{L}(?![\p{L}\p{N}])){0,400}`,
  'gu',
);
/** Most texts have none of these. */
const DISGUISED = lazyRegExp(
  String.raw`[a-z][\xad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u034f\u0370-\u052f]|[\u0370-\u052f][a-z]|[\uff21-\uff5a\u2460-\u24ff\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}\u{e0000}-\u{e0fff}]|(?<![\w@$!|])[0134578@$!|]*[a-z]+[0134578@$!|]+[a-z]|(?<![\w@$!|])[0134578@$!|]+[a-z]{2}|(?<!\w)[a-z]([ ._*·-])[a-z]\1{1,4}[a-z](?!\w)`,
  'iu',
);
const LONGEST_WORD = 15;
/**
 * Costs of a known word and of an unknown one, which costs its letters, too. So no short word is split off an unknown word
 * (`in corporate`, `for ce`), but words in a row are found (`do not`).
 */
const COST_OF_KNOWN = 3;
const COST_OF_UNKNOWN = 3;

/** Returns whether a text may have disguises. */
export const isDisguised = (text: string): boolean => DISGUISED().test(text);

/**
 * Returns the text without disguises, or undefined if it has none.
 *
 * @param vocabulary words in lower case that digits and letters apart are read as.
 */
export function undisguised(text: string, vocabulary: ReadonlySet<string>): Undisguised | undefined {
  if (!isDisguised(text)) return undefined;
  const plain = withoutLookalikes(text);
  const words = replaced(plain, DIGIT_WORD, (word) => asLetters(word, vocabulary));
  const joined = replaced(words, LETTERS_APART(), (run, mark) => together(run, mark, vocabulary));
  return joined.text === text ? undefined : joined;
}

function withoutLookalikes(text: string): Undisguised {
  const offsets: number[] = [];
  let plain = '';
  let at = 0;
  for (const character of text) {
    let form = character;
    if (character.charCodeAt(0) > 127) {
      form = INVISIBLE().test(character) ? '' : character.normalize('NFKC');
      form = LOOK_ALIKES.get(form) ?? form;
    }
    for (let unit = 0; unit < form.length; unit++) offsets.push(at);
    plain += form;
    at += character.length;
  }
  offsets.push(at);
  return { text: plain, offsets };
}

function replaced(
  { text, offsets }: Undisguised,
  expression: RegExp,
  to: (match: string, group: string) => string,
): Undisguised {
  const found: number[] = [];
  let plain = '';
  let end = 0;
  const copy = (to: number) => {
    plain += text.slice(end, to);
    for (; end < to; end++) found.push(offsets[end] as number);
  };
  for (const { 0: match, 1: group = '', index } of text.matchAll(expression)) {
    copy(index);
    const form = to(match, group);
    // Letters keep their order. Those of a word in digits are as many as these, and others only lose marks between them.
    let at = 0;
    for (let unit = 0; unit < form.length; unit++) {
      const letter = form.charAt(unit);
      const isSame = () => match.charAt(at).toLowerCase() === letter.toLowerCase();
      while (form.length !== match.length && letter !== ' ' && at < match.length && !isSame()) at++;
      found.push(offsets[index + at] as number);
      if (letter !== ' ') at++;
    }
    plain += form;
    end = index + match.length;
  }
  copy(text.length);
  found.push(offsets[text.length] as number);
  return { text: plain, offsets: found };
}

/** Reads digits as letters if that makes a word of the vocabulary. */
function asLetters(word: string, vocabulary: ReadonlySet<string>): string {
  const letters = word.toLowerCase().replace(/[034578@$]/g, (each) => LETTERS[each] as string);
  const [first = '', ...parts] = letters.split(TWO_LETTERS);
  if (parts.length > MOST_CHOICES) return word;
  const readings = parts.reduce(
    (starts, part) => starts.flatMap((start) => [`${start}i${part}`, `${start}l${part}`]),
    [first],
  );
  return readings.find((each) => vocabulary.has(each)) ?? word;
}

/** Joins letters that are apart. Without wider gaps between words, the vocabulary tells where words end. */
function together(run: string, mark: string, vocabulary: ReadonlySet<string>): string {
  const words = run.split(mark + mark).map((word) => word.replaceAll(mark, ''));
  return words.map((word) => (words.length > 1 ? word : spaced(word.toLowerCase(), vocabulary))).join(' ');
}

interface Reading {
  readonly cost: number;
  readonly text: string;
}

const NONE: Reading = { cost: Number.POSITIVE_INFINITY, text: '' };
const cheaper = (one: Reading, other: Reading) => (other.cost < one.cost ? other : one);

/** Puts spaces around words of the vocabulary and around the unknown words between them, at the least cost. */
function spaced(letters: string, vocabulary: ReadonlySet<string>): string {
  /** Readings of the letters before each place: those that end with an unknown word, and those that end with a known one. */
  const unknown = [NONE];
  const known: Reading[] = [{ cost: 0, text: '' }];
  for (let end = 1; end <= letters.length; end++) {
    const letter = letters.charAt(end - 1);
    const [longer, before] = [unknown[end - 1] as Reading, known[end - 1] as Reading];
    unknown.push(
      cheaper(
        { cost: longer.cost + 1, text: longer.text + letter },
        { cost: before.cost + COST_OF_UNKNOWN + 1, text: `${before.text} ${letter}` },
      ),
    );
    let found = NONE;
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      const word = letters.slice(start, end);
      if (!vocabulary.has(word)) continue;
      const { cost, text } = cheaper(unknown[start] as Reading, known[start] as Reading);
      found = cheaper(found, { cost: cost + COST_OF_KNOWN, text: `${text} ${word}` });
    }
    known.push(found);
  }
  return cheaper(unknown.at(-1) as Reading, known.at(-1) as Reading).text.trim();
}
