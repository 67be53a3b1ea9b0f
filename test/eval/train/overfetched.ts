/**
 * Training examples over lists as retrievers make them, and how well weights carry over to a set that they were not
 * learned from.
 */
import type { Embedder } from 'context-shaping';
import { mean } from '../bootstrap.js';
import type { Dataset } from '../data/case.js';
import { collectionsOf } from '../data/collections.js';
import { descending } from '../methods/method.js';
import { ndcgAt } from '../metrics.js';
import { foundCase, overfetch } from '../overfetch.js';
import type { Table } from '../results.js';
import { limited } from '../suites/suite.js';
import { type Example, LIST_COLUMNS, scoresOf, type TrainingSet, type Weights } from './example.js';
import { passageExamples } from './passages.js';
import { learnWords } from './profile.js';

/** Chunks of a list. */
const SIZE = 50;
const DEPTH = 10;
/** Questions of a family of sets: more say the same, and take longer. */
const QUESTIONS = 600;

/** A set of over-fetched lists. Sets of one family are of the same questions, and are held out together. */
export interface OverfetchedSet extends TrainingSet {
  readonly family: string;
}

/** Sets of each family that is there; a family counts 1 in all. */
export async function overfetchedSets(
  dataDir: string,
  embedder: Embedder | undefined,
  onProgress: (what: string) => void,
): Promise<OverfetchedSet[]> {
  const collections = collectionsOf(dataDir);
  const sets: OverfetchedSet[] = [];
  for (const { name, family, dataset } of collections) {
    const siblings = collections.filter((other) => other.family === family).length;
    const questions = limited(dataset, Math.ceil(QUESTIONS / siblings));
    const examples = await overfetchedExamples(questions, embedder);
    sets.push({ name, family, weight: 1 / siblings, examples });
    onProgress(`features of what was found in ${name}`);
  }
  return sets;
}

/**
 * The rows are the best of the collection by BM25, best first. A question of which nothing relevant was found is left
 * out: there is nothing to put first.
 *
 * @param dataset of cases with a whole collection each.
 */
export async function overfetchedExamples(
  dataset: Dataset,
  embedder: Embedder | undefined,
  size = SIZE,
): Promise<Example[]> {
  const make = passageExamples(embedder, LIST_COLUMNS);
  const examples: Example[] = [];
  for (const list of overfetch(dataset, size)) {
    if (!list.case.relevant.some((id) => list.ids.includes(id))) continue;
    examples.push(await make(foundCase(list)));
  }
  return examples;
}

/**
 * For each set: its lists as they came, and ranked by weights that are there and by weights that were learned from the
 * sets of the other families; by words alone, and with the place in the list.
 *
 * @param extras columns besides the place that are no words; they are not learned.
 */
export function leaveOneOutTable(
  sets: readonly OverfetchedSet[],
  columns: readonly string[],
  extras: readonly string[],
  present: Weights,
): Table {
  const asTheyAre = (without: readonly string[]) =>
    Float64Array.from(columns, (column) => (without.includes(column) ? 0 : (present[column] ?? 0)));
  const families = [...new Set(sets.map(({ family }) => family))];
  const heldOut = (without: readonly string[]) =>
    new Map(
      families.map((family) => {
        const others = sets.filter((set) => set.family !== family);
        return [family, learnWords(others, columns, without)];
      }),
    );
  const [words, all] = [[...extras, 'rank'], extras];
  const [learnedWords, learnedAll] = [heldOut(words), heldOut(all)];
  const weightsFor = (family: string) => [
    new Float64Array(columns.length),
    asTheyAre(words),
    asTheyAre(all),
    learnedWords.get(family) as Float64Array,
    learnedAll.get(family) as Float64Array,
  ];
  return {
    title: `The best ${SIZE} of collections by BM25, ranked by weights: nDCG@${DEPTH}`,
    columns: [
      'set',
      'questions',
      'as they came',
      'words',
      'and place',
      'words, held out',
      'and place, held out',
    ],
    rows: sets.map(({ name, family, examples }) => [
      name,
      examples.length,
      ...weightsFor(family).map((weights) => rankedBy(weights, examples).toFixed(3)),
    ]),
    notes: [
      'Of the questions of which something relevant was found, and of that alone. Held out: learned without the sets of that family; else as the weights are.',
    ],
  };
}

/** Mean nDCG. Ties stay in the order of the list. */
function rankedBy(weights: Float64Array, examples: readonly Example[]): number {
  return mean(
    examples.map((example) =>
      ndcgAt(DEPTH, example.gold.map(String), descending(scoresOf(example, weights)).map(String)),
    ),
  );
}
