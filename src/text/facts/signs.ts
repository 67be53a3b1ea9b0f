/**
 * Signs that carry meaning: operators (`<`, `>=`, `&&`, `^4`), signs behind a name (`C++`, `AA-`), check marks, crosses
 * and other symbols, and marks inside a token (`app.conf`, `app/conf`, `https://`, `*.js`). Forms of one sign are unified:
 * `≤` and `<=`, `→` and `->`, `[x]` and `☑`.
 *
 * Layout is no sign: emphasis, bullets, headings, pipes and rules of tables, fences, backticks, block quotes, footnotes,
 * plain tags of HTML, and the punctuation of sentences. Numbers, units and ranges are read elsewhere (`reader`).
 *
 * Sources: CommonMark 0.31 and GitHub Flavored Markdown 0.29 (emphasis, block quotes, tables, task lists).
 */
import { lazily } from '../../runtime/lazily.js';
import { NUMBER_WORDS } from './number-words.js';
import type { Sign } from './tokens.js';
import { unitOf } from './units.js';

/** Layout. White space takes its place, so that all other characters keep their offsets. */
const LAYOUT: readonly RegExp[] = [
  // Decoration, the rule of a table, a fence.
  /^[ \t>]*[-=_*~#+|:.`][-=_*~#+|:.` \t]{2,}$/gm,
  // Block quotes, headings, bullets, also where their line break is lost.
  /^[ \t]*(?:(?:>+[ \t]+(?![ \t\d])|#{1,6}[ \t]+|[-*+•‣▪▫●○◦◆◇►▶➢➤–][ \t]+)(?!\n))+/gm,
  /(?<=[.!?:;] )[*+](?= )/g,
  // The end of a closed heading, footnotes, comments, tags.
  /[ \t]#+[ \t]*$/gm,
  /\[\^\d+\]/g,
  /<!--|-->/g,
  /<\/?(?:a|b|i|u|p|br|hr|em|li|ul|ol|tr|td|th|h[1-6]|div|span|strong|code|pre|table|thead|tbody|blockquote)[ \t]*\/?>/gi,
];
/** Stars around a phrase. */
const EMPHASIS = /(?<![\w*\\])(\*{1,3})([^\s*](?:[^*\n]{0,1000}[^\s*(/\\])?)\1(?![\w*])/g;
/** The cells of a table. */
const PIPES = /\|+/g;

/** Letters and digits, of all scripts. */
const W = '\\w\\u00aa-\\u1fff\\u3041-\\ud7ff';
const L = 'A-Za-z_\\u00aa-\\u1fff\\u3041-\\ud7ff';
const SIGN = new RegExp(
  [
    String.raw`\[[ xX]\](?![([])`,
    // Operators.
    String.raw`<-{1,3}>|-{1,3}>|<-{1,3}(?![\d.])|:=`,
    '[&|@?!]{0,3}[<>=~^+*][<>=~^+*&|@?!]*|&&|\\|{1,2}(?!\\|)',
    String.raw`(?<![${W}])!{1,3}(?=[${W}($@~])|(?<=[${W}])\?(?=[.:${W}])|(?<= )\?\?(?= )|(?<=[[(|&;] )!(?= )`,
    // Beside a word.
    `@(?=[${W}])|(?<=[${W}])#|#(?=[${W}])|[$\\\\](?=[${L}])`,
    // Inside a token, and before one: app.conf, node:20, /etc, .env. "J.Smith" is "J. Smith".
    String.raw`(?<=[${W}])(?<!\b[A-Z])\.(?=[${L}])|(?<![${W}.)\]"'])\.(?=[${L}])`,
    String.raw`(?<=[${L}]):{1,3}(?=[${W}/\\])|(?<=\d):{1,3}(?=[${L}/\\])`,
    String.raw`(?<!\d)\/{1,3}(?=[${W}])|(?<=\d)\/{1,3}(?=[${L}])`,
    // Options of a command, grades, differences: --force, AA-, x - y.
    String.raw`(?<![^\s([{,=|])--?(?=[${L}])`,
    String.raw`(?<=\b(?:[A-Za-z]{1,2}|AAA|BBB|CCC))-(?=$|[\s,.;:)?"'\]|])`,
    String.raw`(?<=\b[A-Za-z] )-(?= [${W}]\b)|(?<=\b\d )-(?= [A-Za-z]\b)`,
    // Symbols.
    String.raw`[§¬±×÷←-⏿■-➿⤀-⯿]|[\ud83c-\ud83e][\udc00-\udfff]`,
  ].join('|'),
  'gm',
);
/** Colours of skin, which only vary an emoji. */
const MODIFIER = /^\ud83c[\udffb-\udfff]$/;

/** Maps forms of a sign to one form. */
const ONE_FORM: ReadonlyMap<string, string> = new Map(
  `<= ≤ ⩽ ≦, >= ≥ ⩾ ≧, != ≠, -> → ⟶ ➔ ➜, => ⇒ ⟹, <- ← ⟵, <-> ↔, && ∧, || ∨, ! ¬, * × ⋅ ∗, / ÷ ∕
  ✓ ✔ ✅ ☑ 🗸 [x] [X], ✗ ✘ ✕ ❌ ✖ ❎ ☒ 🗴, ☐ [_] ⬜`
    .split(/[,\n]/)
    .map((forms) => forms.trim().split(' '))
    .flatMap((forms) => forms.map((form): [string, string] => [form.replace('_', ' '), forms[0] as string])),
);

/** Signs that state a fact, which another sign in their place contradicts. A dot inside a name and an emoji do not. */
const STATES = /^(?:[<>=!~^+*]|-(?!-)|&&|\|\||[±←-⋿✓✗☐])/;
/** Returns whether a sign, in its one form, states a fact. */
export const isStating = (key: string): boolean => STATES.test(key);

/** Returns the signs of a text of plain characters (`spelling`), in order. */
export function signsIn(text: string): Sign[] {
  const blank = (found: string) => ' '.repeat(found.length);
  let plain = text;
  for (const layout of LAYOUT) plain = plain.replace(layout, blank);
  if (/^[ \t]*\|/m.test(text)) plain = plain.replace(PIPES, blank);
  plain = plain.replace(EMPHASIS, (_, stars, said) => blank(stars) + said + blank(stars));
  return Array.from(plain.matchAll(SIGN), ({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
    key: ONE_FORM.get(run) ?? run,
  })).filter(
    ({ key, start, end }) =>
      !MODIFIER.test(key) &&
      !(key === '/' && isPer(plain, start, end)) &&
      !(key === '$' && isNumber(plain, end)),
  );
}

const NUMBERS = lazily(() => new Set(NUMBER_WORDS));
/** "$two million" */
const isNumber = (text: string, at: number): boolean =>
  NUMBERS().has(/^[a-z]+/i.exec(text.slice(at, at + LONGEST))?.[0].toLowerCase() ?? '');

/** Returns whether a slash stands between units, or between a number and a unit: `mg/kg`, `5/day`. */
function isPer(text: string, start: number, end: number): boolean {
  const [after = ''] = /^ ?[\w°%µμ]+/.exec(text.slice(end, end + LONGEST)) ?? [];
  const [before = ''] =
    /(?<![\w°%µμ])[\w°%µμ]{1,20} ?$/.exec(text.slice(Math.max(0, start - LONGEST), start)) ?? [];
  const isUnit = (word: string) => unitOf(word.trim().toLowerCase()) !== undefined;
  return isUnit(after) && (/^\d+ ?$/.test(before) || isUnit(before));
}
/** Most characters of a word beside a sign, so that the time is linear. */
const LONGEST = 40;
