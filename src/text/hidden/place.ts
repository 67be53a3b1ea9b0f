/** Decides from the neighbours of an invisible character whether the text needs it. */
import { lazyRegExp } from '../../runtime/lazily.js';
import type { HiddenClass } from '../../types.js';
import { classOf, LETTER, SPACE } from '../characters.js';
import { isIn, isOverride, isSuspect } from './classes.js';

/**
 * Scripts in which joiners change the look of letters: Arabic to Tibetan, Myanmar, Khmer, Mongolian and related
 * scripts.
 */
const JOINING = [
  [0x620, 0x109f],
  [0x1700, 0x1cff],
  [0xa800, 0xabff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  [0x10a00, 0x11fff],
] as const;
/** Scripts without spaces between words: Thai to Myanmar, Khmer, Tai, Javanese and Balinese, Chinese and Japanese. */
const SPACELESS = [
  [0xe00, 0x109f],
  [0x1780, 0x17ff],
  [0x1950, 0x1bbf],
  [0x2e80, 0x9fff],
  [0xa980, 0xaa7f],
  [0xf900, 0xfaff],
  [0xff00, 0xff9f],
  [0x20000, 0x3fffd],
] as const;
const MONGOLIAN = [[0x1820, 0x18aa]] as const;
const KHMER = [[0x1780, 0x17b3]] as const;
const RIGHT_TO_LEFT = lazyRegExp(
  String.raw`[\u05d0-\u05f2\u0620-\u064a\u066e-\u06d3\u06fa-\u0858\u0860-\u08c9\ufb1d-\ufdcf\ufdf0-\ufdfb\ufe70-\ufefc` +
    String.raw`\u{10800}-\u{10cff}\u{1e900}-\u{1e943}]`,
  'u',
);
const PICTOGRAPH = lazyRegExp(String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`, 'u');
/** Characters with a text form and an emoji form. */
const EMOJI_OR_SYMBOL = lazyRegExp(String.raw`[\p{S}\p{Emoji}]`, 'u');
/** Characters with other standard variants. */
const VARIANT_BASE = lazyRegExp(
  String.raw`[\p{Sm}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}0‘’“”、。，．：；！？]`,
  'u',
);
const HAN = lazyRegExp(String.raw`\p{Script=Han}`, 'u');
/** The emoji flags of England, Scotland and Wales: a black flag, and the region in tags. */
const FLAG = lazyRegExp(
  String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
  'uy',
);
/** Lengths in code units. */
const BLACK_FLAG = 2;
const FLAG_TAGS = 12;
/** The longest run of invisible characters in which characters that set the direction may be legitimate. */
const LONGEST_RUN = 4;

/** Stands for the missing neighbour at the start and at the end of the text. */
export const NOTHING = 0x20;
/** Stands for a hidden neighbour. It justifies nothing. */
const HIDDEN = 0;

/** A character that may be hidden, with its neighbours. */
export class Place {
  readonly #text: string;
  #codePoint = 0;
  #start = 0;
  #end = 0;
  #before = NOTHING;
  #after = NOTHING;
  /** End of the tags of a flag. */
  #flagEnd = 0;
  #run = { end: 0, length: 0, isRepeated: false };
  #isRightToLeft: boolean | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the character between two offsets. `followsHidden`: a hidden character is directly before it. */
  at(codePoint: number, start: number, end: number, followsHidden: boolean): void {
    this.#codePoint = codePoint;
    this.#start = start;
    this.#end = end;
    this.#before = followsHidden ? HIDDEN : this.#codePointBefore(start);
    this.#after = this.#codePointAt(end);
  }

  /** Returns whether the neighbours of the character justify it. */
  isJustified(kind: HiddenClass): boolean {
    switch (kind) {
      case 'tag':
        return this.#isOfFlag();
      case 'variation-selector':
        return this.#hasVariant();
      case 'bidirectional':
        return !isOverride(this.#codePoint) && this.#hasRightToLeft() && this.#inRun().length <= LONGEST_RUN;
      case 'zero-width':
        return this.#isNeeded();
      case 'private-use':
        // Bullets and icons are single characters. A row of the same one, as the stars of a rating, counts as one.
        return this.#inRun().isRepeated;
      default:
        return false;
    }
  }

  #isOfFlag(): boolean {
    if (this.#start < this.#flagEnd) return true;
    const flag = FLAG();
    flag.lastIndex = this.#start - BLACK_FLAG;
    if (this.#before !== 0x1f3f4 || !flag.test(this.#text)) return false;
    this.#flagEnd = this.#start + FLAG_TAGS;
    return true;
  }

  #hasVariant(): boolean {
    const base = String.fromCodePoint(this.#before);
    if (isIn(this.#codePoint, [[0x180b, 0x180f]])) return isIn(this.#before, MONGOLIAN);
    if (this.#codePoint >= 0xe0100) return HAN().test(base);
    if (this.#codePoint < 0xfe0e) return VARIANT_BASE().test(base);
    return /[\d*#]/.test(base) ? this.#after === 0x20e3 : EMOJI_OR_SYMBOL().test(base);
  }

  #isNeeded(): boolean {
    const [before, after] = [this.#before, this.#after];
    switch (this.#codePoint) {
      case 0xad:
        return this.#isHyphenation();
      case 0x200b:
        return isIn(before, SPACELESS) || (isIn(after, SPACELESS) && !isSuspect(after) && before !== 0x200b);
      case 0x200c:
        return isIn(before, JOINING);
      case 0x200d:
        return isIn(before, JOINING) || (this.#endsEmoji() && isPictograph(after));
      case 0xfeff:
        return this.#start === 0;
      case 0x180e:
        return isIn(before, MONGOLIAN) && isIn(after, MONGOLIAN);
      case 0x17b4:
      case 0x17b5:
        return isIn(before, KHMER);
      case 0x115f:
        return isIn(after, [[0x1161, 0x11a7]]);
      case 0x1160:
        return isIn(before, [[0x1100, 0x115e]]);
      default:
        return false;
    }
  }

  #endsEmoji(): boolean {
    return isPictograph(this.#before === 0xfe0f ? this.#codePointBefore(this.#start - 1) : this.#before);
  }

  /** Whether a soft hyphen is within a word or at the end of a line. Between single letters it would hide the word. */
  #isHyphenation(): boolean {
    if (!isLetter(this.#before)) return false;
    if (classOf(this.#after) === SPACE && !isSuspect(this.#after)) return true;
    const before = this.#codePointBefore(this.#start - lengthOf(this.#before));
    const after = this.#codePointAt(this.#end + lengthOf(this.#after));
    return isLetter(this.#after) && (isLetter(before) || isLetter(after));
  }

  #hasRightToLeft(): boolean {
    this.#isRightToLeft ??= RIGHT_TO_LEFT().test(this.#text);
    return this.#isRightToLeft;
  }

  /** Returns the run of characters that may be hidden around this one. It is computed once for the whole run. */
  #inRun(): { length: number; isRepeated: boolean } {
    if (this.#start < this.#run.end) return this.#run;
    let length = 1;
    let isRepeated = true;
    const add = (codePoint: number) => {
      length++;
      isRepeated &&= codePoint === this.#codePoint;
      return lengthOf(codePoint);
    };
    let start = this.#start;
    while (start > 0 && isSuspect(this.#codePointBefore(start))) start -= add(this.#codePointBefore(start));
    let end = this.#end;
    while (end < this.#text.length && isSuspect(this.#codePointAt(end))) end += add(this.#codePointAt(end));
    this.#run = { end, length, isRepeated };
    return this.#run;
  }

  #codePointAt(at: number): number {
    return this.#text.codePointAt(at) ?? NOTHING;
  }

  #codePointBefore(at: number): number {
    if (at <= 0) return NOTHING;
    const pair = at > 1 ? this.#codePointAt(at - 2) : 0;
    return pair > 0xffff ? pair : this.#text.charCodeAt(at - 1);
  }
}

const lengthOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

const isPictograph = (codePoint: number): boolean => PICTOGRAPH().test(String.fromCodePoint(codePoint));

/**
 * Some characters that may be hidden are letters or marks by their Unicode class. They do not count as letters here.
 */
export const isLetter = (codePoint: number): boolean =>
  classOf(codePoint) === LETTER && !isSuspect(codePoint);
