import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import * as z from 'zod';
import {
  ContextShapingError,
  createShaper,
  type EcsMethod,
  type EcsProfile,
  type EcsSettings,
  type KeptEntry,
  type Shaper,
  type ShapingOptions,
  type ShapingReport,
} from '../../../src/index.js';
import { ecsSettingsOf, FEATURES, parseOptions } from '../../../src/internal.js';
import { checkQuestion, type LabelledQuestion } from './labelled-question.js';
import {
  areaUnderCurve,
  f1AtK,
  type Interval,
  intervalOf,
  meanOf,
  type Scored,
  signTest,
} from './statistics.js';

/** With fewer questions, differences cannot be told from chance. */
const LEAST_QUESTIONS = 20;
/** The largest p value of the sign test. */
const MOST_CHANCE = 0.025;

type EcsOptions = Omit<
  Exclude<NonNullable<ShapingOptions['ecs']>, false>,
  'trust' | 'profile' | 'withoutAnswer'
>;

export interface CalibrateOptions {
  /** At least 20 different questions like those of your users, with passages as your retriever returns them. */
  data: readonly LabelledQuestion[];
  /** The model or judge, and other options of `ecs`, as you will use them: the verdict holds only for them. */
  ecs: EcsOptions;
  /** Other options of the shaper that change relevance, as you will use them: an embedder, weights. */
  shaping?: Pick<ShapingOptions, 'embedder' | 'relevance' | 'tokenizer'> | undefined;
  /** Default: all methods that the model and the data allow. Each gets its own verdict. */
  methods?: readonly EcsMethod[] | undefined;
  /** Called after each question of each method. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The quality of one ranking. */
export interface RankingFigures {
  /** Mean over questions, 0..1. */
  auc: number;
  f1AtK: number;
}

/** The results of one method. */
export interface MethodFigures {
  /**
   * Better than relevance and than BM25 by more than chance: the 95 % interval of the mean difference of AUC is above
   * 0, and the sign test over questions has p at most .025. Also not worse by F1 at k.
   */
  wins: boolean;
  model: string;
  /** The identity fields of the model or judge, for readers of the profile. */
  provider?: string;
  modelId?: string;
  settings: EcsSettings;
  /** The ranking of `ecs`: relevance with a share of utility. */
  ecs: RankingFigures;
  /** The ranking by utility alone. */
  utility: RankingFigures;
  relevance: RankingFigures;
  bm25: RankingFigures;
  gainOverRelevance: Gain;
  gainOverBm25: Gain;
  cost: { requestsPerQuestion: number; tokensPerQuestion: number | null; cachedShare: number | null };
  /** The number of questions on which the service failed. They are ranked by relevance, as in use. */
  failed: number;
  /** The reason, if it failed on all questions. */
  failure?: string;
}

/** Mean difference of AUC with its 95 % interval, and the p value of the sign test. */
export interface Gain extends Interval {
  p: number;
}

export interface CalibrationProfile extends EcsProfile {
  questions: number;
  passages: number;
  methods: { [method: string]: MethodFigures };
}

/**
 * Measures on labelled questions whether a model's utilities rank better than relevance and than BM25. The result is
 * the profile that `ecs` requires before it lets the model change the ranking.
 *
 * The same data gives the same profile, if the model gives the same numbers. Every question is ranked without a budget
 * and without merging copies. Its passages are put into an order that does not depend on their labels. Nothing is
 * fitted to the data.
 *
 * @throws ContextShapingError `invalid-input`, if a question is malformed or there are fewer than 20; `service`, if the
 *   model answered no question by any method.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrationProfile> {
  const { data, ecs, shaping, methods, onProgress, signal } = checkOptions(options);
  const measured = methodsOf(data, ecs, methods);
  const base: ShapingOptions = { ...shaping, ...RANK_ONLY };
  const plain = createShaper(base);
  const byBm25 = createShaper({ ...base, relevance: { weights: { ...NO_WEIGHTS, bm25: 1 } } });
  // The rankings without a model are the same for all methods.
  const baselines: Baselines[] = [];
  for (const question of data) {
    const input = { ...inputOf(question), signal };
    const { report: relevance } = await plain.shape(input);
    const { report: bm25 } = await byBm25.shape(input);
    baselines.push({
      relevance: scoredBy(question, relevance, ({ relevance }) => relevance),
      bm25: scoredBy(question, bm25, ({ relevance }) => relevance),
    });
  }
  const figures: Record<string, MethodFigures> = {};
  let done = 0;
  for (const method of measured) {
    const shaper = shaperFor(method, ecs, base);
    const asked = (method === 'judge' && ecs.judge) || (ecs.model as NonNullable<typeof ecs.model>);
    const runs: Run[] = [];
    for (const [index, question] of data.entries()) {
      const answer = method === 'answer' ? question.answer : undefined;
      const { report } = await shaper.shape({ ...inputOf(question, answer), signal });
      runs.push({
        ...(baselines[index] as Baselines),
        ecs: scoredBy(question, report, ({ relevance }) => relevance),
        utility: scoredBy(question, report, ({ utility }) => utility),
        report,
      });
      onProgress?.(++done, data.length * measured.length);
    }
    figures[method] = {
      ...figuresOf(runs),
      model: await asked.identify({ signal }),
      ...(asked.provider === undefined ? {} : { provider: asked.provider }),
      ...(asked.modelId === undefined ? {} : { modelId: asked.modelId }),
      settings: ecsSettingsOf(shaper.options.ecs as Exclude<typeof shaper.options.ecs, false>),
    };
  }
  const all = Object.values(figures);
  if (all.every(({ failure }) => failure !== undefined)) throw nothingMeasured(all[0]?.failure ?? '');
  return {
    version: 1,
    questions: data.length,
    passages: data.reduce((sum, { passages }) => sum + passages.length, 0),
    methods: figures,
  };
}

function shaperFor(method: EcsMethod, { judge, ...ecs }: EcsOptions, base: ShapingOptions): Shaper {
  const withoutAnswer = method === 'answer' ? {} : { withoutAnswer: method };
  const withJudge = method === 'judge' && judge !== undefined ? { judge } : {};
  return createShaper({ ...base, ecs: { ...ecs, ...withJudge, ...withoutAnswer, trust: 'always' } });
}

const optionsSchema = z.strictObject({
  data: z.array(z.unknown()),
  ecs: z.looseObject({}),
  shaping: z.looseObject({}).optional(),
  methods: z
    .array(z.enum(['answer', 'expected-utility', 'judge', 'trajectory']))
    .min(1)
    .optional(),
  onProgress: z.optional(z.custom((value) => typeof value === 'function', { error: 'must be a function' })),
  signal: z.optional(z.custom((value) => value instanceof AbortSignal, { error: 'must be an AbortSignal' })),
});

function checkOptions(options: CalibrateOptions): CalibrateOptions {
  parseOptions(optionsSchema, options);
  const data = Array.from(options.data, (question, index) => checkQuestion(question, `data[${index}]`));
  const different = new Set(data.map(({ question }) => question.trim().toLowerCase())).size;
  if (different === data.length && data.length >= LEAST_QUESTIONS) return { ...options, data };
  throw new ContextShapingError('invalid-input', {
    field: 'data',
    value: data.length,
    is:
      different < data.length
        ? 'has the same question twice'
        : `must have at least ${LEAST_QUESTIONS} questions`,
    remedy:
      different < data.length
        ? `Give each question once: ${different} of them are different.`
        : 'Label more questions: with fewer, differences cannot be told from chance.',
  });
}

/** Nothing is merged, cut or evicted, and the order of the passages does not count. */
const RANK_ONLY: ShapingOptions = {
  ranked: false,
  exactDedup: false,
  semanticDedup: false,
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
      remedy: 'Give the model or judge that you want to measure.',
    });
  }
  const methods = asked === undefined ? possible : [...new Set(asked)];
  const impossible = methods.find((method) => !possible.includes(method));
  if (impossible === undefined) return methods;
  throw new ContextShapingError('invalid-options', {
    field: 'methods',
    value: impossible,
    is: 'cannot be measured with these options',
    remedy:
      'answer needs a model and an answer to every question; judge needs a model or a judge; the others need a model.',
  });
}

function inputOf({ question, passages, context = [] }: LabelledQuestion, answer?: string) {
  const key = (text: string) => bytesToHex(sha256(new TextEncoder().encode(text)));
  return {
    query: { text: question, answer },
    chunks: [
      // Files often list relevant passages first, which would win all ties: the order comes from a hash of the text.
      ...passages
        .map(({ text, score }, index) => ({
          id: `passage ${index}`,
          text,
          score,
          key: key(text),
        }))
        .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key)),
      ...context.map((text, index) => ({ id: `context ${index}`, text, metadata: { given: true } })),
    ],
  };
}

/** The scores of one question's passages without a model. */
interface Baselines {
  relevance: Scored[];
  bm25: Scored[];
}

/** The scores of one question's passages by one method. */
interface Run extends Baselines {
  ecs: Scored[];
  utility: Scored[];
  report: ShapingReport;
}

/** The passages of a question with a score from the report; 0, if the report has none. */
function scoredBy(
  { passages }: LabelledQuestion,
  { kept }: ShapingReport,
  score: (entry: KeptEntry) => number | undefined,
): Scored[] {
  const entries = new Map(kept.map((entry) => [entry.id, entry]));
  return passages.map(({ relevant }, index) => ({
    relevant,
    score: score(entries.get(`passage ${index}`) as KeptEntry) ?? 0,
  }));
}

function figuresOf(runs: readonly Run[]): Omit<MethodFigures, 'model' | 'settings'> {
  const failures = runs.flatMap(({ report }) =>
    report.degradations.filter(({ code }) => code === 'ecs-failed'),
  );
  const differences = (baseline: 'relevance' | 'bm25', measure: (passages: readonly Scored[]) => number) =>
    runs.map((run) => measure(run.ecs) - measure(run[baseline]));
  const gain = (baseline: 'relevance' | 'bm25'): Gain => {
    const found = differences(baseline, areaUnderCurve);
    return { ...intervalOf(found), p: signTest(found) };
  };
  const ranking = (name: 'ecs' | 'utility' | 'relevance' | 'bm25'): RankingFigures => ({
    auc: meanOf(runs.map((run) => areaUnderCurve(run[name]))),
    f1AtK: meanOf(runs.map((run) => f1AtK(run[name]))),
  });
  const gains = { gainOverRelevance: gain('relevance'), gainOverBm25: gain('bm25') };
  return {
    wins:
      Object.values(gains).every(({ low, p }) => low > 0 && p <= MOST_CHANCE) &&
      meanOf(differences('relevance', f1AtK)) >= 0 &&
      meanOf(differences('bm25', f1AtK)) >= 0,
    ecs: ranking('ecs'),
    utility: ranking('utility'),
    relevance: ranking('relevance'),
    bm25: ranking('bm25'),
    ...gains,
    cost: costOf(runs),
    failed: failures.length,
    ...(failures.length === runs.length ? { failure: failures[0]?.message as string } : {}),
  };
}

function nothingMeasured(why: string): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'ecs',
    value: 'no utility of any question',
    is: 'could not be measured',
    remedy: why,
  });
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
