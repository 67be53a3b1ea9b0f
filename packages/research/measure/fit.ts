/**
 * Whether what `evaluate --fit` recommends on half of the questions of a set gains on the other half:
 * `npm run research -- measure/fit --data DIR [--limit QUESTIONS] [--sets NAME,NAME]`.
 *
 * Lists of the best 20 chunks by BM25, or the question's own pool, in three orders: by BM25, shuffled, and made up to be as good as
 * that of a reranker (nDCG@10 .85). Nothing is said of them; or what is wrong: that shuffled lists are ranked, and that reranked
 * ones mean nothing. The groups of each set take turns in two halves, and each half chooses for the other. A gain is that of the
 * options to use over those in use, on the half that did not choose; 0 if nothing is recommended. Beside it stands the simplest
 * rival: the options that are best on the half, without a test.
 */

import { parseArgs } from 'node:util';
import { createShaper, type Ranked } from 'context-shaping';
import { type Inside, insideOf } from 'context-shaping/internal';
import { type EvaluationResult, fitMethods, fitOf } from 'context-shaping-devtools/evaluate';
import { type Estimate, estimate } from '../../devtools/src/measurement/index.js';
import { LIST_KINDS } from '../eval/kept/list-kinds.js';
import { type KeptSet, keptSets, type Question } from '../eval/kept/sets.js';
import { inputOf } from '../eval/methods/ours.js';
import { signed } from '../eval/tables.js';

const { values: flags } = parseArgs({
  options: { data: { type: 'string' }, limit: { type: 'string', default: '100' }, sets: { type: 'string' } },
});
const { data, limit, sets } = flags;
if (data === undefined) throw new Error('Name the folder of the data sets: --data DIR.');

/** Those of `evaluate --fit`. */
const BUDGETS = [100, 200, 400, 800, 1600];
const SETS = [
  'NQ',
  'RAMDocs',
  'TAT-QA',
  'FeTaQA',
  'ClapNQ',
  'HotpotQA',
  'MuSiQue',
  'XQuAD en',
  'XQuAD de',
  'MTRAG-UN',
];
/** By the name of an order: what is said of it. */
const SAID: Readonly<Record<string, readonly (Ranked | 'auto')[]>> = {
  'BM25 order': ['auto', true],
  shuffled: ['auto', true],
  'reranked, nDCG 0.85': ['auto', false],
};

type Results = EvaluationResult['results'];

/** What each method keeps of each question at each budget. */
async function measured(
  questions: readonly Question[],
  order: string,
  methods: ReturnType<typeof fitMethods>,
): Promise<Results> {
  const kind = LIST_KINDS.find(({ name }) => name === order) as (typeof LIST_KINDS)[number];
  const pools = kind.poolsOf(questions.map(({ list }) => list));
  const shapers = methods.map(({ options }) => createShaper(options));
  const results: Results = [];
  for (const [at, { list, share }] of questions.entries()) {
    const input = inputOf({ ...(pools[at] as (typeof pools)[number]), ranked: 'auto' });
    const kept: number[][] = [];
    for (const shaper of shapers) {
      const { limited } = insideOf(shaper.session(input)) as Inside;
      const own: number[] = [];
      for (const maxTokens of BUDGETS) {
        const { kept: texts } = await limited({ budget: { maxTokens } });
        own.push(share(texts, maxTokens));
      }
      kept.push(own);
    }
    const { id, group } = list.case;
    results.push({ id, group, units: 1, inPool: 1, kept });
  }
  return results;
}

interface Gains {
  fit: Estimate;
  best: Estimate;
  recommended: string[];
}

/** The gains of each half's choice on the other half, as one. */
function gainsOf(results: Results, methods: ReturnType<typeof fitMethods>): Gains {
  const groups = [...new Set(results.map(({ group }) => group))];
  const halves = [0, 1].map((half) => results.filter(({ group }) => groups.indexOf(group) % 2 === half)) as [
    Results,
    Results,
  ];
  const [fitted, best, keys]: [number[], number[], string[]] = [[], [], []];
  const recommended: string[] = [];
  for (const [at, half] of halves.entries()) {
    const fit = fitOf({ results: half } as EvaluationResult, methods);
    const places = [fit.isRecommended, true].map((isTaken) =>
      isTaken ? methods.findIndex(({ name }) => name === fit.best) : 0,
    ) as [number, number];
    recommended.push(fit.isRecommended ? fit.best.replace('ranked: ', '') : '–');
    for (const { group, kept } of halves[1 - at] as Results) {
      const quality = (place: number) =>
        (kept[place] as number[]).reduce((sum, share) => sum + share, 0) / BUDGETS.length;
      fitted.push(quality(places[0]) - quality(0));
      best.push(quality(places[1]) - quality(0));
      keys.push(group);
    }
  }
  return { fit: estimate(fitted, keys), best: estimate(best, keys), recommended };
}

const mark = ({ low, high }: Estimate) => (low > 0 ? ' ▲' : high < 0 ? ' ▼' : '');
const shown = (gain: Estimate) => signed(gain) + mark(gain);

async function measure(set: KeptSet): Promise<void> {
  const questions = await set.load(data as string, Number(limit));
  if (questions === undefined) return;
  for (const [order, said] of Object.entries(SAID)) {
    const methods = fitMethods();
    const results = await measured(questions, order, methods);
    for (const ranked of said) {
      const inUse = ranked === 'auto' ? 0 : methods.findIndex(({ options }) => options?.ranked === ranked);
      const own = results.map((each) => ({
        ...each,
        kept: [each.kept[inUse] as number[], ...each.kept.slice(1)],
      }));
      const { fit, best, recommended } = gainsOf(own, methods);
      console.log(
        `| ${[set.name, order, ranked === 'auto' ? 'nothing' : `\`${ranked}\``, questions.length, recommended.join(', '), shown(fit), shown(best)].join(' | ')} |`,
      );
    }
  }
}

console.log(
  '| set | order | said | questions | recommended | gain on the other half | best, without a test |',
);
console.log('|---|---|---|---|---|---|---|');
const asked = sets?.split(',') ?? SETS;
for (const set of keptSets(data)) {
  if (asked.includes(set.name)) await measure(set);
}
