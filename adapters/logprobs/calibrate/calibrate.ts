import * as z from 'zod';
import {
  ContextShapingError,
  createShaper,
  type EcsMethod,
  type EcsProfile,
  FEATURES,
  type KeptEntry,
  parseOptions,
  type ShapingOptions,
  type ShapingReport,
} from '../../../src/index.js';
import { checkQuestion, type LabelledQuestion } from './labelled.js';
import { areaUnderCurve, f1AtK, type Interval, intervalOf, meanOf, type Scored } from './statistics.js';

/** With fewer questions no difference can be told from chance. */
const LEAST_QUESTIONS = 20;

type EcsOptions = Omit<
  Exclude<NonNullable<ShapingOptions['ecs']>, false>,
  'trust' | 'profile' | 'withoutAnswer'
>;

export interface CalibrateOptions {
  /** At least 20 questions like those that will be asked, with passages as the retriever finds them. */
  data: readonly LabelledQuestion[];
  /** Model or judge, and other options of `ecs`, as they will be used. */
  ecs: EcsOptions;
  /** Default: all that the model and the data allow. */
  methods?: readonly EcsMethod[] | undefined;
  /** Called after each question of each method. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** How well one way of ranking did. */
export interface RankingFigures {
  /** Mean over questions, 0..1. */
  auc: number;
  f1AtK: number;
}

/** What is known of one method. */
export interface MethodFigures {
  /** Better than both rivals by AUC, by more than chance, and not worse by F1 at k. */
  wins: boolean;
  /** Ranked by relevance with utility in it, as `ecs` ranks. */
  ecs: RankingFigures;
  /** By utility alone. */
  utility: RankingFigures;
  relevance: RankingFigures;
  bm25: RankingFigures;
  /** Mean difference of AUC, with its 95 % interval. */
  gainOverRelevance: Interval;
  gainOverBm25: Interval;
  cost: { requestsPerQuestion: number; tokensPerQuestion: number | null; cachedShare: number | null };
  /** Questions that the service failed on: ranked by relevance, as they would be. */
  failed: number;
  [figure: string]: unknown;
}

export interface CalibrationProfile extends EcsProfile {
  questions: number;
  passages: number;
  methods: { [method: string]: MethodFigures };
}

/**
 * Measures on labelled questions whether a model's utilities rank better than relevance and than BM25, and
 * writes down what it found: the profile without which `ecs` does not let the model outrank relevance.
 *
 * The same data gives the same profile, as far as the model gives the same numbers. Every question is ranked
 * without a budget and without merging copies; nothing is fitted to the data.
 *
 * @throws ContextShapingError `invalid-input`, if a question is malformed or there are fewer than 20; `service`,
 *   if the model answered no question of a method at all.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrationProfile> {
  const { data, ecs, methods, onProgress, signal } = checked(options);
  const measured = methodsOf(data, ecs, methods);
  const figures: Record<string, MethodFigures> = {};
  let model = '';
  let done = 0;
  const plain = createShaper(RANK_ONLY);
  const byBm25 = createShaper({ ...RANK_ONLY, relevance: { weights: { ...NO_WEIGHTS, bm25: 1 } } });
  for (const method of measured) {
    const withoutAnswer = method === 'answer' ? {} : { withoutAnswer: method };
    const { judge, ...rest } = ecs;
    const asked = method === 'judge' && judge !== undefined ? { ...rest, judge } : rest;
    const shaper = createShaper({ ...RANK_ONLY, ecs: { ...asked, ...withoutAnswer, trust: 'always' } });
    const runs: Run[] = [];
    for (const question of data) {
      const input = inputOf(question, method);
      const { report: before } = await plain.shape({ ...input, signal });
      const { report: bm25 } = await byBm25.shape({ ...input, signal });
      const { report: after } = await shaper.shape({ ...input, signal });
      model ||= after.ecs?.model ?? '';
      runs.push(runOf(question, before, bm25, after));
      onProgress?.(++done, data.length * measured.length);
    }
    figures[method] = figuresOf(runs);
  }
  return {
    version: 1,
    model,
    questions: data.length,
    passages: data.reduce((sum, { passages }) => sum + passages.length, 0),
    methods: figures,
  };
}

const optionsSchema = z.strictObject({
  data: z.array(z.unknown()),
  ecs: z.looseObject({}),
  methods: z
    .array(z.enum(['answer', 'expected-utility', 'judge', 'trajectory']))
    .min(1)
    .optional(),
  onProgress: z.optional(z.custom((value) => typeof value === 'function', { error: 'must be a function' })),
  signal: z.optional(z.custom((value) => value instanceof AbortSignal, { error: 'must be an AbortSignal' })),
});

function checked(options: CalibrateOptions): CalibrateOptions {
  parseOptions(optionsSchema, options);
  const data = Array.from(options.data, (question, place) => checkQuestion(question, `data[${place}]`));
  if (data.length >= LEAST_QUESTIONS) return { ...options, data };
  throw new ContextShapingError('invalid-input', {
    field: 'data',
    value: data.length,
    is: `must have at least ${LEAST_QUESTIONS} questions`,
    remedy: 'Label more: with fewer no difference can be told from chance.',
  });
}

/** Nothing is merged, cut or evicted, and the order in which passages are given counts for nothing. */
const RANK_ONLY: ShapingOptions = {
  exactDedup: false,
  semanticDedup: false,
  relevance: { weights: { rank: 0 } },
  pin: ({ metadata }) => metadata?.given === true,
};

const NO_WEIGHTS = Object.fromEntries(FEATURES.map((name) => [name, 0]));

function methodsOf(
  data: readonly LabelledQuestion[],
  { model, judge }: EcsOptions,
  asked: readonly EcsMethod[] | undefined,
): EcsMethod[] {
  const hasAnswers = data.every(({ answer }) => answer !== undefined);
  const possible: EcsMethod[] = [];
  if (model !== undefined && hasAnswers) possible.push('answer');
  if (model !== undefined) possible.push('expected-utility', 'trajectory');
  if (model !== undefined || judge !== undefined) possible.push('judge');
  if (possible.length === 0) {
    throw new ContextShapingError('invalid-options', {
      field: 'ecs.model',
      value: model,
      is: 'is missing, and so is ecs.judge',
      remedy: 'Give the model that is to be measured.',
    });
  }
  const methods = asked === undefined ? possible : [...new Set(asked)];
  const impossible = methods.find((method) => !possible.includes(method));
  if (impossible === undefined) return methods;
  throw new ContextShapingError('invalid-options', {
    field: 'methods',
    value: impossible,
    is: 'cannot be measured with what was given',
    remedy:
      'answer needs a model and an answer to every question; judge a model or a judge; the others a model.',
  });
}

function inputOf({ question, answer, passages, context = [] }: LabelledQuestion, method: EcsMethod) {
  const isAnswered = method === 'answer' && answer !== undefined;
  return {
    query: { text: question, ...(isAnswered ? { answer } : {}) },
    chunks: [
      ...passages.map(({ text }, place) => ({ id: `passage ${place}`, text })),
      ...context.map((text, place) => ({ id: `context ${place}`, text, metadata: { given: true } })),
    ],
  };
}

/** One question under one method. */
interface Run {
  ecs: Scored[];
  utility: Scored[];
  relevance: Scored[];
  bm25: Scored[];
  report: ShapingReport;
}

function runOf(
  { passages }: LabelledQuestion,
  before: ShapingReport,
  bm25: ShapingReport,
  after: ShapingReport,
): Run {
  const scoredBy = ({ kept }: ShapingReport, score: (entry: KeptEntry) => number | undefined): Scored[] => {
    const entries = new Map(kept.map((entry) => [entry.index, entry]));
    return passages.map(({ relevant }, place) => ({
      relevant,
      score: score(entries.get(place) as KeptEntry) ?? 0,
    }));
  };
  return {
    ecs: scoredBy(after, ({ relevance }) => relevance),
    utility: scoredBy(after, ({ utility }) => utility),
    relevance: scoredBy(before, ({ relevance }) => relevance),
    bm25: scoredBy(bm25, ({ relevance }) => relevance),
    report: after,
  };
}

function figuresOf(runs: readonly Run[]): MethodFigures {
  const failures = runs.flatMap(({ report }) =>
    report.degradations.filter(({ code }) => code === 'ecs-failed'),
  );
  if (failures.length === runs.length) {
    throw new ContextShapingError('service', {
      field: 'ecs',
      value: `${failures.length} of ${runs.length} questions`,
      is: 'got no utilities',
      remedy: failures[0]?.message ?? '',
    });
  }
  const gain = (rival: 'relevance' | 'bm25', measure: (passages: readonly Scored[]) => number) =>
    intervalOf(runs.map((run) => measure(run.ecs) - measure(run[rival])));
  const gainOverRelevance = gain('relevance', areaUnderCurve);
  const gainOverBm25 = gain('bm25', areaUnderCurve);
  const ranking = (name: 'ecs' | 'utility' | 'relevance' | 'bm25'): RankingFigures => ({
    auc: meanOf(runs.map((run) => areaUnderCurve(run[name]))),
    f1AtK: meanOf(runs.map((run) => f1AtK(run[name]))),
  });
  return {
    wins:
      gainOverRelevance.low > 0 &&
      gainOverBm25.low > 0 &&
      gain('relevance', f1AtK).mean >= 0 &&
      gain('bm25', f1AtK).mean >= 0,
    ecs: ranking('ecs'),
    utility: ranking('utility'),
    relevance: ranking('relevance'),
    bm25: ranking('bm25'),
    gainOverRelevance,
    gainOverBm25,
    cost: costOf(runs),
    failed: failures.length,
  };
}

function costOf(runs: readonly Run[]): MethodFigures['cost'] {
  const uses = runs.map(({ report }) => report.ecs?.usage ?? { requests: 0 });
  const sum = (key: 'tokens' | 'cachedTokens') =>
    uses.every((use) => use[key] !== undefined)
      ? uses.reduce((total, use) => total + (use[key] as number), 0)
      : undefined;
  const tokens = sum('tokens');
  const cached = sum('cachedTokens');
  return {
    requestsPerQuestion: meanOf(uses.map(({ requests }) => requests)),
    tokensPerQuestion: tokens === undefined ? null : tokens / runs.length,
    cachedShare: cached === undefined || !tokens ? null : cached / tokens,
  };
}
