/**
 * Letters of other scripts that look like Latin letters in common fonts.
 *
 * Source: Unicode Technical Standard #39 (security mechanisms), which lists these letters as confusable. `μ`, `Ω` and other
 * letters that science writes among Latin ones are left out.
 */
const CYRILLIC =
  'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl кk мm тt вb нh АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT ХX ҮY УY';
const GREEK = 'αa ηn ιi κk νv οo ρp τt υu χx ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX';

/** The Latin letter that each of them looks like. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  `${CYRILLIC} ${GREEK}`.split(' ').map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
);
