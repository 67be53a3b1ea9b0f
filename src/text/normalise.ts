import { lazyRegExp } from '../runtime/lazily.js';
import { ANY_NUMBER, LETTER_OR_MARK, normalForm } from './characters.js';
import { replaceIn } from './text-regexp.js';
import { SMALLER_UNIT } from './unit-case.js';

/**
 * Returns one spelling for texts that a reader would call the same: compatibility forms are unified (Unicode NFKC),
 * case is folded, punctuation and space become single spaces.
 *
 * Characters that carry meaning stay: symbols (`C++`, `a < b`, `$5`), `&`, `#`, `%` and `‰`. So do marks inside numbers
 * and names (`1.5` is not `15`, `app.conf` is not `app/conf`), raised digits (`10²` is not `102`), and the case of a unit
 * (`5 mW`, which becomes `5 ↓mw`, is not `5 MW`). So do the following. Each of them has a spelling of its own that means
 * nothing else, so that a second pass changes nothing:
 *
 * - a dash before the operand that it negates (`-5`, `-$5`, `return -x`) or after a grade (`A-`, `Rh-`), `!` before the
 *   operand that it negates (`!ready`, `!=`, `[ ! -f x ]`), the point of `.5`;
 * - `-`, `*` and `/` between two operands: numbers, single letters, names with a digit or an underscore; in texts that
 *   show signs of code, between any two words with spaces around;
 * - feet and inches: a quotation mark after a digit if no quotation is open.
 *
 * At the start of a line a dash or star is a bullet. A text that contains only punctuation is trimmed and otherwise
 * unchanged.
 *
 * Source: Unicode Standard Annex #15 (normalisation forms) and section 3.13 (default case folding).
 */
export function normalise(text: string): string {
  const raised = normalForm(text.replace(OTHER_NUMBER(), markRaised), 'NFKC');
  const folded = fold(replaceIn(raised, SMALLER_UNIT, '↓$&')).replace(/\s+/g, spaceOrBreak);
  const marks = new Marks(folded);
  const plain = folded
    .replace(MARK(), (run, at: number) => marks.meaning(run, at))
    .replace(/ +/g, ' ')
    .trim();
  return plain === '' ? text.trim() : plain;
}

/** Raised digits, fractions and numbers in circles. */
const OTHER_NUMBER = lazyRegExp(String.raw`\p{No}`, 'gu');

/** Compatibility folding turns a raised digit into a plain one. The mark in front keeps them apart. */
const markRaised = (character: string) =>
  character.normalize('NFKC') === character ? character : `^${character}`;

const spaceOrBreak = (space: string) => (/[\n\r\u2028\u2029]/.test(space) ? '\n' : ' ');

/** A run of one mark if its length matters, else a single character: every character that may not stay as it is. */
const MARK = lazyRegExp(String.raw`[-‐‑–—−]+|\*+|!+|&+|[^\p{L}\p{M}\p{N}\p{S}#%‰‱′_ ]`, 'gu');

const WORD_CHARACTER = lazyRegExp(String.raw`[\p{L}\p{M}\p{N}_]`, 'u');
const SPACE = /\s/;
/** A word next to an operator at an offset, with sigils and units. Its length is bounded for speed. */
const WORD_BEFORE = lazyRegExp(
  String.raw`(?<=(?<![\p{L}\p{M}\p{N}_])([\p{L}\p{M}\p{N}_]{1,32})[%‰°)\]]?)`,
  'uy',
);
const WORD_AFTER = lazyRegExp(String.raw`[\p{Sc}@(]?([\p{L}\p{M}\p{N}_]{1,32})(?![\p{L}\p{M}\p{N}_])`, 'uy');
const OPERAND = lazyRegExp(String.raw`[\p{N}_]|^\p{L}\p{M}?$`, 'u');
/** How far before a mark a word that decides about the mark may begin. */
const WINDOW = 8;
/** Character sequences that only code contains. */
const CODE = lazyRegExp(String.raw`[\p{L}\p{N}_]\(\)|\);|[{}]|&&|\|\||::|=>|->| = |(?<!=)[=!]==?(?!=)`, 'u');
const CONDITION_BEFORE = lazyRegExp(
  String.raw`(?:[[(|&=;]|(?<![\p{L}\p{M}\p{N}_])(?:if|while|until|elif)) $`,
  'u',
);
const GRADE_BEFORE = lazyRegExp(String.raw`(?<![\p{L}\p{M}\p{N}_])\p{L}{1,2}$`, 'u');

const AMOUNT_START = lazyRegExp(String.raw`[\p{Sc}^]`, 'u');
const PREFIX_BEFORE = lazyRegExp(String.raw`[ ([{,\p{S}]`, 'u');
const NEGATED = lazyRegExp(String.raw`[\p{L}_(]`, 'u');
const NEGATED_NAME = lazyRegExp(String.raw`[\p{L}\p{N}_$@~]`, 'u');
const CONDITION_START = lazyRegExp(String.raw`[\p{L}\p{N}_$"([-]`, 'u');
const OPERAND_END = lazyRegExp(String.raw`[\p{L}\p{M}\p{N}_)\]%"']`, 'u');
const OPERAND_START = lazyRegExp(String.raw`[\p{L}\p{N}\p{S}_([@"'-]`, 'u');
const QUOTATION_BEFORE = lazyRegExp(String.raw`[\s([{\p{S}]`, 'u');

/** The meaning of the punctuation of one text. Runs must be passed in order, each once. */
class Marks {
  readonly #text: string;
  readonly #isCode: boolean;
  /** The quotation marks that are open. They distinguish the end of a quotation from feet and inches. */
  readonly #open = { "'": false, '"': false };

  constructor(text: string) {
    this.#text = text;
    this.#isCode = CODE().test(text);
  }

  /** Returns the spelling of the meaning of the run of marks at an offset, or a space if it has no meaning. */
  meaning(run: string, at: number): string {
    const before = this.#characterBefore(at);
    const after = this.#characterAt(at + run.length);
    switch (run.charAt(0)) {
      case '!':
        return this.#isNegation(run, at, before, after) ? '¬'.repeat(run.length) : ' ';
      case '*':
        return run.length <= 2 && (after === '=' || this.#isOperator(run, at)) ? this.#spaced('∗', run) : ' ';
      case '/':
        if (ANY_NUMBER().test(before) && ANY_NUMBER().test(after)) return run;
        if (after === '=' || this.#isOperator(run, at)) return ' ∕ ';
        return isInside(before, after) ? run : ' ';
      case '&':
        return run.length === 1 ? ' & ' : ' ∧ ';
      case '.':
        if (isInside(before, after)) return run;
        return ANY_NUMBER().test(after) && !/[.)\]]/.test(before) ? '0.' : ' ';
      case ',':
        return ANY_NUMBER().test(before) && ANY_NUMBER().test(after) ? run : ' ';
      case ':':
      case '(':
      case '[':
      case '{':
      case '@':
      case '\\':
        return isInside(before, after) ? run : ' ';
      case "'":
      case '‘':
      case '’':
        return this.#quotationMark("'", at, before, after);
      case '"':
      case '“':
      case '”':
      case '„':
        return this.#quotationMark('"', at, before, after);
      default:
        return /[-‐‑–—−]/.test(run) ? this.#dash(run, at, before, after) : ' ';
    }
  }

  #dash(run: string, at: number, before: string, after: string): string {
    const minus = '−'.repeat(run.length);
    if (run.length <= 2) {
      if (this.#isPrefix(run, at, before, after)) return minus;
      if (/[>=]/.test(after) && !run.includes('—')) return minus;
      if (run.length === 1 && this.#isOperator(run, at)) return ' − ';
      if (/^[-–−]$/.test(run) && this.#isGrade(at, after)) return minus;
    }
    // A true minus sign is a symbol and stays. A dash is punctuation.
    return run.replace(/[^−]+/g, ' ');
  }

  /**
   * Whether the run is a sign: before a number or an amount, after any character that is not of a word; or a hyphen
   * before a word, after a space, a bracket, a comma or a symbol.
   */
  #isPrefix(run: string, at: number, before: string, after: string): boolean {
    if (WORD_CHARACTER().test(before) || /[)\]]/.test(before)) return false;
    const next = after === '.' ? this.#characterAt(at + run.length + 1) : after;
    if (ANY_NUMBER().test(next) || (after !== '.' && AMOUNT_START().test(after))) return true;
    // Lines of Markdown and dialogue start with a hyphen, and longer dashes join clauses.
    return /[-‐‑−]/.test(run) && !/[–—]/.test(run) && PREFIX_BEFORE().test(before) && NEGATED().test(after);
  }

  #isGrade(at: number, after: string): boolean {
    return (after === '' || /[\s,.;:)?"'”’\]]/.test(after)) && GRADE_BEFORE().test(this.#textBefore(at));
  }

  #isNegation(run: string, at: number, before: string, after: string): boolean {
    if (after === '=' || after === '(') return true;
    if (after !== ' ') return NEGATED_NAME().test(after) && !WORD_CHARACTER().test(before);
    const next = this.#characterAt(at + run.length + 1);
    return run.length === 1 && CONDITION_START().test(next) && CONDITION_BEFORE().test(this.#textBefore(at));
  }

  /**
   * Whether the run is between operands, with space on both sides or on neither side, and not at the start of a line.
   */
  #isOperator(run: string, at: number): boolean {
    const end = at + run.length;
    const isSpaced = this.#characterBefore(at) === ' ';
    if (isSpaced !== SPACE.test(this.#characterAt(end))) return false;
    const [from, to] = isSpaced ? [at - 1, end + 1] : [at, end];
    if (this.#isCode && isSpaced && !/[–—]/.test(run)) {
      const [before, after] = [this.#characterBefore(from), this.#characterAt(to)];
      if (OPERAND_END().test(before) && OPERAND_START().test(after)) return true;
    }
    const left = wordAt(WORD_BEFORE(), this.#text, from);
    if (!OPERAND().test(left)) return false;
    const right = wordAt(WORD_AFTER(), this.#text, to);
    if (!OPERAND().test(right)) return false;
    // `F-16` is a name just as `F 16` is, unlike `3-5` and `A-Z`.
    return isSpaced || !/^[-‐‑–—]$/.test(run) || ANY_NUMBER().test(left) === ANY_NUMBER().test(right);
  }

  #spaced(sign: string, run: string): string {
    return ` ${sign.repeat(run.length)} `;
  }

  #quotationMark(mark: "'" | '"', at: number, before: string, after: string): string {
    const open = this.#open;
    if (ANY_NUMBER().test(before)) {
      if (mark === "'" && LETTER_OR_MARK().test(after)) return ' ';
      if (!open[mark]) return mark === '"' ? '′′' : '′';
      open[mark] = false;
    } else if (
      mark === "'" &&
      before === "'" &&
      ANY_NUMBER().test(this.#text.charAt(at - 2)) &&
      !open[mark]
    ) {
      return '′';
    } else if (before === '' || QUOTATION_BEFORE().test(before)) {
      open[mark] = after !== '' && !SPACE.test(after);
    } else if (mark === '"' || !WORD_CHARACTER().test(after)) {
      open[mark] = /[,:/=>—–-]/.test(before);
    }
    return ' ';
  }

  #textBefore(at: number): string {
    return this.#text.slice(Math.max(0, at - WINDOW), at);
  }

  #characterAt(at: number): string {
    const code = this.#text.codePointAt(at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #characterBefore(at: number): string {
    const last = this.#text.charCodeAt(at - 1);
    return this.#characterAt(last >= 0xdc00 && last <= 0xdfff && at > 1 ? at - 2 : at - 1);
  }
}

/** Whether a mark is inside a token: `app.conf`, `app/conf`, `a:b`. */
const isInside = (before: string, after: string): boolean =>
  WORD_CHARACTER().test(before) && WORD_CHARACTER().test(after);

function wordAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[1] ?? '';
}

/** A dot above an i, which lower-casing leaves of the Turkish İ. The letter says the same in "İlk" and "ilk". */
const DOTTED_I = 'i\u0307';
/**
 * The vowel AM of Thai and Lao in two parts, maybe with a tone mark between. Compatibility folding takes it apart, and
 * no dictionary of a segmenter has the parts: "จำนวน" would be cut into "จํา", "นว" and "น".
 */
const AM_IN_PARTS = /\u0e4d([\u0e48-\u0e4b]{0,2})\u0e32|\u0ecd([\u0ec8-\u0ecb]{0,2})\u0eb2/g;

/**
 * Folds case and compatibility forms. Punctuation and space stay unchanged. Lower-casing after upper-casing is the
 * closest that JavaScript has to full case folding: it maps ß, ẞ and SS to one form, and the four letters i of Turkish.
 */
export function fold(text: string): string {
  const cased = normalForm(text, 'NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return normalForm(cased, 'NFKC')
    .replaceAll(DOTTED_I, 'i')
    .replace(AM_IN_PARTS, (_, thai?: string, lao?: string) =>
      thai === undefined ? `${lao}\u0eb3` : `${thai}\u0e33`,
    );
}
