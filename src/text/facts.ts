/**
 * Facts that forbid a merge: numbers, dates, units, names and negations.
 *
 * Two texts can share nearly all of their words and still contradict each other: "30 mg" and "50 mg",
 * "is" and "is not". Each text is read once, in linear time, into the set of its facts in a folded form,
 * so that "1,000" and "1000", "May 8, 2023" and "2023-05-08", "don't" and "do not" are the same; pairs of
 * texts are then compared by set difference.
 *
 * The reading leans to one side: a difference that is none costs a merge, a missed one costs a fact. What
 * is only perhaps a fact (a capital at the start of a sentence, a word of a script without capitals,
 * "one", "yesterday") is *weak*: it counts only in a swap, where both texts have such a fact that the
 * other lacks. Folding covers letter case, so "5 mW" equals "5 MW". Number and date words are English
 * (month names of seven languages are known beside a number), negations are those of eighteen languages.
 */
import type { FactKind } from '../types.js';
import * as words from './fact-words.js';

/** What one text states, ready to be compared. Made by {@link factsOf}. */
export interface Facts {
  /** The folded words that are no facts, in order: texts with one frame are the same statement. */
  readonly frame: readonly string[];
  /** By folded form. */
  readonly facts: ReadonlyMap<string, Fact>;
  /** Folded forms of all words: a name that the other text writes in lower case is not missing there. */
  readonly known: ReadonlySet<string>;
  /** Numbers without their units. */
  readonly numbers: ReadonlySet<string>;
  /** How often each occurs. */
  readonly negations: ReadonlyMap<string, number>;
}

interface Fact {
  kind: FactKind;
  weak: boolean;
  /** Of a quantity: its number without the unit. */
  number?: string;
}

export interface FactDifference {
  /** At least one, in the order number, date, unit, name, negation. */
  kinds: FactKind[];
  /** The folded facts of those kinds that only the first, only the second text has, sorted. */
  differences: [string[], string[]];
}

const KINDS: readonly FactKind[] = ['number', 'date', 'unit', 'name', 'negation'];

/** What two texts state differently, or `undefined`. Swapping the texts swaps the sides, nothing else. */
export function factDifferences(a: Facts, b: Facts): FactDifference | undefined {
  const onlyA = missing(a, b);
  const onlyB = missing(b, a);
  const kinds = KINDS.filter((kind) => {
    const both = [onlyA, onlyB].map((side) => side.filter((fact) => fact.kind === kind));
    return both.every((side) => side.length > 0) || both.flat().some((fact) => !fact.weak);
  });
  if (kinds.length === 0) return undefined;
  const shown = (side: Missing[]): string[] =>
    side
      .filter((fact) => kinds.includes(fact.kind))
      .map((fact) => fact.key)
      .sort();
  return { kinds, differences: [shown(onlyA), shown(onlyB)] };
}

type Missing = { key: string; kind: FactKind; weak: boolean };

/** The facts of `a` that `b` lacks. A number that `b` has with another unit differs in its unit. */
function missing(a: Facts, b: Facts): Missing[] {
  const found: Missing[] = [];
  for (const [key, { kind, weak, number }] of a.facts) {
    if (b.facts.has(key) || (kind !== 'date' && b.known.has(key))) continue;
    found.push({ key, kind: number !== undefined && b.numbers.has(number) ? 'unit' : kind, weak });
  }
  if (total(a.negations) === total(b.negations)) return found;
  for (const [key, count] of a.negations) {
    if (count > (b.negations.get(key) ?? 0)) found.push({ key, kind: 'negation', weak: false });
  }
  return found;
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Reads the facts of a text. Never throws; an empty text has none. */
export function factsOf(text: string): Facts {
  return new Reader(text).read();
}

const TYPES = ['date', 'number', 'caseless', 'word', 'mark'] as const;

interface Token {
  type: (typeof TYPES)[number];
  raw: string;
  folded: string;
  /** Letters that directly follow a number: `mg` of `30mg`. */
  suffix: string;
  /** The first word of its sentence, or of a quotation. */
  initial: boolean;
  sentence: Sentence;
}

/** Where every content word has a capital (a heading, a shout, a list of names), capitals say little. */
interface Sentence {
  words: number;
  capitals: number;
}

interface Quantity {
  number: string;
  unit: string;
  weak: boolean;
  /** Index of the token after it. */
  end: number;
}

interface Unit {
  name: string;
  end: number;
}

interface Reading {
  values: string[];
  end: number;
  unit?: Unit;
}

const RUN = String.raw`[\p{LC}\p{Lm}\p{M}\p{N}]+`;
const SEPARATED_DATE = String.raw`\d{4}(?<s>[-/.])\d{1,2}\k<s>\d{1,2}|\d{1,2}(?<t>[-/.])\d{1,2}\k<t>\d{4}`;
const DIGITS = String.raw`\d{1,3}(?:[ ']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:/]\d+)*`;
const TOKEN = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?<date>${SEPARATED_DATE})(?!\d)(?:[Tt](?=\d))?`,
    String.raw`(?<number>(?:(?<![\p{L}\p{N}])-)?(?:${DIGITS}))(?<suffix>\p{LC}*)(?![\p{LC}\p{N}]|_\p{L})`,
    // Georgian has capitals in Unicode but not in its orthography.
    String.raw`(?<caseless>(?:[\p{Lo}\p{Script=Georgian}][\p{M}\p{Lm}\u200c\u200d]*)+)`,
    `(?<word>${RUN}(?:_+${RUN})*)`,
    String.raw`(?<mark>°[CcFf]?|[-/%‰$€£¥₹₽₩₺₴,:"•\n]|[.!?。]+(?=[\s"')\]]|$))`,
  ].join('|'),
  'gu',
);
const SENTENCE_BREAK = /^[.!?。:"•\n]/;
const IDENTIFIER = /[\p{N}_]|\p{Ll}\p{Lu}/u;
const ORDINAL = /^(?:st|nd|rd|th)$/;
const YEAR = /^[12]\d{3}$/;
const RANGE = /^(?:-|to|or|and)$/;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Particles and endings, never names. */
const SHORT_HIRAGANA = /^\p{sc=Hiragana}{1,2}$/u;

class Reader {
  private readonly tokens: Token[] = [];
  private readonly facts = new Map<string, Fact>();
  private readonly known = new Set<string>();
  private readonly quantities: Quantity[] = [];
  private readonly negations: string[] = [];
  private readonly ne: string[] = [];
  private readonly pas: string[] = [];
  private readonly frame: string[] = [];
  private readonly german: boolean;

  constructor(text: string) {
    let sentence: Sentence = { words: 0, capitals: 0 };
    let initial = true;
    for (const match of clean(text).matchAll(TOKEN)) {
      const groups = match.groups as Partial<Record<Token['type'] | 'suffix', string>>;
      const type = TYPES.find((name) => groups[name] !== undefined) as Token['type'];
      const raw = groups[type] as string;
      const suffix = fold(groups.suffix ?? '');
      for (const piece of type === 'caseless' ? this.segments(raw) : [raw]) {
        const token = { type, raw: piece, folded: fold(piece), suffix, initial, sentence };
        if (type === 'mark') {
          if (SENTENCE_BREAK.test(raw) && !(raw === '.' && abbreviates(this.tokens.at(-1)))) {
            initial = true;
            sentence = { words: 0, capitals: 0 };
          }
        } else {
          initial = false;
          if (type === 'word' || type === 'caseless') this.known.add(token.folded);
          if (type === 'word' && !words.COMMON.has(token.folded)) {
            sentence.words++;
            if (isCapital(raw)) sentence.capitals++;
          }
        }
        this.tokens.push(token);
      }
    }
    this.german = [...words.GERMAN].filter((word) => this.known.has(word)).length > 1;
  }

  read(): Facts {
    for (let i = 0; i < this.tokens.length; ) i = this.date(i) ?? this.quantity(i) ?? this.word(i);
    for (const { number, unit, weak } of this.quantities) {
      this.fact(unit === '' ? number : `${number} ${unit}`, 'number', weak, number);
    }
    const french = this.ne.length >= this.pas.length ? this.ne : this.pas;
    const negations = new Map<string, number>();
    for (const word of [...this.negations, ...french]) negations.set(word, (negations.get(word) ?? 0) + 1);
    const numbers = new Set(this.quantities.map((quantity) => quantity.number));
    return { frame: this.frame, facts: this.facts, known: this.known, numbers, negations };
  }

  /** The words of a run of caseless letters, less its negations. */
  private segments(run: string): string[] {
    const rest = run.replace(words.CASELESS_NEGATION, (word) => {
      this.negations.push(word);
      return ' ';
    });
    return rest
      .split(' ')
      .filter(Boolean)
      .flatMap((part) => (UNSPACED.test(part) ? segment(part) : [part]));
  }

  private fact(key: string, kind: FactKind, weak: boolean, number?: string): void {
    if (weak && this.facts.has(key)) return;
    this.facts.set(key, { kind, weak, ...(number !== undefined && { number }) });
  }

  private folded(i: number): string {
    return this.tokens[i]?.folded ?? '';
  }

  /** Reads a date that starts at token `i` and returns the index after it. */
  private date(i: number): number | undefined {
    const word = this.folded(i);
    if (this.tokens[i]?.type === 'date') {
      this.fact(numericDate(word), 'date', false);
      return i + 1;
    }
    const weekday = words.WEEKDAYS.get(word);
    if (weekday !== undefined && (weekday === word || this.calendar(this.skip(i + 1)))) {
      this.fact(weekday, 'date', false);
      return i + 1;
    }
    const date = this.calendar(i);
    if (date !== undefined) this.fact(date.key, 'date', false);
    return date?.end;
  }

  /** A date with the name of its month: `8 May 2023`, `May 8`, `May 2023`, `in May`. */
  private calendar(i: number): { key: string; end: number } | undefined {
    let day = this.day(i);
    const dayFirst = day !== undefined;
    const at = dayFirst ? this.skip(i + 1) : i;
    const name = this.folded(at);
    const month = words.MONTH_NUMBERS.get(name);
    if (month === undefined) return undefined;
    const english = words.MONTHS[month - 1] as string;
    let end = at + 1;
    // "They march 10 miles" has no date.
    if (!dayFirst && this.unitAfter(this.skip(end) + 1) === undefined) {
      day = this.day(this.skip(end));
      if (day !== undefined) end = this.skip(end) + 1;
    }
    const year = this.tokens[this.skip(end)];
    if (year?.type === 'number' && year.suffix === '' && YEAR.test(year.raw)) {
      const parts = [year.raw, month, ...(day === undefined ? [] : [day])];
      return { key: parts.map((part) => String(part).padStart(2, '0')).join('-'), end: this.skip(end) + 1 };
    }
    const verb = words.VERB_MONTHS.has(name);
    const sure = dayFirst
      ? !verb || this.tokens[i]?.suffix !== '' || words.DAY_CUES.has(this.folded(i - 1))
      : day !== undefined || (verb ? words.MONTH_CUES.has(this.folded(i - 1)) : name === english);
    return sure ? { key: day === undefined ? english : `${english} ${day}`, end } : undefined;
  }

  private day(i: number): number | undefined {
    const token = this.tokens[i];
    if (token?.type !== 'number' || !/^\d\d?$/.test(token.raw)) return undefined;
    const day = Number(token.raw);
    return day >= 1 && day <= 31 && (token.suffix === '' || ORDINAL.test(token.suffix)) ? day : undefined;
  }

  /** Steps over what may stand between the parts of a date. */
  private skip(i: number): number {
    return /^(?:[.,]|of|del?)$/.test(this.folded(i)) ? i + 1 : i;
  }

  /** Reads a number with its unit, in digits or words, and returns the index after it. */
  private quantity(start: number): number | undefined {
    const money = words.MONEY.has(this.folded(start));
    const at = money ? start + 1 : start;
    const token = this.tokens[at];
    if (token === undefined) return undefined;
    const reading = token.type === 'number' ? this.digits(at, money) : this.numberWords(at);
    if (reading === undefined) return undefined;
    const after = money ? undefined : (reading.unit ?? this.unitAfter(reading.end));
    const end = after?.end ?? reading.end;
    const [unit = '', per] = ((money ? unitOf(this.folded(start)) : after?.name) ?? '').split('/');
    if (per !== undefined) this.fact(per, 'unit', false);
    const previous = this.quantities.at(-1);
    // "3-5 days" says "3 days to 5 days".
    const range = previous?.end === start - 1 && RANGE.test(this.folded(start - 1));
    if (range && previous.unit === '') previous.unit = unit;
    const weak = words.VAGUE_NUMBERS.has(token.folded) && reading.end === at + 1;
    for (const value of reading.values) {
      const number = unit === 'am' || unit === 'pm' ? value.replace(/:00$/, '') : value;
      this.quantities.push({ number, unit, weak, end });
    }
    // "GPT-4" and "GPT 4" are "GPT4".
    const label = this.tokens[this.folded(at - 1) === '-' ? at - 2 : at - 1];
    if (label?.type === 'word') this.known.add(label.folded + token.folded);
    return end;
  }

  private digits(at: number, money: boolean): Reading | undefined {
    const { raw, suffix } = this.tokens[at] as Token;
    if (ORDINAL.test(suffix)) return { values: [raw + suffix], end: at + 1 };
    if (suffix === 's' && YEAR.test(raw)) return { values: [`${raw}s`], end: at + 1 };
    const values = canonical(raw);
    const next = suffix === '' ? (this.folded(at + 1) === '-' ? at + 2 : at + 1) : at;
    const word = suffix === '' ? this.folded(next) : suffix;
    const scale = words.SCALES.get(word) ?? (money ? words.MONEY_SCALES.get(word) : undefined);
    if (scale !== undefined) return { values: values.map((value) => times(value, scale)), end: next + 1 };
    if (suffix === '') return { values, end: at + 1 };
    const name = unitOf(suffix);
    return name === undefined ? undefined : { values, end: at + 1, unit: { name, end: at + 1 } };
  }

  /** `twenty-five`, `two hundred and fifty thousand`, `twenty-first`, `twice`. */
  private numberWords(start: number): Reading | undefined {
    const other = words.OTHER_NUMBERS.get(this.folded(start));
    if (other !== undefined) return { values: [other], end: start + 1 };
    let total = 0;
    let current: number | undefined;
    let end = start;
    for (let at = start; ; at++) {
      const word = this.folded(at);
      const value = words.CARDINALS.get(word);
      const scale = words.SCALES.get(word);
      // What fits behind what was read so far: 1..9 after tens, 1..99 after hundreds, anything at first.
      const tens = current !== undefined && current % 100 >= 20 && current % 10 === 0;
      const room = tens ? 10 : current === undefined || (current > 0 && current % 100 === 0) ? 100 : 0;
      const ordinal = tens ? /^([1-9])(st|nd|rd|th)$/.exec(words.OTHER_NUMBERS.get(word) ?? '') : null;
      if (ordinal !== null) {
        return { values: [`${total + (current ?? 0) + Number(ordinal[1])}${ordinal[2]}`], end: at + 1 };
      }
      if (value !== undefined && value < room) current = (current ?? 0) + value;
      else if (scale !== undefined && scale < 1000) current = (current ?? 1) * scale;
      else if (scale !== undefined && (current !== undefined || at === start)) {
        total += (current ?? 1) * scale;
        current = undefined;
      } else {
        const after = this.folded(at + 1);
        const more = words.CARDINALS.has(after) || (tens && words.OTHER_NUMBERS.has(after));
        if (end === start || room === 0 || word !== (tens ? '-' : 'and') || !more) break;
        continue;
      }
      end = at + 1;
    }
    return end === start ? undefined : { values: [String(total + (current ?? 0))], end };
  }

  /** The unit at token `i`, or behind a hyphen there: `30 mg`, `30%`, `30-day`. */
  private unitAfter(i: number): Unit | undefined {
    const at = this.folded(i) === '-' ? i + 1 : i;
    const name = unitOf(this.folded(at));
    return name === undefined ? undefined : { name, end: at + 1 };
  }

  /** Reads the one token `i`, or two, where neither a date nor a quantity starts; returns the index after. */
  private word(i: number): number {
    const { type, folded } = this.tokens[i] as Token;
    const next = this.folded(i + 1);
    if (folded === '/' || folded === 'per') {
      const unit = unitOf(next);
      if (unit !== undefined) this.fact(unit, 'unit', false);
      return unit === undefined ? i + 1 : i + 2;
    }
    if (type === 'mark') return i + 1;
    const negations = words.NE.has(folded) ? this.ne : words.PAS.has(folded) ? this.pas : this.negations;
    if (negations !== this.negations || words.NEGATIONS.has(folded)) {
      // "No. 5" is a number, not a negation.
      const numbers = folded === 'no' && this.tokens[next === '.' ? i + 2 : i + 1]?.type === 'number';
      if (!numbers) negations.push(folded);
      return i + 1;
    }
    if (words.DEICTICS.has(folded) && words.TIME_UNITS.has(next)) {
      this.fact(`${folded} ${next}`, 'date', true);
      return i + 2;
    }
    const period = words.FREQUENCIES.get(folded) ?? (folded.length > 2 ? unitOf(folded) : undefined);
    if (words.RELATIVE_DATES.has(folded)) this.fact(folded, 'date', true);
    else if (period !== undefined) this.fact(period, 'unit', true);
    else if (!this.name(this.tokens[i] as Token)) this.frame.push(folded);
    return i + 1;
  }

  /** Records what may be a name, and says whether it is so likely one that it has no place in the frame. */
  private name({ type, raw, folded, suffix, initial, sentence }: Token): boolean {
    if (type === 'caseless') {
      if (!SHORT_HIRAGANA.test(folded)) this.fact(folded, 'name', true);
      return false;
    }
    if (type === 'number' || IDENTIFIER.test(raw)) {
      const key = folded + suffix;
      this.fact(key, 'name', false);
      for (const part of key.match(/\d+|\D+/g) ?? []) this.known.add(part);
      return true;
    }
    const acronym = raw.length > 1 && raw === raw.toUpperCase();
    const adverb = folded.length > 5 && folded.endsWith('ly') && !words.NAMES_IN_LY.has(folded);
    if (!isCapital(raw) || (!acronym && (adverb || words.COMMON.has(folded)))) return false;
    const mute = this.german || (sentence.words > 1 && sentence.words === sentence.capitals);
    // A single letter is mostly the initial of a second name.
    this.fact(folded, 'name', mute || raw.length === 1 || (initial && !acronym));
    return !mute;
  }
}

/**
 * Brings spellings of one thing to one form where that needs the context that tokens have lost.
 * Compatibility normalisation would glue exponents and fractions to the number before them.
 */
function clean(text: string): string {
  return text
    .replace(/(?<=\d)[²³¹⁰⁴-⁹]+/g, '^$&')
    .replace(/(?<=\d)(?=[¼-¾⅐-⅞])/g, ' ')
    .normalize('NFKC')
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit)
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/⁄/g, '/')
    .replace(/٫/g, '.')
    .replace(/٬/g, ',')
    .replace(/(?<![\p{L}\p{N}.])\.(?=\d)/gu, '0.')
    .replace(/(?<![\p{L}\p{N}])-(\p{Sc})(?=\d)/gu, '$1-')
    .replace(/(?<![\p{L}\p{N}.])(?:\p{L}\.)+\p{L}(?!\p{L})\.?/gu, (acronym) => acronym.replaceAll('.', ''))
    .replace(/(?<=[\p{L}\p{N}])'s(?![\p{L}\p{N}])/giu, '')
    .replace(/(?<!\p{L})(?:can't|cannot)(?!\p{L})/giu, 'can not')
    .replace(/(?<=\p{L})n't(?!\p{L})/giu, ' not')
    .replace(/(?<!\p{L})n'(?=\p{L})/giu, 'ne ')
    .replace(/(?<!\p{L})per cent(?!\p{L})/giu, 'percent')
    .replace(/(?:°\s?|(?<!\p{L})degrees?\s)(c|f)(?:elsius|ahrenheit)?(?!\p{L})/giu, '°$1');
}

/** Decimal digits of one script are consecutive, from zero on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/** Upper case first: it makes ß and ss, ς and σ one. The dot is what İ leaves behind. */
function fold(word: string): string {
  return word.toUpperCase().toLowerCase().replaceAll('\u0307', '');
}

function isCapital(word: string): boolean {
  return /^[\p{Lu}\p{Lt}]/u.test(word);
}

/** Whether the dot after this token is that of an initial or of a title. */
function abbreviates(token: Token | undefined): boolean {
  return token?.type === 'word' && (token.raw.length === 1 || words.TITLES.has(token.folded));
}

function unitOf(word: string): string | undefined {
  const plural = word.length > 2 && word.endsWith('s');
  return words.UNITS.get(word) ?? (plural ? words.UNITS.get(word.slice(0, -1)) : undefined);
}

/**
 * Digits without grouping, with a decimal point. A single group after a dot stays as it is: "1.000" may be
 * a thousand or one. A list without spaces (`1,2,3`) gives several numbers.
 */
function canonical(raw: string): string[] {
  const decimalPoint = /^-?\d{1,3}(?:(?:,\d{2,3})*,\d{3}|(?:[ ']\d{3})+)(?:\.\d+)?$/;
  const decimalComma = /^-?\d{1,3}(?:(?:[. ]\d{3})+,\d+|(?:\.\d{3}){2,})$/;
  if (decimalPoint.test(raw)) return [raw.replace(/[, ']/g, '')];
  if (decimalComma.test(raw)) return [raw.replace(/[. ]/g, '').replace(',', '.')];
  if (/^-?\d+,\d+$/.test(raw)) return [raw.replace(',', '.')];
  return raw.replace(/^0(?=\d:)/, '').split(',');
}

/** Fifteen digits, so that 2.3 million is 2300000. Fractions and times stay as they are, as does what overflows. */
function times(value: string, scale: number): string {
  const product = Number(value) * scale;
  return !Number.isFinite(product) ? value : String(Number(product.toPrecision(15)));
}

/** `2023-05-08`, also from `8.5.2023` and `25/5/2023`; `5/8/2023` may be either and stays. */
function numericDate(raw: string): string {
  const [a = '', b = '', c = ''] = raw.split(/[-/.]/);
  const iso = (...parts: string[]): string => parts.map((part) => part.padStart(2, '0')).join('-');
  if (a.length === 4) return iso(a, b, c);
  if (raw.includes('.') || Number(a) > 12) return iso(c, b, a);
  return Number(b) > 12 ? iso(c, a, b) : `${Number(a)}/${Number(b)}/${c}`;
}

/** Built on first use: most texts need none. Absent in some runtimes: then every letter is a word. */
let segmenter: Intl.Segmenter | undefined;

function segment(run: string): string[] {
  if (typeof Intl === 'undefined' || !('Segmenter' in Intl)) return run.match(/\P{M}\p{M}*/gu) ?? [];
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const splitter = segmenter;
  // Segmenters take more than linear time. No writer goes so long without a space or a stop.
  const pieces = run.match(/.{1,256}/gsu) ?? [];
  return pieces.flatMap((piece) => Array.from(splitter.segment(piece), (part) => part.segment));
}
