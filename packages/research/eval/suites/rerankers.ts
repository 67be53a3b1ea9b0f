/**
 * Do rerankers harm? Rerankers of six qualities are calibrated on one half of the questions. The other half shows how
 * many answers are kept with the profile, and with `trust: 'always'`, against no reranker at all.
 */
import { type Chunk, createShaper, type ShapingOptions } from 'context-shaping';
import { rerankJudge } from 'context-shaping/rerankers';
import { fitModels } from 'context-shaping-devtools/evaluate';
import { estimate } from '../../../devtools/src/measurement/index.js';
import type { Case } from '../data/case.js';
import { loadNaturalQuestions } from '../data/nq.js';
import { loadXquad, xquadLanguages } from '../data/xquad.js';
import { answerKept, type Kept, ownFactKept } from '../metrics.js';
import { LEVELS, noisyReranker } from '../noisy-reranker.js';
import { foundCase, overfetch } from '../overfetch.js';
import type { Comparison, SuiteResult } from '../results.js';
import { signed } from '../tables.js';
import { countTokens } from '../tokens.js';
import { limited, type Suite, type SuiteInput } from './suite.js';

const FACTORS = [2, 4, 10];
/** Draws of the noise. Each is calibrated by itself. */
const SEEDS = [1, 2, 3];
/** Questions of each set, where no other limit is given. */
const QUESTIONS = 240;
const POOL = 20;
/** Fewer are too few to win the trust of the gate. */
const LEAST_CALIBRATED = 60;

interface Pools {
  name: string;
  cases: readonly Case[];
  kept(question: Case, kept: readonly Kept[]): number;
}

export const rerankers: Suite = {
  name: 'rerankers',
  async run(input) {
    const sets = [naturalQuestions(input), xquad(input)].filter((pools) => pools !== undefined);
    const results: SuiteResult[] = [];
    for (const pools of sets) {
      const result = await measure(pools, input);
      if (result !== undefined) results.push(result);
    }
    if (results.length === 0) return undefined;
    return {
      suite: 'rerankers',
      counts: Object.assign({}, ...results.map(({ counts }) => counts)),
      methods: [],
      comparisons: results.flatMap(({ comparisons }) => comparisons),
      tables: results.flatMap(({ tables }) => tables),
    };
  },
};

function naturalQuestions({ dataDir, limit = QUESTIONS }: SuiteInput): Pools | undefined {
  const loaded = loadNaturalQuestions(dataDir, POOL);
  return (
    loaded && { name: 'Natural Questions', cases: different(limited(loaded, limit).cases), kept: answerKept }
  );
}

/** BM25's best of each language, with its scores, where the paragraph is among them. */
function xquad({ dataDir, limit = QUESTIONS }: SuiteInput): Pools | undefined {
  const languages = xquadLanguages(dataDir);
  const cases = languages.flatMap((language) => {
    const dataset = limited(
      loadXquad(dataDir, language) ?? { cases: [], counts: {} },
      Math.ceil(limit / languages.length),
    );
    return overfetch(dataset, POOL).flatMap((list): Case[] => {
      const found = foundCase(list);
      if (found.chunks.length < POOL || !found.chunks.some(({ id }) => found.relevant.includes(id)))
        return [];
      return [
        { ...found, chunks: found.chunks.map((chunk, at): Chunk => ({ ...chunk, score: list.scores[at] })) },
      ];
    });
  });
  return cases.length === 0 ? undefined : { name: 'XQuAD', cases: different(cases), kept: ownFactKept };
}

const different = (cases: readonly Case[]): Case[] => [
  ...new Map(cases.map((each) => [each.question.trim().toLowerCase(), each])).values(),
];

async function measure(
  { name, cases, kept }: Pools,
  { onProgress }: SuiteInput,
): Promise<SuiteResult | undefined> {
  // Questions of one group are never on both sides.
  const places = new Map([...new Set(cases.map(({ group }) => group))].map((group, place) => [group, place]));
  const isCalibrated = ({ group }: Case) => (places.get(group) as number) % 2 === 0;
  const data = cases.filter(isCalibrated).map(labelled);
  const tests = cases.filter((each) => !isCalibrated(each));
  if (data.length < LEAST_CALIBRATED) return undefined;
  const groups = tests.map(({ group }) => group);
  const valuesOf = async (options: ShapingOptions): Promise<number[][]> => {
    const values: number[][] = FACTORS.map(() => []);
    for (const question of tests) {
      const { chunks, question: query } = question;
      const total = chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
      for (const [at, factor] of FACTORS.entries()) {
        const budget = { maxTokens: Math.floor(total / factor) };
        const shaper = createShaper({ ...options, budget, tokenizer: countTokens });
        const shaped = await shaper.shape({ query, chunks: [...chunks], ranked: false });
        values[at]?.push(kept(question, shaped.chunks));
      }
    }
    return values;
  };

  const without = await valuesOf({});
  const comparisons: Comparison[] = [];
  const rows: (string | number)[][] = [['no reranker', '', ...without.map((values) => short(values))]];
  for (const [level, { auc, distance }] of LEVELS.entries()) {
    const differences = {
      profile: FACTORS.map(() => [] as number[]),
      always: FACTORS.map(() => [] as number[]),
    };
    let trusted = 0;
    for (const [draw, seed] of SEEDS.entries()) {
      onProgress(level * SEEDS.length + draw, LEVELS.length * SEEDS.length);
      const judge = rerankJudge(noisyReranker(cases, distance, seed));
      const { figures, options } = await fitModels({
        cases: data,
        options: { ecs: { judge }, ranked: false, tokenizer: countTokens },
      });
      const wins = figures.judge?.wins === true;
      if (wins) trusted++;
      const runs = {
        // Without trust, the result is that of no reranker.
        profile: wins ? await valuesOf({ ecs: { judge, ...options.ecs } }) : without,
        always: await valuesOf({ ecs: { judge, trust: 'always' } }),
      };
      for (const way of ['profile', 'always'] as const) {
        for (const [at, values] of runs[way].entries()) {
          const base = without[at] as number[];
          differences[way][at]?.push(...values.map((value, place) => value - (base[place] as number)));
        }
      }
    }
    const all = SEEDS.flatMap(() => groups);
    for (const way of ['profile', 'always'] as const) {
      const estimates = differences[way].map((values) => estimate(values, all));
      const method = way === 'profile' ? 'with its profile' : 'always trusted';
      rows.push([
        `AUC ${auc}, ${method}`,
        way === 'profile' ? `${trusted} of ${SEEDS.length}` : '',
        ...estimates.map(signed),
      ]);
      comparisons.push(
        ...estimates.map(
          (difference, at): Comparison => ({
            method: `reranker of AUC ${auc}, ${method}`,
            baseline: 'no reranker',
            metric: `${name} at ${FACTORS[at]}x`,
            difference,
            gates: way === 'profile',
          }),
        ),
      );
    }
  }
  return {
    suite: name,
    counts: { [`${name}: questions calibrated`]: data.length, [`${name}: questions tested`]: tests.length },
    methods: [],
    comparisons,
    tables: [
      {
        title: `${name}: answers kept, and the difference by a reranker`,
        columns: ['reranker', 'trusted', ...FACTORS.map((factor) => `at ${factor}x`)],
        rows,
        notes: ['Differences per question from no reranker, with 95 % intervals over questions.'],
      },
    ],
  };
}

const short = (values: readonly number[]) =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3).replace(/^0/, '');

const labelled = ({ question, chunks, relevant }: Case) => ({
  query: question,
  chunks: chunks.map(({ id, text, score }) => ({ id, text, score })),
  evidence: { ids: [...relevant] },
});
