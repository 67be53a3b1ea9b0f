/** Decodes messages that hidden characters encode. */
import { lazyRegExp } from '../../runtime/lazily.js';
import type { HiddenClass } from '../../types.js';
import { isSuspect } from './classes.js';
import type { HiddenSpan } from './hidden.js';

const MOST_DECODED = 120;

/**
 * Tries the encodings that are in use: tags as ASCII, variation selectors as bytes, two kinds of zero-width characters
 * as bits. Returns the first message found, or undefined.
 */
export function decode(text: string, spans: readonly HiddenSpan[]): string | undefined {
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

/**
 * Runs of selectors. The character before a run can justify its first selector, so spans of hidden characters may lack
 * it.
 */
const SELECTED = lazyRegExp(String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}`, 'gu');

/**
 * Returns two readings of the selectors as bytes: all of them numbered from 0, or only the supplementary ones, from 0.
 */
function selectorReadings(text: string): string[] {
  const places = (text.match(SELECTED()) ?? [])
    .flatMap((run) => [...run])
    .slice(0, 4 * MOST_DECODED)
    .map((each) => each.codePointAt(0) as number);
  const bytes = places.map((each) => (each < 0xe0100 ? each - 0xfe00 : each - 0xe0100 + 16));
  return [fromUtf8(bytes), fromUtf8(bytes.map((each) => Math.max(0, each - 16)))];
}

const WIDTHS = [8, 7, 16];

/**
 * Returns the readings with each two kinds of characters as 0 and 1. A third kind separates numbers. Without a third
 * kind, all numbers have one width.
 */
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
/** Least share of readable characters in a message. Random characters reach three quarters at most. */
const LEAST_READABLE = 0.9;
const SHORTEST_MESSAGE = 3;

/** Returns the readable reading with the largest share of plain letters, or undefined if none is readable. */
function bestOf(readings: readonly string[]): string | undefined {
  const share = (text: string, of: RegExp) => (text.match(of)?.length ?? 0) / [...text].length;
  return readings
    .filter((each) => each.length >= SHORTEST_MESSAGE && share(each, READABLE()) >= LEAST_READABLE)
    .toSorted((a, b) => share(b, /[A-Za-z ]/g) - share(a, /[A-Za-z ]/g))[0];
}

/** Returns the characters of spans, in order. */
export const charactersOf = (text: string, spans: readonly HiddenSpan[]): string[] =>
  spans.flatMap(({ start, end }) => [...text.slice(start, end)]);

const PRINTS = lazyRegExp(String.raw`[\p{L}\p{N}\p{P}\p{S} ]`, 'u');

/** Writes a character as a code point escape. */
export const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) as number).toString(16).toUpperCase()}}`;

/** Escapes unprintable characters and cuts the text to 120 characters. */
export function printable(text: string): string {
  let shown = '';
  for (const each of text) {
    const prints = PRINTS().test(each) && !isSuspect(each.codePointAt(0) as number);
    const next = prints ? each : escaped(each);
    if (shown.length + next.length > MOST_DECODED) break;
    shown += next;
  }
  return shown;
}
