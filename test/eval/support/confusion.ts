/** How often pools are called correct, ambiguous and incorrect, by what has not seen their question. */
import { mean } from '../bootstrap.js';
import { areaUnderCurve, calibrationError } from '../calibration.js';
import type { Table } from '../results.js';
import { foldOf } from '../train/folds.js';
import {
  crossValidated,
  judge,
  learn,
  MOST_FALSE,
  MOST_MISSED,
  type Sets,
  type Thresholds,
  thresholdsOf,
} from './learn.js';
import { type Kept, KINDS } from './pools.js';
import { COLUMNS, SHARES } from './sets.js';

interface Judge {
  gradesOf(pool: Kept): readonly number[];
  bounds: Thresholds;
}

/** @param judged the sets that are learned from, and others. */
export function tableOf(sets: Sets, judged: Sets): Table {
  const folds = crossValidated(sets, (rest) => {
    const model = learn(rest, SHARES, COLUMNS.length);
    const bounded = (gradesOf: Judge['gradesOf']): Judge => ({
      gradesOf,
      bounds: thresholdsOf(rest, gradesOf),
    });
    return {
      support: bounded((pool) => judge(model, pool)),
      'share of words': bounded(({ words }) => words),
    };
  });
  const rows = [...judged].flatMap(([set, pools]) =>
    (['support', 'share of words'] as const).map((name) => {
      const judgeOf = ({ group }: Kept) => (folds[foldOf(group)] as (typeof folds)[number])[name];
      return [`${set}: ${name}`, ...cells(pools, judgeOf)];
    }),
  );
  return {
    title: 'Corrective retrieval: of 8 chunks that were kept, % correct / ambiguous / incorrect',
    columns: [
      'set: judge',
      'pools',
      'with evidence',
      'evidence removed',
      'of another question',
      'AUC, pools',
      'AUC, chunks',
      'calibration error',
    ],
    rows,
    notes: [
      'Learned from four fifths of the questions of the sets that are learned from, and judged on the others.',
      `Bounds: at most ${100 * MOST_MISSED} % of pools with evidence incorrect, ${100 * MOST_FALSE} % of those without it correct, as means of sets.`,
      'AUC, pools: best grade with evidence against evidence removed. Chunks: all that were kept.',
    ],
  };
}

function cells(pools: readonly Kept[], judgeOf: (pool: Kept) => Judge): (string | number)[] {
  const graded = pools.map((pool) => {
    const { gradesOf, bounds } = judgeOf(pool);
    const grades = gradesOf(pool);
    return { ...pool, grades, best: Math.max(...grades), bounds };
  });
  const of = (kind: Kept['kind']) => graded.filter((pool) => pool.kind === kind);
  const verdicts = (kind: Kept['kind']) => {
    const percent = (holds: (pool: (typeof graded)[number]) => boolean) =>
      Math.round(100 * mean(of(kind).map((pool) => Number(holds(pool)))));
    const correct = percent(({ best, bounds }) => best >= bounds.upper);
    const incorrect = percent(({ best, bounds }) => best < bounds.lower);
    return `${correct} / ${100 - correct - incorrect} / ${incorrect}`;
  };
  const bests = (kind: Kept['kind']) => of(kind).map(({ best }) => best);
  const chunks = graded.flatMap(({ grades, gold }) =>
    grades.map((grade, at) => [grade, gold[at] === true] as const),
  );
  const gradesThat = (answer: boolean) =>
    chunks.filter(([, gold]) => gold === answer).map(([grade]) => grade);
  return [
    graded.length,
    ...KINDS.map(verdicts),
    areaUnderCurve(bests('with'), bests('without')).toFixed(3),
    areaUnderCurve(gradesThat(true), gradesThat(false)).toFixed(3),
    calibrationError(chunks).toFixed(3),
  ];
}
