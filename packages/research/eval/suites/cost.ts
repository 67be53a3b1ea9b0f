/** What a call costs, as a whole and by stage, on pools of two sizes with the default tokenizer. */
import { createShaper, estimateTokens } from 'context-shaping';
import { quantile } from '../../../devtools/src/measurement/index.js';
import { loadNaturalQuestions } from '../data/nq.js';
import { poolMaker } from '../pool.js';
import { limited, type Suite } from './suite.js';

const SIZES = [50, 200];
const QUERIES = 50;
const WARM_UP = 10;
const STAGES = ['relevance', 'extract'];

export const cost: Suite = {
  name: 'cost',
  async run({ dataDir, embedder, onProgress }) {
    const rows: (string | number)[][] = [];
    for (const size of SIZES) {
      const dataset = loadNaturalQuestions(dataDir, size);
      if (dataset === undefined) return undefined;
      const { cases } = limited(dataset, QUERIES + WARM_UP);
      for (const withVectors of embedder === undefined ? [false] : [false, true]) {
        const makePool = poolMaker(withVectors ? embedder : undefined);
        const times = new Map<string, number[]>();
        for (const [at, each] of cases.entries()) {
          onProgress(at, cases.length);
          const pool = await makePool(each, at);
          const chunks = pool.chunks.map((chunk, place) => ({
            ...chunk,
            embedding: pool.vectors?.chunks[place],
          }));
          const tokens = chunks.reduce((sum, { text }) => sum + estimateTokens(text), 0);
          const shaper = createShaper({ budget: { maxTokens: Math.floor(tokens / 10) } });
          const query = { text: each.question, embedding: pool.vectors?.question };
          const started = performance.now();
          const { report } = await shaper.shape({ query, chunks });
          const whole = performance.now() - started;
          if (at < WARM_UP) continue;
          for (const [name, time] of [
            ['whole', whole],
            ...report.stages.map((stage) => [stage.name, stage.milliseconds] as const),
          ] as const)
            times.set(name, [...(times.get(name) ?? []), time]);
        }
        for (const name of ['whole', ...STAGES]) rows.push(rowOf(size, withVectors, name, times.get(name)));
      }
    }
    const table = {
      title: 'Cost of a call, milliseconds',
      columns: ['passages', 'vectors', 'stage', 'median', 'p95'],
      rows,
      notes: [
        `${QUERIES} queries after ${WARM_UP} to warm up; budget: a tenth of the tokens; vectors are given.`,
      ],
    };
    return { suite: 'cost', counts: {}, methods: [], comparisons: [], tables: [table] };
  },
};

function rowOf(size: number, withVectors: boolean, stage: string, times: readonly number[] | undefined) {
  const sorted = times?.toSorted((a, b) => a - b);
  const cells = [0.5, 0.95].map((share) =>
    sorted === undefined ? 'does not run' : quantile(sorted, share).toFixed(1),
  );
  return [size, withVectors ? 'static' : 'none', stage, ...cells];
}
