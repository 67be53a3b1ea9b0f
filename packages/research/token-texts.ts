/** Texts of a kind, and how far a counter is from the truth on them: for the scripts that fit and measure counters. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

const KINDS: Readonly<Record<string, string>> = {
  '.md': 'Markdown',
  '.mdx': 'Markdown',
  '.json': 'JSON',
  '.ts': 'TypeScript',
  '.js': 'JavaScript',
  '.py': 'Python',
  '.go': 'Go',
  '.rs': 'Rust',
  '.java': 'Java',
  '.c': 'C',
  '.h': 'C',
  '.cc': 'C++',
  '.cpp': 'C++',
  '.cs': 'C#',
  '.rb': 'Ruby',
  '.php': 'PHP',
  '.kt': 'Kotlin',
  '.swift': 'Swift',
  '.sh': 'shell',
  '.yaml': 'YAML',
  '.yml': 'YAML',
  '.html': 'HTML',
  '.css': 'CSS',
};
const WORDS = 110;
/** Longer unbroken pieces, of minified code say, take the exact tokenizers minutes. */
const LONGEST_WORD = 500;
/** Characters of a file that are read. */
const MOST_OF_A_FILE = 2_000_000;
const POOL = 20;
const POOLS = 500;
/** Two characters are reckoned a word where scripts have no spaces, and five in Thai, Lao, Khmer and Burmese. */
const WORD = wordPattern();

function wordPattern(): RegExp {
  const wide = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
  const narrow = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
  return new RegExp(`(?:[${wide}]{1,2}|[${narrow}]{1,5}|[^\\s${wide}${narrow}]+)\\s*`, 'gu');
}

/** A part of a file that is as long as a chunk, and where it comes from. */
export interface KnownText {
  readonly kind: string;
  readonly text: string;
}

/**
 * All texts below these folders. The extension of the file tells their kind, or, for `.txt`, the name of the folder
 * that the file lies in: `German/news.txt`.
 *
 * @param oneIn of this many files one is read.
 * @param byFolder whether `.txt` is read.
 */
export function* textsBelow(
  folders: readonly string[],
  { oneIn = 1, mostOfAFile = MOST_OF_A_FILE, byFolder = true } = {},
): Generator<KnownText> {
  let seen = 0;
  for (const folder of folders) {
    for (const file of filesIn(folder)) {
      const kind = byFolder && extname(file) === '.txt' ? basename(dirname(file)) : KINDS[extname(file)];
      if (kind === undefined || seen++ % oneIn !== 0) continue;
      for (const text of textsIn(readFileSync(file, 'utf8').slice(0, mostOfAFile))) yield { kind, text };
    }
  }
}

function* filesIn(path: string): Generator<string> {
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).toSorted()) if (name !== '.bin') yield* filesIn(join(path, name));
}

/** Texts of 110 words, as they stand in the file. */
function* textsIn(content: string): Generator<string> {
  let start = 0;
  let words = 0;
  for (const { 0: word, index } of content.matchAll(WORD)) {
    const end = index + word.length;
    if (word.length > LONGEST_WORD) words = 0;
    else if (++words < WORDS) continue;
    else if (end - start <= WORDS * 30) yield content.slice(start, end);
    start = end;
    words = 0;
  }
}

/** The true cost of a text, and the count of a counter. */
export interface Told {
  readonly truth: number;
  readonly told: number;
}

/** A row of a table: the errors of single texts, and of the sums over pools of texts. */
export function errorsOf(counted: readonly Told[]): Record<string, number | string> {
  const errors = counted.map(({ truth, told }) => told / truth - 1).toSorted((a, b) => a - b);
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const at = (share: number) => errors[Math.floor(share * errors.length)] as number;
  const [low, high] = worstPools(counted);
  return {
    texts: counted.length,
    'mean error': percent(mean(errors)),
    'mean size of the error': percent(mean(errors.map(Math.abs))),
    'within 12 %': percent(errors.filter((each) => Math.abs(each) <= 0.12).length / errors.length),
    '5th percentile': percent(at(0.05)),
    '95th percentile': percent(at(0.95)),
    [`sum of ${POOL}, lowest`]: percent(low),
    [`sum of ${POOL}, highest`]: percent(high),
  };
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** The lowest and highest error of the sums over pools of texts that a fixed sequence picks. */
function worstPools(counted: readonly Told[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const random = sequence(1);
  for (let pool = 0; pool < POOLS; pool++) {
    let [truth, told] = [0, 0];
    for (let i = 0; i < POOL; i++) {
      const each = counted[Math.floor(random() * counted.length)] as Told;
      truth += each.truth;
      told += each.told;
    }
    low = Math.min(low, told / truth - 1);
    high = Math.max(high, told / truth - 1);
  }
  return [low, high];
}

/** Numbers from 0 up to 1, the same every time (a linear congruential generator). */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function groupedByKind<T extends { readonly kind: string }>(values: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(value.kind);
    if (group === undefined) groups.set(value.kind, [value]);
    else group.push(value);
  }
  return groups;
}
