/** Recognises what a document says of its makers and not of its subject: sponsors, contributors, licences. */
import { lazyRegExp } from '../../runtime/lazily.js';

const LONGEST = 200;
const BEFORE =
  'our the all many big project gold silver bronze platinum special featured financial corporate code core original ' +
  'current previous past emeritus become a';
const MAKERS =
  'sponsors? sponsorship sponsoring backers? supporters? patrons? donate donations? funding contributors? contributions? ' +
  'maintainers? authors? credits thanks acknowledge?ments? licen[cs]es? licen[cs]ing copyright';
const either = (words: string) => `(?:${words.split(' ').join('|')})`;
/** Maybe with a picture before and after, a second word of the kind, or the name of the licence. */
const TITLE = lazyRegExp(
  String.raw`^[^\p{L}\p{N}]*(?:${either(BEFORE)} )*${either(MAKERS)}(?: to)?` +
    String.raw`(?: (?:and|&|&amp;) \p{L}+)?(?::\w+:|\([\w .-]{2,20}\)|[^\p{L}\p{N}])*$`,
  'iu',
);
const LICENCES = either('MIT ISC BSD Apache GPL LGPL MPL Unlicense CC0');
const STATEMENT = lazyRegExp(
  String.raw`^[^\p{L}\p{N}©]*(?:${LICENCES}\b(?:[- ](?:v?\d[\w.-]*|clause|style))*(?:[)\]]\S{0,80})?(?: licen[cs]ed?\b|,? ©|,? \(c\)|\.?$)|` +
    String.raw`licen[cs]ed?:|copyright (?:\(c\)|©|\d{4})|(?:\(c\)|©) ?(?:copyright )?\d{4}|` +
    String.raw`(?:[-\w @/,.\x60]{1,60} (?:is|are) )?(?:released|licensed|distributed|available) under (?:the|an?)\b.{0,60}\blicen[cs]e\b)`,
  'iu',
);

/** Few sentences contain one of these strings. */
const HINT = /licen[cs]|copyright|©|\(c\)|\b(?:MIT|ISC|BSD|Apache|L?GPL|MPL|CC0)\b/i;

/** Returns whether a heading begins a section on authors and thanks, or on a licence. */
export function isCreditsTitle(heading: string): boolean {
  return heading.length <= LONGEST && TITLE().test(plain(heading));
}

/** Returns whether a short text states a licence or a copyright. */
export function isLicence(text: string): boolean {
  return text.length <= LONGEST && HINT.test(text) && STATEMENT().test(text);
}

/** Returns a heading without its links, tags and underline. */
const plain = (heading: string): string =>
  heading
    .replace(/<[^<>]{1,200}>/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\n[\s\S]*/, '')
    .trim();
