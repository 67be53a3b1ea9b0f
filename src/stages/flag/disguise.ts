/**
 * Undoes disguises of words that people still read: invisible characters within words, compatibility forms and letters of
 * other scripts that look Latin, digits and signs in place of letters (`1gn0re`), letters apart (`i g n o r e`).
 *
 * Sources: Unicode Technical Standard #39 (look-alike letters), Unicode Standard Annex #15 (compatibility forms).
 */
import { lazyRegExp } from '../../runtime/lazily.js';

/** A text without disguises, and the offset in the original of each of its code units, and of its end. */
export interface Undisguised {
  readonly text: string;
  readonly offsets: readonly number[];
}

const INVISIBLE = lazyRegExp(String.raw`^[\p{Default_Ignorable_Code_Point}\p{Cf}]$`, 'u');
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl кk мm тt вb нh АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT ХX ҮY УY',
    ],
    ...['αa ηn ιi κk νv οo ρp τt υu χx ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'],
  ]
    .join(' ')
    .split(' ')
    .map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
);
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
const TWO_LETTERS = /[1!|]/g;
/** A word with such a character beside a letter. */
const DIGIT_WORD =
  /(?<![\w@$!|])(?=[\w@$!|]*[a-z])(?=[\w@$!|]*[0134578@$!|])[a-z0134578@$!|]{2,30}(?<![!|])(?![\w@$])/gi;
/** Single letters with one and the same mark between them. Two marks or more separate words. */
const LETTERS_APART = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}])\p{L}([ ._*·-])\p{L}(?![\p{L}\p{N}])(?:\1{1,4}\p{L}(?![\p{L}\p{N}])){0,400}`,
  'gu',
);
/** Most texts have none of these. */
const DISGUISED = lazyRegExp(
  String.raw`[a-z][\xad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u034f\u0370-\u052f]|[\u0370-\u052f][a-z]|[\uff21-\uff5a\u2460-\u24ff\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}\u{e0000}-\u{e0fff}]|(?<![\w@$!|])[0134578@$!|]*[a-z]+[0134578@$!|]+[a-z]|(?<![\w@$!|])[0134578@$!|]+[a-z]{2}|(?<!\w)[a-z]([ ._*·-])[a-z]\1{1,4}[a-z](?!\w)`,
  'iu',
);
const LONGEST_WORD = 15;

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
      form = LOOKALIKES.get(form) ?? form;
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
  return (
    ['i', 'l'].map((letter) => letters.replace(TWO_LETTERS, letter)).find((each) => vocabulary.has(each)) ??
    word
  );
}

/** Joins letters that are apart. Without wider gaps between words, the vocabulary tells where words end. */
function together(run: string, mark: string, vocabulary: ReadonlySet<string>): string {
  const words = run.split(mark + mark).map((word) => word.replaceAll(mark, ''));
  return words.map((word) => (words.length > 1 ? word : spaced(word.toLowerCase(), vocabulary))).join(' ');
}

interface Reading {
  readonly cost: number;
  readonly text: string;
  readonly endsKnown: boolean;
}

/** Puts spaces around words of the vocabulary, so that the fewest letters and words remain. */
function spaced(letters: string, vocabulary: ReadonlySet<string>): string {
  const best: Reading[] = [{ cost: 0, text: '', endsKnown: true }];
  for (let end = 1; end <= letters.length; end++) {
    const before = best[end - 1] as Reading;
    const gap = before.endsKnown ? ' ' : '';
    let found: Reading = {
      cost: before.cost + 1,
      text: before.text + gap + letters.charAt(end - 1),
      endsKnown: false,
    };
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      const { cost, text } = best[start] as Reading;
      const word = letters.slice(start, end);
      if (cost + 1 > found.cost || !vocabulary.has(word)) continue;
      found = { cost: cost + 1, text: `${text} ${word}`, endsKnown: true };
    }
    best.push(found);
  }
  return (best.at(-1) as Reading).text.trim();
}
