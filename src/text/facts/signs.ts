/**
 * Signs that carry meaning: operators (`<`, `>=`, `&&`, `^4`), signs behind a name (`C++`, `AA-`), check marks, crosses
 * and other symbols, and marks inside a token (`app.conf`, `app/conf`, `https://`, `*.js`). Each is compared with the word
 * that it belongs to. Forms of one sign are unified: `≤` and `<=`, `→` and `->`, `[x]` and `☑`.
 *
 * Layout is no sign: emphasis, bullets, headings, pipes and rules of tables, fences, backticks, block quotes, footnotes,
 * plain tags of HTML, and the punctuation of sentences. Numbers, units and ranges are read elsewhere (`reader`).
 *
 * Sources: CommonMark 0.31 and GitHub Flavored Markdown 0.29 (emphasis, block quotes, tables, task lists).
 */
import { lazily } from '../../runtime/lazily.js';
import { classOf, LETTER, NUMBER } from '../characters.js';
import { NUMBER_WORDS } from './number-words.js';
import type { Sign } from './tokens.js';
import { unitOf } from './units.js';
import { setOf } from './word-lists.js';

/** Layout, each with a mark that it contains. Most texts have few of these marks, and looking for one is fast. */
const LAYOUT: readonly [mark: string, RegExp][] = [
  // Decoration, the rule of a table, a fence.
  ['', /^[ \t>]*[-=_*~#+|:.`][-=_*~#+|:.` \t]{2,}$/gm],
  // Block quotes, headings, bullets.
  ['', /^[ \t]*(?:(?:>+[ \t]+(?![ \t\d])|#{1,6}[ \t]+|[-*+•‣▪▫●○◦◆◇►▶➢➤–][ \t]+)(?!\n))+/gm],
  // The end of a closed heading.
  ['#', /[ \t]#+[ \t]*$/gm],
  ['[^', /\[\^\d+\]/g],
  ['<', /<!--|-->/g],
  [
    '>',
    /<\/?(?:a|b|i|u|p|br|hr|em|li|ul|ol|tr|td|th|h[1-6]|div|span|strong|code|pre|table|thead|tbody|blockquote)[ \t]*\/?>/gi,
  ],
];

const SIGN =
  /\[[ xX]\](?![([])|:+(?!=)|\/+|\\+|\.+|(?:-+>|<-+(?![\d.])|[-:](?==)|[<>=!~^+*&|?@])+|-+|[#$§¬±×÷\u2190-\u23ff\u25a0-\u27ff\u2900-\u2bff]|[\ud83c-\ud83e][\udc00-\udfff]/g;
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
const NUMBERS = lazily(() => new Set(NUMBER_WORDS));
const CHECKS = setOf('✓ ✗ ☐');

/** Most characters of a word beside a sign, so that the time is linear. */
const LONGEST = 40;
/** Most characters of an emphasis, and most stars that are tried as its end. */
const LONGEST_EMPHASIS = 1000;
const MOST_TRIES = 8;
const NONE: readonly Sign[] = [];

/** Returns the signs of a text of plain characters (`spelling`), in order. */
export function signsIn(text: string): readonly Sign[] {
  SIGN.lastIndex = 0;
  if (!SIGN.test(text)) return NONE;
  let plain = text;
  // White space takes the place of layout, so that all other characters keep their offsets.
  for (const [mark, layout] of LAYOUT) {
    if (plain.includes(mark)) plain = plain.replace(layout, (found) => ' '.repeat(found.length));
  }
  return new Signs(plain).all();
}

/** Returns a text that is equal for two texts if their signs are, in this order. */
export const wholeOf = (signs: readonly string[]): string => signs.join('\n');

/** The signs of one text. */
class Signs {
  readonly #text: string;
  /** Places of stars that end an emphasis. */
  readonly #closing = new Set<number>();
  readonly #hasTable: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#hasTable = /^[ \t]*\|/m.test(text);
  }

  all(): Sign[] {
    const found: Sign[] = [];
    SIGN.lastIndex = 0;
    for (let match = SIGN.exec(this.#text); match !== null; match = SIGN.exec(this.#text)) {
      const [run] = match;
      const sign = this.#meaning(run, match.index, match.index + run.length);
      if (sign !== undefined) found.push(sign);
    }
    return found;
  }

  #meaning(run: string, start: number, end: number): Sign | undefined {
    switch (run.charAt(0)) {
      case '.':
        if (run.length > 1 || !this.#isWord(end) || this.#isDigit(end)) return undefined;
        // "J.Smith" is "J. Smith".
        if (this.#isWord(start - 1) ? this.#isInitial(start) : !this.#opensToken(start)) return undefined;
        return this.#inside(run, start, end);
      case ':':
        if (run === ':=') return this.#operator(run, start, end);
        if (!this.#isWord(start - 1) || !(this.#isWord(end) || /[/\\]/.test(this.#text.charAt(end))))
          return undefined;
        return this.#isDigit(start - 1) && this.#isDigit(end) ? undefined : this.#inside(run, start, end);
      case '/':
        return this.#slash(run, start, end);
      case '$':
        // "$two million"
        if (NUMBERS().has(this.#after(end))) return undefined;
        return this.#isWord(end) && !this.#isDigit(end) ? this.#inside(run, start, end) : undefined;
      case '\\':
        return this.#isWord(end) && !this.#isDigit(end) ? this.#inside(run, start, end) : undefined;
      case '#':
        return this.#isWord(end) || this.#isWord(start - 1) ? this.#inside(run, start, end) : undefined;
      case '-':
        return run.includes('>') || run.includes('=')
          ? this.#operator(run, start, end)
          : this.#dash(run, start, end);
      case '[':
        return this.#symbol(run, start, end);
      default:
        return run.charCodeAt(0) < 128 ? this.#operator(run, start, end) : this.#symbol(run, start, end);
    }
  }

  /** A mark inside a token, or before one. */
  #inside(run: string, start: number, end: number): Sign {
    return { start, end, key: run, whole: this.#before(start) + run + this.#after(end), isFact: false };
  }

  #slash(run: string, start: number, end: number): Sign | undefined {
    const isSingle = run === '/';
    if (isSingle && this.#isDigit(start - 1) && this.#isDigit(end)) return undefined;
    const after = this.#next(end);
    if (after === '') return undefined;
    const before = this.#before(this.#skipped(start, -1));
    // 30 mg/kg, 5/day
    const isUnit = isSingle && unitOf(after) !== undefined;
    if (isUnit && (before === NUMBER_WORD || unitOf(before) !== undefined)) return undefined;
    return { start, end, key: run, whole: before + this.#dotsBefore(start) + run + after, isFact: false };
  }

  #symbol(run: string, start: number, end: number): Sign | undefined {
    if (MODIFIER.test(run)) return undefined;
    const key = ONE_FORM.get(run) ?? run;
    const isFact = CHECKS.has(key) || key !== run || /^[±←-⋿]$/.test(run);
    return { start, end, key, whole: `${key} ${this.#next(end)}`, isFact };
  }

  #operator(run: string, start: number, end: number): Sign | undefined {
    const isAfterWord = this.#isWord(start - 1);
    const isBeforeWord = this.#isWord(end);
    const next = this.#text.charAt(end);
    if (/^[!?]+$/.test(run) && !this.#isMarkOfCode(run, start, end)) return undefined;
    // "R&D" is read as "R and D".
    if (run === '&' && (isAfterWord || !isBeforeWord)) return undefined;
    if (/^\|+$/.test(run) && (this.#hasTable || run.length > 2)) return undefined;
    if (/^\*+$/.test(run) && this.#isEmphasis(run, start, end)) return undefined;
    // A bullet whose line break is lost.
    if (
      /^[*+]$/.test(run) &&
      next === ' ' &&
      /(?:^|[.!?:;]["')\]]?) +$/.test(this.#text.slice(Math.max(0, start - 4), start))
    ) {
      return undefined;
    }
    const key = ONE_FORM.get(run) ?? run;
    const isFact = !/^(?:[@&|?]|\?\?)$/.test(key);
    const isClosed = isAfterWord || /[)\]}"'%]/.test(this.#text.charAt(start - 1) || ' ');
    const isBehind = isClosed && !isBeforeWord && !/[($"'[{_.@/\\-]/.test(next || ' ') && !/[<=>]/.test(run);
    if (isBehind) return { start, end, key, whole: `${this.#before(start)} ${key}`, isFact };
    return { start, end, key, whole: `${key} ${this.#next(end)}`, isFact };
  }

  /** Exclamation and question marks are signs before or inside a word: `!ready`, `[ ! -f x ]`, `a?.b`, `name?: string`. */
  #isMarkOfCode(run: string, start: number, end: number): boolean {
    const next = this.#text.charAt(end);
    const isAfterWord = this.#isWord(start - 1);
    if (run === '??') return next === ' ' && this.#text.charAt(start - 1) === ' ';
    if (run === '?')
      return isAfterWord && (this.#isWord(end) || /^(?::|\.\w)/.test(this.#text.slice(end, end + 2)));
    if (run.includes('?')) return false;
    if (next === '(') return true;
    if (next !== ' ') return !isAfterWord && (this.#isWord(end) || /[$@~]/.test(next || ' '));
    return (
      run === '!' &&
      /(?:[[(|&=;]|\b(?:if|while|until|elif)) $/.test(this.#text.slice(Math.max(0, start - 8), start))
    );
  }

  #dash(run: string, start: number, end: number): Sign | undefined {
    // Most dashes are hyphens.
    if (run.length > 2 || (this.#isWord(start - 1) && this.#isWord(end))) return undefined;
    const [previous, next] = [this.#text.charAt(start - 1), this.#text.charAt(end)];
    // Options of a command: `--force`, `-f`.
    if (/[ ([{,=|]/.test(previous || '\n') && this.#isWord(end) && !this.#isDigit(end)) {
      return { start, end, key: run, whole: run + this.#after(end), isFact: false };
    }
    if (run === '--') return undefined;
    // Grades: `AA-`, `Rh-`.
    if (
      /^(?:[a-z]{1,2}|aaa|bbb|ccc)$/i.test(this.#wordBefore(start)) &&
      /^(?:$|[\s,.;:)?"'\]|])/.test(next)
    ) {
      return { start, end, key: run, whole: `${this.#before(start)} -`, isFact: true };
    }
    if (previous !== ' ' || next !== ' ') return undefined;
    const [left, right] = [this.#before(start - 1), this.#after(end + 1)];
    const isOperator = isOperand(left) && isOperand(right) && left !== right;
    return isOperator && (left !== NUMBER_WORD || right !== NUMBER_WORD)
      ? { start, end, key: run, whole: `- ${right}`, isFact: true }
      : undefined;
  }

  /** Returns whether stars open or close an emphasis, or are a bullet. */
  #isEmphasis(run: string, start: number, end: number): boolean {
    if (this.#closing.delete(start)) return true;
    const text = this.#text;
    if (run.length > 3 || this.#isWord(start - 1) || /[\s.,;:/\\)*]/.test(text.charAt(end) || ' '))
      return false;
    const rest = text.slice(end, end + LONGEST_EMPHASIS);
    const paragraph = rest.indexOf('\n\n');
    const limit = end + (paragraph < 0 ? rest.length : paragraph);
    let at = text.indexOf(run, end + 1);
    for (let tries = 0; tries < MOST_TRIES && at >= 0 && at < limit; tries++) {
      const isAlone = text.charAt(at - 1) !== '*' && text.charAt(at + run.length) !== '*';
      if (isAlone && !/[\s(/\\]/.test(text.charAt(at - 1))) {
        this.#closing.add(at);
        return true;
      }
      at = text.indexOf(run, at + run.length);
    }
    return false;
  }

  #isWord(at: number): boolean {
    return isWord(this.#text, at);
  }

  #isDigit(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code >= 48 && code <= 57;
  }

  #isInitial(end: number): boolean {
    return !this.#isWord(end - 2) && /[A-Z]/.test(this.#text.charAt(end - 1));
  }

  /** Whether nothing but an opening mark is before a place. */
  #opensToken(start: number): boolean {
    return /[\s([{"'`*=,<>/]/.test(this.#text.charAt(start - 1) || ' ');
  }

  #dotsBefore(start: number): string {
    let from = start;
    while (from > start - 3 && /[.~*$@:]/.test(this.#text.charAt(from - 1))) from--;
    return this.#text.slice(Math.max(0, from), start);
  }

  /** Passes over spaces and opening marks of a line. */
  #skipped(at: number, step: 1 | -1): number {
    const passed = step > 0 ? /[ \t([{"'`*_$]/ : /[ \t\])}"'`*_]/;
    let place = at;
    for (let count = 0; count < 4; count++) {
      if (!passed.test(this.#text.charAt(step > 0 ? place : place - 1))) break;
      place += step;
    }
    return place;
  }

  #wordBefore(end: number): string {
    let from = end;
    while (from > 0 && from > end - LONGEST && this.#isWord(from - 1)) from--;
    return this.#text.slice(from, end);
  }

  /** The word behind a sign and the spaces and opening marks behind it. */
  #next(end: number): string {
    return this.#after(this.#isWord(end) ? end : this.#skipped(end, 1));
  }

  #before(end: number): string {
    return folded(this.#wordBefore(end));
  }

  #after(start: number): string {
    let to = start;
    while (to < start + LONGEST && this.#isWord(to)) to++;
    return folded(this.#text.slice(start, to));
  }
}

/** Stands for each number. Numbers have many spellings and are compared as facts. */
const NUMBER_WORD = '0';
const folded = (word: string): string => (/^\d+$/.test(word) ? NUMBER_WORD : word.toLowerCase());
const isOperand = (word: string): boolean => word.length === 1 || /[\d_]/.test(word);

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95
    );
  }
  if (Number.isNaN(code)) return false;
  const found = classOf(code);
  return found === LETTER || found === NUMBER;
}
