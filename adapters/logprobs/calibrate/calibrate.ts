import * as z from 'zod';
import {
  ContextShapingError,
  createShaper,
  type EcsMethod,
  type EcsProfile,
  type EcsSettings,
  type ShapingOptions,
  type ShapingReport,
} from '../../../src/index.js';
import { ecsSettingsOf, FEATURES, parseOptions, Tape } from '../../../src/internal.js';
import {
  ALPHA,
  areaUnderCurve,
  f1AtK,
  type Gain,
  LEAST_QUESTIONS,
  meanOf,
  type Scored,
  verdictOf,
} from '../../gate/index.js';
import { type Cell, cellsFor, crossValidated } from './cross-validation.js';
import { checkQuestion, type LabelledQuestion } from './labelled-question.js';
import { inputOf } from './question-input.js';

type EcsOptions = Omit<
  Exclude<NonNullable<ShapingOptions['ecs']>, false>,
  'trust' | 'profile' | 'withoutAnswer'
>;

export interface CalibrateOptions {
  /**
   * At least 20 different questions like those of your users, with passages as your retriever returns them. With fewer than
   * 60, no method is trusted.
   */
  data: readonly LabelledQuestion[];
  /**
   * The model or judge, and other options of `ecs`, as you will use them: the verdict holds only for them. `share` and
   * `maxCandidates` are chosen by cross-validation if they are absent.
   */
  ecs: EcsOptions;
  /**
   * Other options of the shaper that change relevance, as you will use them: an embedder, weights. Passages that all have
   * scores are a list ranked by score, unless `ranked` is `false`. Other passages are no ranked list.
   */
  shaping?: Pick<ShapingOptions, 'embedder' | 'ranked' | 'relevance' | 'tokenizer'> | undefined;
  /**
   * Whether `ecs.judge` knows the answer, as in use without a model if the query has an `answer`. Relevance and BM25 may then
   * search for the answer too. Default `false`.
   */
  judgeKnowsAnswer?: boolean | undefined;
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

/** The quality of a ranking without a model. If there are several ways to rank, this is the one with the greatest mean AUC. */
export interface RivalFigures extends RankingFigures {
  /** The query. For the method `answer` it may have the answer, since the model knows the answer. */
  by: 'question' | 'question and answer';
  /** Present if BM25 is combined with the embedder's cosine, with equal weights. */
  vectors?: true;
}

/** The results of one method. */
export interface MethodFigures {
  /**
   * There are at least 60 questions, and the method ranks better than relevance and than BM25 by more than chance: p of both
   * gains is at most `alpha`. Also not worse by F1 at k.
   */
  wins: boolean;
  /** Why it does not win, as sentences. Empty if it wins. */
  reasons: string[];
  model: string;
  /** The identity fields of the model or judge, for readers of the profile. */
  provider?: string;
  modelId?: string;
  /** The weight of utility with which the method ranks all questions best, or the given one. */
  share: number;
  /** The number of candidates, likewise. */
  maxCandidates: number;
  settings: EcsSettings;
  /**
   * The ranking of `ecs`: relevance with a share of utility. Each question is ranked with the share and number of candidates
   * that rank the questions of the other folds best.
   */
  ecs: RankingFigures;
  /** The ranking by utility alone. */
  utility: RankingFigures;
  relevance: RivalFigures;
  bm25: RivalFigures;
  gainOverRelevance: Gain;
  gainOverBm25: Gain;
  /** The level of both tests, one-sided: .05, divided by the number of methods measured. */
  alpha: number;
  /** Requests and tokens of the calibration. */
  cost: { requestsPerQuestion: number; tokensPerQuestion: number | null; cachedShare: number | null };
  /** The number of questions on which the service failed. They are ranked by relevance, as in use. */
  failed: number;
  /** The reason, if it failed on all questions. */
  failure?: string;
}

export interface CalibrationProfile extends EcsProfile {
  questions: number;
  passages: number;
  /** Whether the passages were ranked by their scores. */
  ranked: boolean;
  methods: { [method: string]: MethodFigures };
}

/**
 * Measures on labelled questions whether a model's utilities rank better than relevance and than BM25. The result is
 * the profile that `ecs` requires before it lets the model change the ranking.
 *
 * The same data gives the same profile, if the model gives the same numbers. Every question is ranked without a budget
 * and without merging copies. If every passage has a score, the passages are a list ranked by score; otherwise, and with
 * `ranked: false`, their order does not count. For the method `answer`, the rivals may search for the answer too. The model is asked once per request,
 * no matter how many values of `share` and `maxCandidates` are tried.
 *
 * @throws ContextShapingError `invalid-input`, if a question is malformed or there are fewer than 20; `service`, if the
 *   model answered no question by any method, or the embedder fails.
 */
export async function calibrate(options: CalibrateOptions): Promise<CalibrationProfile> {
  const { data, ecs, shaping, methods, judgeKnowsAnswer = false, onProgress, signal } = checkOptions(options);
  const measured = methodsOf(data, ecs, methods);
  const ranked =
    shaping?.ranked !== false &&
    data.every(({ passages }) => passages.every(({ score }) => score !== undefined));
  // Each text is embedded once, for all rankings.
  const { embedder } = new Tape().services({ embedder: shaping?.embedder });
  const base: ShapingOptions = { ...shaping, embedder, ...RANK_ONLY, ranked };
  const hasAnswer = (method: EcsMethod) => method === 'answer' || (method === 'judge' && judgeKnowsAnswer);
  const rivals = await rankedWithoutModel(data, base, measured.some(hasAnswer), signal);
  const cells = cellsFor(ecs, Math.max(...data.map(({ passages }) => passages.length)));
  const figures: Record<string, MethodFigures> = {};
  let done = 0;
  for (const method of measured) {
    const shaper = createShaper({ ...base, ecs: ecsFor(method, ecs, judgeKnowsAnswer) });
    const asked = (method === 'judge' && ecs.judge) || (ecs.model as NonNullable<typeof ecs.model>);
    const runs: Run[] = [];
    for (const question of data) {
      const answer = hasAnswer(method) ? question.answer : undefined;
      // One session asks the model each question once.
      const session = shaper.session({ ...inputOf(question, answer), signal });
      const reports: ShapingReport[] = [];
      // Most candidates first: the others then find nearly all answers on the tape of the session.
      for (const cell of cells.toReversed()) {
        const { report } = await session.at({ ecs: { ...cell } });
        reports.unshift(report);
        // A service that is down is not asked again and again.
        if (failureOf(report) !== undefined) break;
      }
      runs.push(runOf(question, cells.length, reports));
      onProgress?.(++done, data.length * measured.length);
    }
    const own = rivals.filter(({ by }) => hasAnswer(method) || by === 'question');
    const { ecs: group } = shaper.options;
    figures[method] = {
      ...figuresOf(runs, { cells, questions: data, rivals: own, methods: measured.length }),
      model: await asked.identify({ signal }),
      ...(asked.provider === undefined ? {} : { provider: asked.provider }),
      ...(asked.modelId === undefined ? {} : { modelId: asked.modelId }),
      settings: ecsSettingsOf(group as Exclude<typeof group, false>, shaper.options, {
        method,
        ranked,
        hasVectors: false,
        hasAnswer: hasAnswer(method),
      }),
    };
  }
  const all = Object.values(figures);
  if (all.every(({ failure }) => failure !== undefined)) throw nothingMeasured(all[0]?.failure ?? '');
  return {
    version: 2,
    questions: data.length,
    passages: data.reduce((sum, { passages }) => sum + passages.length, 0),
    ranked,
    methods: figures,
  };
}

function ecsFor(method: EcsMethod, { judge, ...ecs }: EcsOptions, judgeKnowsAnswer: boolean) {
  // With a model and an answer, the method would be `answer`.
  if (method === 'judge' && judgeKnowsAnswer)
    return { ...ecs, model: undefined, judge, trust: 'always' as const };
  const withoutAnswer = method === 'answer' ? {} : { withoutAnswer: method };
  const withJudge = method === 'judge' && judge !== undefined ? { judge } : {};
  return { ...ecs, ...withJudge, ...withoutAnswer, trust: 'always' as const };
}

const optionsSchema = z.strictObject({
  data: z.array(z.unknown()),
  ecs: z.looseObject({}),
  shaping: z.looseObject({}).optional(),
  methods: z
    .array(z.enum(['answer', 'expected-utility', 'judge', 'trajectory']))
    .min(1)
    .optional(),
  judgeKnowsAnswer: z.boolean().optional(),
  onProgress: z.optional(z.custom((value) => typeof value === 'function', { error: 'must be a function' })),
  signal: z.optional(z.custom((value) => value instanceof AbortSignal, { error: 'must be an AbortSignal' })),
});

function checkOptions(options: CalibrateOptions): CalibrateOptions {
  parseOptions(optionsSchema, options);
  const data = Array.from(options.data, (question, index) => checkQuestion(question, `data[${index}]`));
  const { judgeKnowsAnswer = false, ecs } = options;
  if (judgeKnowsAnswer && (ecs.judge === undefined || data.some(({ answer }) => answer === undefined))) {
    throw new ContextShapingError('invalid-options', {
      field: 'judgeKnowsAnswer',
      value: judgeKnowsAnswer,
      is: 'has no effect',
      remedy: 'Give ecs.judge and an answer to every question, or leave judgeKnowsAnswer out.',
    });
  }
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

/** Nothing is merged, cut or evicted. */
const RANK_ONLY: ShapingOptions = {
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

/** One way to rank without a model, with the scores of each question's passages. */
interface Rival extends Pick<RivalFigures, 'by' | 'vectors'> {
  name: 'relevance' | 'bm25';
  questions: Scored[][];
}

async function rankedWithoutModel(
  data: readonly LabelledQuestion[],
  base: ShapingOptions,
  withAnswers: boolean,
  signal: AbortSignal | undefined,
): Promise<Rival[]> {
  const bm25 = (cosine: number) => ({ weights: { ...NO_WEIGHTS, bm25: 1, cosine } });
  const vectors =
    base.embedder === undefined ? [] : [{ name: 'bm25', vectors: true, relevance: bm25(1) } as const];
  const ways = [
    { name: 'relevance', relevance: base.relevance },
    { name: 'bm25', relevance: bm25(0) },
    ...vectors,
  ] as const;
  const found: Rival[] = [];
  for (const { relevance, ...way } of ways) {
    const shaper = createShaper({ ...base, relevance });
    for (const by of withAnswers ? (['question', 'question and answer'] as const) : (['question'] as const)) {
      const questions: Scored[][] = [];
      for (const each of data) {
        const { query, chunks } = inputOf(each);
        const text = by === 'question' ? query.text : `${query.text} ${each.answer}`;
        const { report } = await shaper.shape({ query: text, chunks, signal });
        checkVectors(report);
        questions.push(scoredBy(each, report, 'relevance'));
      }
      found.push({ ...way, by, questions });
    }
  }
  return found;
}

/** In use, words stand in for vectors that fail. A verdict on words would not hold for the embedder. */
function checkVectors({ degradations }: ShapingReport): void {
  const failed = degradations.find(({ code }) => WITHOUT_VECTORS.includes(code));
  if (failed === undefined) return;
  throw new ContextShapingError('service', {
    field: 'shaping.embedder',
    value: failed.code,
    is: 'gave no vectors for all texts',
    remedy: failed.message,
  });
}
const WITHOUT_VECTORS: readonly string[] = ['embedder-failed', 'embeddings-incomplete', 'query-not-embedded'];

/** The scores of one question's passages in each cell, and the usage of the service for all of them. */
interface Run {
  ecs: Scored[][];
  utility: Scored[][];
  usages: NonNullable<ShapingReport['ecs']>['usage'][];
  failure: string | undefined;
}

const failureOf = ({ degradations }: ShapingReport) =>
  degradations.find(({ code }) => code === 'ecs-failed')?.message;

/** @param reports of the cells; if the service failed, the first is of the failure, which then stands for all cells. */
function runOf(question: LabelledQuestion, cells: number, reports: readonly ShapingReport[]): Run {
  const [first] = reports as [ShapingReport];
  const failure = failureOf(first);
  const shown = failure === undefined ? reports : Array<ShapingReport>(cells).fill(first);
  return {
    ecs: shown.map((report) => scoredBy(question, report, 'relevance')),
    utility: shown.map((report) => scoredBy(question, report, 'utility')),
    usages: reports.flatMap(({ ecs }) => (ecs === undefined || ecs.usage.requests === 0 ? [] : [ecs.usage])),
    failure,
  };
}

/** The passages of a question with a score from the report; 0, if the report has none. */
function scoredBy(
  { passages }: LabelledQuestion,
  { kept }: ShapingReport,
  score: 'relevance' | 'utility',
): Scored[] {
  const entries = new Map(kept.map((entry) => [entry.id, entry]));
  return passages.map(({ relevant }, index) => ({
    relevant,
    score: entries.get(`passage ${index}`)?.[score] ?? 0,
  }));
}

function figuresOf(
  runs: readonly Run[],
  {
    cells,
    questions,
    rivals,
    methods,
  }: {
    cells: readonly Cell[];
    questions: readonly LabelledQuestion[];
    rivals: readonly Rival[];
    methods: number;
  },
): Omit<MethodFigures, 'model' | 'settings'> {
  const { chosen, byQuestion } = crossValidated(
    questions.map(({ question }) => question),
    runs.map(({ ecs }) => ecs.map(areaUnderCurve)),
  );
  const ecs = runs.map((run, place) => run.ecs[byQuestion[place] as number] as Scored[]);
  const utility = runs.map((run, place) => run.utility[byQuestion[place] as number] as Scored[]);
  const best = (name: Rival['name']) =>
    rivals
      .filter((rival) => rival.name === name)
      .map((rival) => ({ rival, figures: rankingFigures(rival.questions) }))
      .reduce((one, other) => (other.figures.auc > one.figures.auc ? other : one));
  const differences = (of: Rival, measure: (passages: readonly Scored[]) => number) =>
    ecs.map((passages, place) => measure(passages) - measure(of.questions[place] as Scored[]));
  const beaten = [best('relevance'), best('bm25')] as const;
  const { wins, reasons, gains } = verdictOf(
    beaten.map(({ rival }) => ({
      rival: rival.name === 'bm25' ? 'BM25' : rival.name,
      quality: differences(rival, areaUnderCurve),
      f1AtK: differences(rival, f1AtK),
    })),
    methods,
  );
  const [relevance, bm25] = beaten.map(({ rival: { by, vectors }, figures }) => ({
    ...figures,
    by,
    ...(vectors === undefined ? {} : { vectors }),
  })) as [RivalFigures, RivalFigures];
  const [gainOverRelevance, gainOverBm25] = gains as [Gain, Gain];
  const failures = runs.flatMap(({ failure }) => failure ?? []);
  return {
    wins,
    reasons,
    ...(cells[chosen] as Cell),
    ecs: rankingFigures(ecs),
    utility: rankingFigures(utility),
    relevance,
    bm25,
    gainOverRelevance,
    gainOverBm25,
    alpha: ALPHA / methods,
    cost: costOf(runs),
    failed: failures.length,
    ...(failures.length === runs.length ? { failure: failures[0] as string } : {}),
  };
}

const rankingFigures = (questions: readonly (readonly Scored[])[]): RankingFigures => ({
  auc: meanOf(questions.map(areaUnderCurve)),
  f1AtK: meanOf(questions.map(f1AtK)),
});

function nothingMeasured(why: string): ContextShapingError {
  return new ContextShapingError('service', {
    field: 'ecs',
    value: 'no utility of any question',
    is: 'could not be measured',
    remedy: why,
  });
}

function costOf(runs: readonly Run[]): MethodFigures['cost'] {
  const usages = runs.flatMap((run) => run.usages);
  const sum = (key: 'requests' | 'tokens' | 'cachedTokens') =>
    usages.every((use) => use[key] !== undefined)
      ? usages.reduce((total, use) => total + (use[key] as number), 0)
      : undefined;
  const [requests = 0, tokens, cached] = [sum('requests'), sum('tokens'), sum('cachedTokens')];
  return {
    requestsPerQuestion: requests / runs.length,
    tokensPerQuestion: tokens === undefined ? null : tokens / runs.length,
    cachedShare: cached === undefined || !tokens ? null : cached / tokens,
  };
}
