/** How good the probability is on what it was not learned from. */

import { ANSWERABLE_BOUNDS } from '../../../../src/relevance/answerable-bounds.js';
import { groupBy } from '../../../../src/runtime/group-by.js';
import { mean } from '../../../devtools/src/measurement/index.js';
import { areaUnderCurve } from '../calibration.js';
import { calibrationError } from '../reliability.js';
import type { Table } from '../results.js';
import { judge, learn } from './learn.js';
import { type AnswerPool, FORMS } from './pools.js';
import { COLUMNS, LEARNED } from './sets.js';

interface Judged extends AnswerPool {
  readonly supports: readonly number[];
  readonly probability: number;
}

/** Each pool by a model that was learned without its family. */
export function tableOf(pools: readonly AnswerPool[]): Table {
  const families = groupBy(pools, ({ family }) => family);
  const judged = [...families].flatMap(([family, own]) => {
    const rest = pools.filter((pool) => pool.family !== family && LEARNED.includes(pool.family));
    const model = learn(rest, COLUMNS.length);
    return own.map((pool): Judged => {
      const supports = judge(model, pool);
      return { ...pool, supports, probability: Math.max(...supports) };
    });
  });
  const questions = judged.filter(({ form }) => form === 'question');
  const sets = groupBy(questions, ({ set }) => (set.startsWith('XQuAD') ? 'XQuAD' : set));
  return {
    title: 'Is the answer in the pool? Each family judged without having been learned from',
    columns: [
      'pools',
      'number',
      'with evidence',
      'without',
      'of another question',
      'AUC',
      'share of words',
      'AUC, texts',
      'calibration error',
      'likely, right',
      'unlikely, right',
    ],
    rows: [
      ...Array.from(sets, ([set, own]) => [set, ...cells(own)]),
      ...FORMS.map((form) => [`all, ${form}`, ...cells(judged.filter((pool) => pool.form === form))]),
    ],
    notes: [
      'Verdicts: % likely / unclear / unlikely. AUC: with evidence against without; beside it that of the share of words.',
      'Right: % of such verdicts, with the answer in every second pool and families that count the same.',
    ],
  };
}

function cells(pools: readonly Judged[]): (string | number)[] {
  const { lower, upper } = ANSWERABLE_BOUNDS;
  const of = (kind: AnswerPool['kind']) => pools.filter((pool) => pool.kind === kind);
  const verdicts = (kind: AnswerPool['kind']) => {
    const percent = (holds: (pool: Judged) => boolean) =>
      Math.round(100 * mean(of(kind).map((pool) => Number(holds(pool)))));
    const likely = percent(({ probability }) => probability >= upper);
    const unlikely = percent(({ probability }) => probability < lower);
    return of(kind).length === 0 ? '–' : `${likely} / ${100 - likely - unlikely} / ${unlikely}`;
  };
  const area = (grade: (pool: Judged) => number) =>
    areaUnderCurve(of('with').map(grade), of('without').map(grade)).toFixed(3);
  const texts = of('with').flatMap(({ supports, gold }) =>
    supports.map((support, at) => [support, gold[at] === true] as const),
  );
  const supportsOf = (isGold: boolean) => texts.filter(([, gold]) => gold === isGold).map(([own]) => own);
  const weighted = balanced(pools.filter(({ kind }) => kind !== 'other'));
  const right = (holds: (pool: Judged) => boolean, kind: AnswerPool['kind']) => {
    const said = weighted.filter(({ pool }) => holds(pool));
    const sum = (some: typeof said) => some.reduce((total, { weight }) => total + weight, 0);
    return said.length === 0
      ? '–'
      : Math.round((100 * sum(said.filter(({ pool }) => pool.kind === kind))) / sum(said));
  };
  return [
    pools.length,
    ...(['with', 'without', 'other'] as const).map(verdicts),
    area(({ probability }) => probability),
    area(({ words }) => words),
    areaUnderCurve(supportsOf(true), supportsOf(false)).toFixed(3),
    calibrationError(
      weighted.map(({ pool, weight }) => [pool.probability, pool.kind === 'with', weight] as const),
    ).toFixed(3),
    right(({ probability }) => probability >= upper, 'with'),
    right(({ probability }) => probability < lower, 'without'),
  ];
}

/** Families count the same, as do both kinds within each. */
function balanced(pools: readonly Judged[]): { pool: Judged; weight: number }[] {
  const groups = groupBy(pools, ({ family, kind }) => `${family} ${kind}`);
  return [...groups.values()].flatMap((own) => own.map((pool) => ({ pool, weight: 1 / own.length })));
}
