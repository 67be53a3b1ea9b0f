/** Texts that a model reads otherwise than a person sees them: characters without a glyph, and look-alikes. */
import { Buffer } from 'node:buffer';

export interface Encoding {
  name: string;
  /** The passage with the payload hidden in it. */
  hide(passage: string, payload: string): string;
}

/** Into the middle of a passage, between two words. */
function inside(passage: string, hidden: string): string {
  const space = passage.indexOf(' ', Math.floor(passage.length / 2));
  const at = space === -1 ? passage.length : space;
  return `${passage.slice(0, at)}${hidden}${passage.slice(at)}`;
}

const points = (from: number, payload: string, mask = 0xff) =>
  Array.from(Buffer.from(payload), (byte) => String.fromCodePoint(from + (byte & mask))).join('');
const bits = (payload: string, zero: string, one: string) =>
  Array.from(Buffer.from(payload), (byte) =>
    byte.toString(2).padStart(8, '0').replaceAll('0', zero).replaceAll('1', one),
  ).join('');
const between = (payload: string, mark: string) => [...payload].join(mark);
const encoding = (name: string, of: (payload: string) => string): Encoding => ({
  name,
  hide: (passage, payload) => inside(passage, of(payload)),
});

export const ENCODINGS: readonly Encoding[] = [
  encoding('tag characters', (payload) => points(0xe0000, payload, 0x7f)),
  encoding('variation selectors', (payload) =>
    Array.from(Buffer.from(payload), (byte) =>
      String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
    ).join(''),
  ),
  encoding('zero-width space and non-joiner as bits', (payload) => bits(payload, '\u200b', '\u200c')),
  encoding('zero-width joiner and non-joiner as bits', (payload) => bits(payload, '\u200d', '\u200c')),
  encoding('word joiner and byte order mark as bits', (payload) => bits(payload, '\u2060', '\ufeff')),
  encoding('bidirectional override', (payload) => `\u202e${[...payload].reverse().join('')}\u202c`),
  // Each word by itself from left to right, all of them from right to left.
  encoding(
    'bidirectional isolates',
    (payload) =>
      `\u2067${payload
        .split(' ')
        .map((word) => `\u2066${word}\u2069`)
        .join(' ')}\u2069`,
  ),
  encoding('direction marks as bits', (payload) => bits(payload, '\u200e', '\u200f')),
  encoding('C0 controls', (payload) => between(payload, '\u0008')),
  encoding('C1 controls', (payload) => between(payload, '\u0090')),
  encoding('soft hyphens', (payload) => between(payload, '\u00ad')),
  encoding('private use', (payload) => points(0xe000, payload)),
  encoding('lone surrogates', (payload) =>
    Array.from(Buffer.from(payload), (byte) => String.fromCharCode(0xdc00 + byte)).join(''),
  ),
  encoding('invisible operators as bits', (payload) => bits(payload, '\u2061', '\u2063')),
  encoding('Hangul and Khmer fillers as bits', (payload) => bits(payload, '\u3164', '\u17b4')),
];

const LOOK_ALIKES: Readonly<Record<'Cyrillic' | 'Greek', Readonly<Record<string, string>>>> = {
  Cyrillic: { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' },
  Greek: { a: 'α', i: 'ι', n: 'η', o: 'ο', p: 'ρ', u: 'υ', v: 'ν', x: 'χ' },
};

/** One letter of every fifth long word from another alphabet, at least of one. */
export function withLookAlikes(text: string, alphabet: keyof typeof LOOK_ALIKES): string {
  const table = LOOK_ALIKES[alphabet];
  let words = 0;
  return text.replace(/[A-Za-z]{5,}/g, (word) => {
    // Between letters of its own alphabet: what a word begins or ends with may be a symbol.
    const at = [...word].findIndex((letter, place) => place > 0 && table[letter] !== undefined);
    if (at === -1) return word;
    words++;
    return words % 5 === 1 ? `${word.slice(0, at)}${table[word[at] as string]}${word.slice(at + 1)}` : word;
  });
}
