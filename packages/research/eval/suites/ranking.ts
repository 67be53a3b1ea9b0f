/** Suites that ask for the right turns or sessions of a long history. */
import { mean } from '../../../devtools/src/measurement/index.js';
import type { Case, Dataset } from '../data/case.js';
import { type Method, topOf } from '../methods/method.js';
import { f1, recallAt } from '../metrics.js';
import { poolMaker } from '../pool.js';
import { type Scores, summarise, type Table } from '../results.js';
import { comparisonsTable, methodsTable } from '../tables.js';
import { COMPARISONS } from './comparisons.js';
import { limited, runnable, type Suite, type SuiteInput, skippedNote } from './suite.js';

const F1 = 'F1 at k = gold';
const METRICS = [F1, 'recall@5', 'recall@10'];
/** Every method is asked once, for this many or for as many as there are gold items. */
const DEPTH = 10;
/** In one of so many cases it is also asked in full, for `k` = gold: for the time, and to see if it is the same. */
const CHECK_EVERY = 20;

export function rankingSuite(
  name: string,
  title: string,
  load: (dataDir: string) => Dataset | undefined,
  methods: readonly Method[],
): Suite {
  return {
    name,
    async run(input) {
      const loaded = load(input.dataDir);
      if (loaded === undefined) return undefined;
      const dataset = limited(loaded, input.limit);
      const run = runnable(methods, input.embedder);
      const { scores, checks } = await scoreRankings(dataset, run, input);
      const summary = summarise(name, dataset, scores, COMPARISONS, METRICS);
      const notes = [
        `One call per question for ${DEPTH} chunks, or as many as are gold if those are more; for ours by relevance and selection alone.`,
        ...[...checks].map(
          ([method, { calls, same }]) =>
            `${method}: all stages with k = gold give the same chunks in ${same} of ${calls} calls.`,
        ),
        `ms: of one call in ${CHECK_EVERY}, all stages.`,
        ...skippedNote(methods, input.embedder),
      ];
      const tables = [
        methodsTable(title, summary, METRICS, notes),
        comparisonsTable(summary.comparisons, METRICS),
        categoryTable(`${title}: ${F1}, by kind of question`, dataset.cases, scores),
      ];
      return { ...summary, tables };
    },
  };
}

interface Check {
  calls: number;
  same: number;
}

async function scoreRankings(
  { cases }: Dataset,
  methods: readonly Method[],
  { embedder, onProgress }: SuiteInput,
): Promise<{ scores: Scores[]; checks: Map<string, Check> }> {
  const makePool = poolMaker(embedder);
  const timed = Math.ceil(cases.length / CHECK_EVERY);
  const scores = methods.map(
    ({ name: method }): Scores => ({
      method,
      milliseconds: 0,
      values: Object.fromEntries(METRICS.map((metric) => [metric, []])),
    }),
  );
  const checks = new Map<string, Check>();
  for (const [at, question] of cases.entries()) {
    onProgress(at, cases.length);
    const { relevant } = question;
    const pool = await makePool(question, at);
    for (const [place, method] of methods.entries()) {
      const { values } = scores[place] as Scores;
      const top = await topOf(method, pool, Math.max(DEPTH, relevant.length));
      const best = top.slice(0, relevant.length);
      values[F1]?.push(f1(relevant, best));
      for (const k of [5, 10]) values[`recall@${k}`]?.push(recallAt(k, relevant, top));
      if (at % CHECK_EVERY !== 0) continue;
      const started = performance.now();
      const inFull = (await method.top?.(pool, relevant.length)) ?? [];
      (scores[place] as Scores).milliseconds += (performance.now() - started) / timed;
      if (method.quickTop === undefined) continue;
      const { calls, same } = checks.get(method.name) ?? { calls: 0, same: 0 };
      const isSame = inFull.toSorted().join() === best.toSorted().join();
      checks.set(method.name, { calls: calls + 1, same: same + Number(isSame) });
    }
  }
  return { scores, checks };
}

function categoryTable(title: string, cases: readonly Case[], scores: readonly Scores[]): Table {
  const categories = [...new Set(cases.map(({ category = 'all' }) => category))].toSorted();
  const placesOf = (category: string) =>
    [...cases.keys()].filter((at) => (cases[at]?.category ?? 'all') === category);
  return {
    title,
    columns: ['method', ...categories.map((category) => `${category} (${placesOf(category).length})`)],
    rows: scores.map(({ method, values }) => [
      method,
      ...categories.map((category) =>
        mean(placesOf(category).map((at) => values[F1]?.[at] as number)).toFixed(3),
      ),
    ]),
    notes: [],
  };
}
