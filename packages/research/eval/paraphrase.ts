/**
 * How far semantic de-duplication can be trusted: its precision and recall on pairs of sentences that people
 * have judged, for every `maxDistance`.
 *
 *   precision = merged and the same / merged      recall = merged and the same / the same
 *   Wilson    = (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n)      z = 1.96
 *
 * Sources: W. Dolan, C. Brockett, "Automatically constructing a corpus of sentential paraphrases" (MRPC),
 * 2005; D. Cer et al., "SemEval-2017 Task 1: Semantic textual similarity" (STS-B), 2017; E. Wilson,
 * "Probable inference, the law of succession, and statistical inference", 1927.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createShaper, type Embedder } from 'context-shaping';

/** Of STS-B's grades 0..5, from 4 on: "mostly equivalent, some unimportant details differ". */
const SAME_FROM = 4;
const Z = 1.96;
const BOUNDS = [0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5];

export interface Table {
  title: string;
  columns: string[];
  rows: (string | number)[][];
  notes: string[];
}

/** A point of a curve. `precision` is absent where nothing was merged. */
export interface ParaphrasePoint {
  set: string;
  measure: 'lexical' | 'cosine';
  maxDistance: number;
  pairs: number;
  /** Pairs that people call the same. */
  same: number;
  merged: number;
  /** Of the merged, those that people call the same. */
  right: number;
  precision?: { value: number; low: number; high: number };
  recall: number;
}

export interface ParaphraseResult {
  points: ParaphrasePoint[];
  tables: Table[];
}

export interface Pair {
  same: boolean;
  texts: [string, string];
}

/**
 * @param dataDir folder with `paraphrase/mrpc` and `paraphrase/stsb` as they are distributed.
 * @param embedder adds the curves by vectors to those by words.
 * @throws what reading a missing file throws.
 */
export async function evaluateParaphrase(dataDir: string, embedder?: Embedder): Promise<ParaphraseResult> {
  const sets = await readPairs(dataDir);
  const points: ParaphrasePoint[] = [];
  for (const measure of embedder === undefined ? (['lexical'] as const) : (['lexical', 'cosine'] as const)) {
    for (const [set, pairs] of sets) {
      const distances = await mergeDistances(pairs, measure === 'cosine' ? embedder : undefined);
      for (const maxDistance of BOUNDS) points.push(pointOf(set, measure, maxDistance, pairs, distances));
    }
  }
  return { points, tables: tablesOf(points) };
}

/**
 * From which `maxDistance` on each pair is merged; infinite if beyond the largest bound, or kept apart by its
 * facts. Two texts are merged within every bound from their distance on, so one pass makes the whole curve.
 */
async function mergeDistances(pairs: readonly Pair[], embedder: Embedder | undefined): Promise<number[]> {
  const shaper = createShaper({ semanticDedup: { maxDistance: Math.max(...BOUNDS) } });
  const vectors = new Map<string, ArrayLike<number>>();
  if (embedder !== undefined) {
    const texts = [...new Set(pairs.flatMap((pair) => pair.texts))];
    const answer = await embedder.embed(texts, {});
    for (const [at, text] of texts.entries()) vectors.set(text, answer[at] as ArrayLike<number>);
  }
  const distances: number[] = [];
  for (const { texts } of pairs) {
    const chunks = texts.map((text, at) => ({ id: `${at}`, text, embedding: vectors.get(text) }));
    const [eviction] = (await shaper.shape({ query: '', chunks })).report.evicted;
    if (eviction === undefined) distances.push(Number.POSITIVE_INFINITY);
    else distances.push(eviction.reason === 'semantic-duplicate' ? eviction.distance : 0);
  }
  return distances;
}

function pointOf(
  set: string,
  measure: ParaphrasePoint['measure'],
  maxDistance: number,
  pairs: readonly Pair[],
  distances: readonly number[],
): ParaphrasePoint {
  const merged = pairs.filter((_, at) => (distances[at] as number) <= maxDistance);
  const right = merged.filter((pair) => pair.same).length;
  const same = pairs.filter((pair) => pair.same).length;
  const counts = { pairs: pairs.length, same, merged: merged.length, right };
  const point = { set, measure, maxDistance, ...counts, recall: right / same };
  return merged.length === 0 ? point : { ...point, precision: wilson(right, merged.length) };
}

function wilson(right: number, of: number): { value: number; low: number; high: number } {
  const value = right / of;
  const middle = value + Z ** 2 / (2 * of);
  const spread = Z * Math.sqrt((value * (1 - value)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  return { value, low: (middle - spread) / scale, high: (middle + spread) / scale };
}

/** The pairs of MRPC and STS-B, by set, with and without the split. */
export async function readPairs(dataDir: string): Promise<Map<string, Pair[]>> {
  const sets = new Map<string, Pair[]>();
  const add = async (name: string, path: string[], pairOf: (fields: string[]) => Pair | undefined) => {
    const lines = (await readFile(join(dataDir, 'paraphrase', ...path), 'utf8')).split(/\r?\n/);
    sets.set(
      name,
      lines.map((line) => pairOf(line.split('\t'))).filter((pair) => pair !== undefined),
    );
  };
  for (const split of ['train', 'test']) {
    await add(`MRPC ${split}`, ['mrpc', `msr_paraphrase_${split}.txt`], ([label, , , one, other]) =>
      one && other && /^[01]$/.test(label as string)
        ? { same: label === '1', texts: [one, other] }
        : undefined,
    );
  }
  for (const split of ['train', 'dev', 'test']) {
    await add(`STS-B ${split}`, ['stsb', `sts-${split}.csv`], ([, , , , score, one, other]) =>
      one && other ? { same: Number(score) >= SAME_FROM, texts: [one, other] } : undefined,
    );
  }
  for (const name of ['MRPC', 'STS-B']) {
    sets.set(
      name,
      [...sets].filter(([set]) => set.startsWith(`${name} `)).flatMap(([, pairs]) => pairs),
    );
  }
  return sets;
}

function tablesOf(points: readonly ParaphrasePoint[]): Table[] {
  const starts = points.filter(({ maxDistance }) => maxDistance === BOUNDS[0]);
  return starts.map(({ set, measure, pairs, same }) => {
    const curve = points.filter((point) => point.set === set && point.measure === measure);
    return {
      title: `Semantic de-duplication: ${set}, ${measure} distance`,
      columns: ['maxDistance', 'merged', 'right', 'precision', '95 % from', 'to', 'recall'],
      rows: curve.map(({ maxDistance, merged, right, precision, recall }) => [
        maxDistance,
        merged,
        right,
        ...(precision === undefined
          ? ['–', '–', '–']
          : [precision.value, precision.low, precision.high].map((share) => share.toFixed(3))),
        recall.toFixed(3),
      ]),
      notes: [
        `${pairs} pairs, ${same} of them the same. Copies that differ in nothing but form count as merged.`,
      ],
    };
  });
}
