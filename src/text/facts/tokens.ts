import { lazyRegExp } from '../../runtime/lazily.js';
import { splitCaseless } from './caseless.js';
import { oneSpelling } from './spelling.js';
import { fold, type Word, wordOf } from './word.js';
import { TITLES } from './word-lists.js';

/** A sign that carries meaning, and where it stands. */
export interface Sign {
  readonly start: number;
  readonly end: number;
  /** The sign in one form. */
  readonly key: string;
}

export interface Token {
  /**
   * `date`: a date in digits. `caseless`: a word of a script without capitals. `negation`: a caseless word that
   * negates. `mark`: punctuation or a sign of a unit. `sign`: an operator, a check mark (`signs`).
   */
  type: 'date' | 'number' | 'caseless' | 'negation' | 'word' | 'mark' | 'sign';
  raw: string;
  /** The token in one letter case. */
  folded: string;
  /** Letters that directly follow a number: `mg` in `30mg`. */
  suffix: string;
  /** Whether it is the first word of its sentence, or of a quotation. */
  initial: boolean;
  /** Number of its sentence, line or quotation in the text. */
  sentence: number;
  /** The traits of a word. Tokens of type `word` and `caseless` have them. */
  word: Word | undefined;
}

const MIDDLE = String.raw`(?:-\d{1,2}-|/\d{1,2}/|\.\d{1,2}\.)`;
const DATE = String.raw`\d{4}${MIDDLE}\d{1,2}|\d{1,2}${MIDDLE}\d{4}`;
const DIGITS = String.raw`\d{1,3}(?:[ ']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:/]\d+)*`;
/** Matches a token where it begins. Groups: date, number, its suffix, caseless, word, mark. They have no names, because names add half to the time. */
const TOKEN = lazyRegExp(() => {
  const run = String.raw`[\p{LC}\p{Lm}\p{M}\p{N}]+`;
  return [
    // 2023-05-08, also before the time: 2023-05-08T12:30.
    String.raw`(?<![\p{L}\p{N}])(${DATE})(?!\d)(?:[Tt](?=\d))?`,
    // 30, -5, 1,000, 12:30, 30mg; not 3D2 or 3_a, which are words.
    String.raw`((?:(?<![\p{L}\p{N}])-)?(?:${DIGITS}))([\p{LC}]*)(?![\p{LC}\p{N}]|_[\p{L}])`,
    // Georgian has capitals in Unicode but not in its orthography.
    String.raw`((?:[\p{Lo}\p{Script=Georgian}][\p{M}\p{Lm}\u200c\u200d]*)+)`,
    `(${run}(?:_+${run})*)`,
    String.raw`(°[CcFf]?|'[sS](?![\p{L}\p{N}])|[-/%‰$€£¥₹₽₩₺₴,:"•\n]|。|(?<![.!?])[.!?]+(?=[\s"')\][]|$))`,
  ].join('|');
}, 'gu');
/** Letters directly behind a number that multiply it: `50k`, `3M`, not `3m`. */
const SCALES = new Map([
  ['k', 'thousand'],
  ['K', 'thousand'],
  ['M', 'million'],
]);
const SENTENCE_BREAK = /^[.!?。:"•\n]/;

/** Splits a text into tokens. */
export const tokensOf = (text: string): Token[] => tokensIn(oneSpelling(text), []);

/**
 * Splits a text in one spelling into tokens.
 *
 * @param signs the signs of the text, in order.
 */
export function tokensIn(plain: string, signs: readonly Sign[]): Token[] {
  const tokens: Token[] = [];
  let sentence = 0;
  let initial = true;
  const push = (type: Token['type'], raw: string, suffix = '', word?: Word): void => {
    const folded = word?.folded ?? fold(raw);
    tokens.push({ type, raw, folded, suffix, initial, sentence, word });
    initial = false;
  };
  const pushMark = (mark: string): void => {
    const breaks = SENTENCE_BREAK.test(mark) && !(mark === '.' && abbreviates(tokens.at(-1)));
    const isInitial: boolean = initial || breaks;
    push('mark', mark);
    initial = isInitial;
    if (breaks) sentence++;
  };
  const expression = TOKEN();
  let nextSign = 0;
  for (let at = 0; at < plain.length; ) {
    expression.lastIndex = at;
    const match = expression.exec(plain);
    const found = match?.index ?? plain.length;
    while (nextSign < signs.length && (signs[nextSign] as Sign).start < at) nextSign++;
    const sign = signs[nextSign];
    if (sign !== undefined && sign.start <= found) {
      const isInitial: boolean = initial;
      push('sign', sign.key);
      initial = isInitial;
      at = sign.end;
      continue;
    }
    if (match === null) break;
    at = expression.lastIndex;
    const [, date, number, suffix = '', caseless, word, mark] = match;
    if (word !== undefined) push('word', word, '', wordOf(word));
    else if (mark !== undefined) pushMark(mark);
    else if (number !== undefined) push('number', number, SCALES.get(suffix) ?? fold(suffix));
    else if (date !== undefined) push('date', date);
    else {
      for (const { word, negates } of splitCaseless(caseless as string)) {
        if (negates) push('negation', word);
        else push('caseless', word, '', wordOf(word));
      }
    }
  }
  return tokens;
}

/** Whether the dot after this token belongs to an initial or a title: `J. Smith`, `Mr. Smith`. */
function abbreviates(token: Token | undefined): boolean {
  return token?.type === 'word' && (token.raw.length === 1 || TITLES.has(token.folded));
}

/** Returns the folded token at an index, or '' beyond the ends. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.folded ?? '';
}
