import {
  type ContextShapingError,
  createShaper,
  type EcsMethod,
  type EcsProfile,
  type ShapingOptions,
  type ShapingReport,
} from 'context-shaping';
import { ecsSettingsOf, invalidOption, Recording, serviceError } from 'context-shaping/internal';
import { invalidInput, parseOptions, silence } from 'context-shaping/kit';
import * as z from 'zod';
import { LEAST_QUESTIONS } from '../gate/index.js';
import { cellsFor } from './cells.js';
import { failureOf, figuresOf, type MethodFigures, namesOf, type Run, runOf } from './figures.js';
import { checkQuestions, commonOptions, haveScores, type LabelledQuestion } from './labelled-question.js';
import { inputOf } from './question-input.js';
import { rankedWithoutModel } from './rivals.js';

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
  const ranked = shaping?.ranked !== false && haveScores(data);
  // Each text is embedded once, for all rankings.
  const { embedder } = new Recording({ embedder: shaping?.embedder }).replayed();
  const base: ShapingOptions = { ...shaping, embedder, ...RANK_ONLY, ranked };
  const hasAnswer = (method: EcsMethod) => method === 'answer' || (method === 'judge' && judgeKnowsAnswer);
  const rivals = await rankedWithoutModel(data, base, measured.some(hasAnswer), signal);
  const cells = cellsFor(ecs, Math.max(...data.map(({ passages }) => passages.length)));
  const figures: Record<string, MethodFigures> = {};
  let done = 0;
  for (const method of measured) {
    const shaper = createShaper({
      ...base,
      ecs: ecsFor(method, ecs, judgeKnowsAnswer),
      // The caller gets the failure, and no report.
      errorMessages: true,
    });
    const asked = (method === 'judge' && ecs.judge) || (ecs.model as NonNullable<typeof ecs.model>);
    const runs: Run[] = [];
    for (const question of data) {
      const answer = hasAnswer(method) ? question.answer : undefined;
      // One session asks the model each question once.
      const session = shaper.session({ ...inputOf(question, answer), signal });
      const reports: ShapingReport[] = [];
      // Most candidates first: the others then find nearly all answers in the recording of the session.
      for (const cell of cells.toReversed()) {
        const { report } = await session.at({ ecs: { ...cell } });
        reports.unshift(report);
        // A service that is down is not asked again and again.
        if (failureOf(report) !== undefined) break;
      }
      runs.push(runOf(question, cells.length, reports));
      silence(onProgress?.(++done, data.length * measured.length));
    }
    const own = rivals.filter(({ by }) => hasAnswer(method) || by === 'question');
    const { ecs: group } = shaper.options;
    figures[method] = {
      ...figuresOf(runs, { cells, questions: data, rivals: own, methods: measured.length }),
      ...(await namesOf(asked, signal)),
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
  ...commonOptions,
  ecs: z.looseObject({}),
  methods: z
    .array(z.enum(['answer', 'expected-utility', 'judge', 'trajectory']))
    .min(1)
    .optional(),
  judgeKnowsAnswer: z.boolean().optional(),
});

function checkOptions(options: CalibrateOptions): CalibrateOptions {
  parseOptions(optionsSchema, options);
  const data = checkQuestions(options.data);
  const { judgeKnowsAnswer = false, ecs } = options;
  if (judgeKnowsAnswer && (ecs.judge === undefined || data.some(({ answer }) => answer === undefined))) {
    throw invalidOption(
      'judgeKnowsAnswer',
      judgeKnowsAnswer,
      'has no effect',
      'Give ecs.judge and an answer to every question, or leave judgeKnowsAnswer out.',
    );
  }
  if (data.length >= LEAST_QUESTIONS) return { ...options, data };
  throw invalidInput(
    'data',
    data.length,
    `must have at least ${LEAST_QUESTIONS} questions`,
    'Label more questions: with fewer, differences cannot be told from chance.',
  );
}

/** Nothing is merged, cut or evicted. */
const RANK_ONLY: ShapingOptions = {
  exactDedup: false,
  semanticDedup: false,
  pin: ({ metadata }) => metadata?.given === true,
};

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
    throw invalidOption(
      'ecs.model',
      model,
      'is missing, and so is ecs.judge',
      'Give the model or judge that you want to measure.',
    );
  }
  const methods = asked === undefined ? possible : [...new Set(asked)];
  const impossible = methods.find((method) => !possible.includes(method));
  if (impossible === undefined) return methods;
  throw invalidOption(
    'methods',
    impossible,
    'cannot be measured with these options',
    'answer needs a model and an answer to every question; judge needs a model or a judge; the others need a model.',
  );
}

function nothingMeasured(why: string): ContextShapingError {
  return serviceError('ecs', 'no utility of any question', 'could not be measured', why);
}
