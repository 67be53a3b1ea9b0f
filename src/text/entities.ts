/**
 * Character references of HTML, for comparison. Text that was cut out of a page often keeps them.
 *
 * Named ones are those of markup, Latin-1, typography and Greek. The table of the two thousand others would be too large.
 *
 * Source: W3C, "HTML 4.01 Specification", section 24; WHATWG, "HTML", section 13.2.5.80 (numbers 128 to 159).
 */
import { lazily } from '../runtime/lazily.js';

// Unchecked prose: lists of names.
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega';
/** Names of characters in a row, with the code point of the first. */
const RUNS: readonly [first: number, names: string][] = [
  [
    160,
    `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
    middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave
    Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc
    Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc
    iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`,
  ],
  [913, GREEK.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())],
  [945, GREEK],
];
const SINGLE = `
amp & lt < gt > quot " apos ' OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ ndash – mdash — lsquo ‘
rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › euro €
trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ rArr ⇒ hArr ⇔ minus − infin ∞ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ radic √ sum ∑
hyphen ‐ check ✓ cross ✗ zwnj \u200c zwj \u200d lrm \u200e rlm \u200f
`;
/** The characters of Windows-1252, which the numbers 128 to 159 stand for. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const NAMED = lazily(() => {
  const named = new Map<string, string>();
  const single = SINGLE.trim().split(/\s+/);
  for (let at = 0; at < single.length; at += 2) named.set(single[at] as string, single[at + 1] as string);
  for (const [first, names] of RUNS) {
    for (const [at, name] of names.split(/\s+/).entries()) named.set(name, String.fromCodePoint(first + at));
  }
  for (const name of ['ensp', 'emsp', 'thinsp']) named.set(name, ' ');
  return named;
});

/** A reference, or inline code, which may be about references. */
const REFERENCE = /`[^`\n]*`|&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][\dA-Za-z]{1,7}));/g;

/** Returns the text with characters in place of their references. Unknown ones stay, and so do those in inline code. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED().get(name) ?? whole;
    const code = Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10);
    if (code >= 128 && code < 160) return WINDOWS.charAt(code - 128);
    const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code >= 0xe000);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}
