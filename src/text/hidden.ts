/**
 * Characters that a reader does not see and a model does: what stands in them can be an order to the model that nobody
 * who checks the text finds. Many texts need some of them (emoji, Persian, Hindi, Arabic, Thai, soft hyphens), so each
 * is judged by where it stands.
 */

import { lazyRegExp } from '../runtime/lazily.js';
import { classOf, LETTER, SPACE } from './characters.js';

/** In the order in which {@link hiddenFlag} names them. */
export const HIDDEN_CLASSES = [
  'tag',
  'variation-selector',
  'bidirectional',
  'zero-width',
  'control',
  'private-use',
  'surrogate',
  'noncharacter',
] as const;
export type HiddenClass = (typeof HIDDEN_CLASSES)[number];

/** Characters of one class that follow each other, in UTF-16 code units. */
export interface HiddenSpan {
  readonly start: number;
  readonly end: number;
  readonly class: HiddenClass;
}

/** Default ignorable code points, controls, private use, lone surrogates, noncharacters: all that may be hidden. */
const SUSPECTS =
  String.raw`[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f` +
  String.raw`\u202a-\u202e\u2060-\u206f\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff` +
  String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u{f0000}-\u{10ffff}` +
  Array.from({ length: 13 }, (_, plane) => {
    const last = (0x1ffff + plane * 0x10000).toString(16);
    return `\\u{${last.slice(0, -1)}e}\\u{${last}}`;
  }).join('') +
  ']';
const SUSPECT = lazyRegExp(SUSPECTS, 'u');
const EACH_SUSPECT = lazyRegExp(SUSPECTS, 'gu');

const isIn = (codePoint: number, ranges: readonly (readonly [number, number])[]): boolean =>
  ranges.some(([from, to]) => codePoint >= from && codePoint <= to);

const TAGS = [[0xe0000, 0xe007f]] as const;
const SELECTORS = [
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
  [0x180b, 0x180d],
  [0x180f, 0x180f],
] as const;
const BIDIRECTIONAL = [
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0x61c, 0x61c],
] as const;
const PRIVATE_USE = [
  [0xe000, 0xf8ff],
  [0xf0000, 0x10ffff],
] as const;
const isOverride = (codePoint: number) => codePoint === 0x202d || codePoint === 0x202e;

/** Of a character that may be hidden. */
function suspectClass(codePoint: number): HiddenClass {
  if ((codePoint & 0xfffe) === 0xfffe || isIn(codePoint, [[0xfdd0, 0xfdef]])) return 'noncharacter';
  if (codePoint < 0xa0) return codePoint === 0xad ? 'zero-width' : 'control';
  if (isIn(codePoint, TAGS)) return 'tag';
  if (isIn(codePoint, SELECTORS)) return 'variation-selector';
  if (isIn(codePoint, BIDIRECTIONAL)) return 'bidirectional';
  if (isIn(codePoint, [[0xd800, 0xdfff]])) return 'surrogate';
  return isIn(codePoint, PRIVATE_USE) ? 'private-use' : 'zero-width';
}

/** Scripts in which joiners change how letters look: Arabic to Tibetan, Myanmar, Khmer, Mongolian and their kin. */
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
/** What has a text and an emoji form. */
const EMOJI_OR_SYMBOL = lazyRegExp(String.raw`[\p{S}\p{Emoji}]`, 'u');
/** What has other standard variants. */
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
/** The longest run of invisible characters in which those that set the direction may be meant. */
const LONGEST_RUN = 4;

/**
 * The invisible characters that nothing justifies where they stand, ascending; neighbours of one class in one span.
 *
 * What is justified rests on what stands directly before it, and is itself not hidden, and on what stands directly after
 * it, and can not be hidden. So the text without the hidden characters has none.
 */
export function hiddenIn(text: string): readonly HiddenSpan[] {
  if (!SUSPECT().test(text)) return [];
  const spans: { start: number; end: number; class: HiddenClass }[] = [];
  const place = new Place(text);
  for (const { 0: character, index } of text.matchAll(EACH_SUSPECT())) {
    const codePoint = character.codePointAt(0) as number;
    const kind = suspectClass(codePoint);
    const end = index + character.length;
    const last = spans.at(-1);
    const follows = last?.end === index;
    place.at(codePoint, index, end, follows);
    if (place.isJustified(kind)) continue;
    if (last !== undefined && follows && last.class === kind) last.end = end;
    else spans.push({ start: index, end, class: kind });
  }
  return spans;
}

/** Where nothing is, before the text and after it. */
const NOTHING = 0x20;
/** In the place of what is hidden: justifies nothing. */
const HIDDEN = 0;

/** Where a character stands. */
class Place {
  readonly #text: string;
  #codePoint = 0;
  #start = 0;
  #end = 0;
  #before = NOTHING;
  #after = NOTHING;
  /** Where the tags of a flag end. */
  #flagEnd = 0;
  #run = { end: 0, length: 0, isRepeated: false };
  #isRightToLeft: boolean | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  at(codePoint: number, start: number, end: number, followsHidden: boolean): void {
    this.#codePoint = codePoint;
    this.#start = start;
    this.#end = end;
    this.#before = followsHidden ? HIDDEN : this.#codePointBefore(start);
    this.#after = this.#codePointAt(end);
  }

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
        // As bullets and icons do; several of the same, as the stars of a rating, are one.
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

  /** Within a word or at the end of a line; not between single letters, which would hide the word. */
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

  /** The characters that may be hidden and stand here in a row; looked for once for all of them. */
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

/** Some that are hidden are letters and marks by their class. */
const isLetter = (codePoint: number): boolean => classOf(codePoint) === LETTER && !isSuspect(codePoint);

const isSuspect = (codePoint: number): boolean => SUSPECT().test(String.fromCodePoint(codePoint));

export interface HiddenFlag {
  /** How many characters are hidden. */
  readonly count: number;
  readonly classes: readonly HiddenClass[];
  /** What they spell, if it can be read: at most 120 characters, those that do not print as escapes. */
  readonly decoded?: string;
}

/** Fewer than so many are what editors and copying leave behind. */
const LEAST = 4;
/** Of controls and private use so many in a row: less is what fonts leave that are not in the file. */
const LEAST_IN_ROW = 8;

/**
 * The hidden characters of a text, where they are worth an alarm: tags, overrides of the direction, an escape control,
 * half a pair of
 * surrogates that is not where the text was cut, or enough of the others to spell something.
 */
export function hiddenFlag(text: string): HiddenFlag | undefined {
  const spans = hiddenIn(text);
  if (spans.length === 0 || !isAlarming(text, spans)) return undefined;
  const decoded = decode(text, spans);
  return {
    count: charactersOf(text, spans).length,
    classes: HIDDEN_CLASSES.filter((each) => spans.some((span) => span.class === each)),
    ...(decoded === undefined ? {} : { decoded: printable(decoded) }),
  };
}

/** Overrides, and the beginning of a control sequence of terminals. */
const SENT = lazyRegExp(String.raw`[\u202d\u202e]|\x1b[[\]PX^_]`, '');

const charactersOf = (text: string, spans: readonly HiddenSpan[]): string[] =>
  spans.flatMap(({ start, end }) => [...text.slice(start, end)]);

function isAlarming(text: string, spans: readonly HiddenSpan[]): boolean {
  const isSent = (span: HiddenSpan) =>
    span.class === 'tag' ||
    (span.class === 'surrogate' && span.start > 0 && span.end < text.length) ||
    SENT().test(text.slice(span.start, span.end + 1));
  if (spans.some(isSent)) return true;
  const kinds = (part: readonly HiddenSpan[]) => new Set(charactersOf(text, part)).size;
  const length = (part: readonly HiddenSpan[]) => charactersOf(text, part).length;
  const isDamage = ({ class: kind }: HiddenSpan) =>
    /^(?:control|private-use|noncharacter|surrogate)$/.test(kind);
  const invisible = spans.filter((span) => !isDamage(span));
  // What is the same throughout says nothing, unless it is there to break words.
  return (
    spans.some((span) => isDamage(span) && length([span]) >= LEAST_IN_ROW && kinds([span]) > 1) ||
    rowsOf(invisible).some((row) => kinds(row) > 1) ||
    // A word that is broken up letter by letter; damage of ligatures is one in a word.
    spans.filter((span, at) => span.start - (spans[at - 1]?.end ?? Number.NEGATIVE_INFINITY) === 1).length >=
      LEAST ||
    (length(invisible) >= LEAST && (kinds(invisible) > 1 || invisible.some((span) => isInWord(text, span))))
  );
}

/** Spans that follow each other without anything between them. */
function rowsOf(spans: readonly HiddenSpan[]): HiddenSpan[][] {
  const rows: HiddenSpan[][] = [];
  for (const span of spans) {
    const last = rows.at(-1);
    if (last?.at(-1)?.end === span.start) last.push(span);
    else rows.push([span]);
  }
  return rows;
}

function isInWord(text: string, { start, end }: HiddenSpan): boolean {
  return [text.codePointAt(start - 1), text.codePointAt(end)].every((each) => isLetter(each ?? NOTHING));
}

const MOST_DECODED = 120;

/** By the ways that are in use: tags as ASCII, variation selectors as bytes, two kinds of zero-width characters as bits. */
function decode(text: string, spans: readonly HiddenSpan[]): string | undefined {
  const of = (...classes: HiddenClass[]) =>
    charactersOf(
      text,
      spans.filter((span) => classes.includes(span.class)),
    ).map((each) => each.codePointAt(0) as number);
  const tags = of('tag').filter((each) => each >= 0xe0020 && each < 0xe007f);
  const spelled = String.fromCodePoint(...tags.slice(0, MOST_DECODED).map((each) => each - 0xe0000));
  const found = [
    ...(tags.length === 0 ? [] : [spelled]),
    bestOf(selectorReadings(text)),
    bestOf(bitReadings(of('zero-width', 'bidirectional'))),
  ];
  return found.find((each) => each !== undefined);
}

/** The first of a run can be justified by what is before it. */
const SELECTED = lazyRegExp(String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}`, 'gu');

/** Numbered from 0, or only the supplementary ones, from 0. */
function selectorReadings(text: string): string[] {
  const places = (text.match(SELECTED()) ?? [])
    .flatMap((run) => [...run])
    .slice(0, 4 * MOST_DECODED)
    .map((each) => each.codePointAt(0) as number);
  const bytes = places.map((each) => (each < 0xe0100 ? each - 0xfe00 : each - 0xe0100 + 16));
  return [fromUtf8(bytes), fromUtf8(bytes.map((each) => Math.max(0, each - 16)))];
}

const WIDTHS = [8, 7, 16];

/** Each two kinds as 0 and 1; a third kind stands between numbers, else they are of one width. */
function bitReadings(codePoints: readonly number[]): string[] {
  const start = codePoints.slice(0, 17 * MOST_DECODED);
  const kinds = [...new Set(start)].toSorted((a, b) => a - b).slice(0, 5);
  return kinds.flatMap((zero) =>
    kinds
      .filter((one) => one !== zero)
      .flatMap((one) => {
        const bits = start.map((each) => (each === zero ? '0' : each === one ? '1' : ' ')).join('');
        const numbers = bits.trim().split(/ +/);
        if (numbers.length > 1) return [fromNumbers(numbers.map((each) => Number.parseInt(each, 2)))];
        return WIDTHS.map((width) => {
          const groups = (numbers[0] ?? '').match(new RegExp(`.{${width}}`, 'g')) ?? [];
          const values = groups.map((each) => Number.parseInt(each, 2));
          return width === 8 ? fromUtf8(values) : fromNumbers(values);
        });
      }),
  );
}

const fromUtf8 = (bytes: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(bytes));

const fromNumbers = (numbers: readonly number[]): string =>
  numbers.map((each) => (each <= 0xffff ? String.fromCharCode(each) : '\ufffd')).join('');

const READABLE = lazyRegExp(String.raw`[\p{L}\p{N}\p{P}\p{Zs}\n\t]`, 'gu');
/** Of the characters of a message. Chance reaches three quarters at most. */
const LEAST_READABLE = 0.9;
const SHORTEST_MESSAGE = 3;

/** The reading with the most plain letters, if it can be read. */
function bestOf(readings: readonly string[]): string | undefined {
  const share = (text: string, of: RegExp) => (text.match(of)?.length ?? 0) / [...text].length;
  return readings
    .filter((each) => each.length >= SHORTEST_MESSAGE && share(each, READABLE()) >= LEAST_READABLE)
    .toSorted((a, b) => share(b, /[A-Za-z ]/g) - share(a, /[A-Za-z ]/g))[0];
}

const PRINTS = lazyRegExp(String.raw`[\p{L}\p{N}\p{P}\p{S} ]`, 'u');

/** A code point as it is written in code. */
export const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) as number).toString(16).toUpperCase()}}`;

function printable(text: string): string {
  let shown = '';
  for (const each of text) {
    const prints = PRINTS().test(each) && !isSuspect(each.codePointAt(0) as number);
    const next = prints ? each : escaped(each);
    if (shown.length + next.length > MOST_DECODED) break;
    shown += next;
  }
  return shown;
}
