/**
 * Undoes disguises of words that people still read: invisible characters within words, compatibility forms, and letters of
 * other scripts that look Latin.
 *
 * Sources: Unicode Standard Annex #15 (compatibility forms); Unicode Technical Standard #39 (security mechanisms), which
 * lists letters as confusable.
 */
import { lazyRegExp } from '../../runtime/lazily.js';

/**
 * Letters of other scripts that look like Latin letters in common fonts. `μ`, `Ω` and other letters that science writes
 * among Latin ones are left out.
 */
const CYRILLIC =
  'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl кk мm тt вb нh АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT ХX ҮY УY';
const GREEK = 'αa ηn ιi κk νv οo ρp τt υu χx ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX';

/** The Latin letter that each of them looks like. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  `${CYRILLIC} ${GREEK}`.split(' ').map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
);

/** A text without disguises, and the offset in the original of each of its code units, and of its end. */
export interface Undisguised {
  readonly text: string;
  readonly offsets: readonly number[];
}

const INVISIBLE = lazyRegExp(String.raw`^[\p{Default_Ignorable_Code_Point}\p{Cf}]$`, 'u');
/** Most texts have none of these. */
const DISGUISED = lazyRegExp(
  String.raw`[a-z][\xad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u034f\u0370-\u052f]|[\u0370-\u052f][a-z]|[\uff21-\uff5a\u2460-\u24ff\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}\u{e0000}-\u{e0fff}]`,
  'iu',
);

/** Returns the text without disguises, or undefined if it has none. */
export function undisguised(text: string): Undisguised | undefined {
  if (!DISGUISED().test(text)) return undefined;
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
  return plain === text ? undefined : { text: plain, offsets };
}
