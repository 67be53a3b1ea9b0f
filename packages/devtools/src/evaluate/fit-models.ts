/**
 * Whether models may rank. A model or a judge of `ecs` is accepted only if it ranks the evidence of the user's own questions better than relevance and than BM25. It has to do so by more than chance, on questions that chose nothing.
 *
 * Every question is ranked without a budget and without merging copies. `share` and `maxCandidates` are chosen by
 * cross-validation, unless the options give them; a service is asked once for all values that are tried.
 */
import {
  ContextShapingError,
  createShaper,
  type EcsMethod,
  type EcsProfile,
  type EcsSettings,
  type Judge,
  type ShapingOptions,
  type ShapingReport,
} from 'context-shaping';
import { ECS_REACH, ecsSettingsOf, FEATURES, Recording, silence } from 'context-shaping/internal';
import {
  defined,
  invalidInput,
  invalidOption,
  messageOf,
  parseOptions,
  pinTest,
  rethrowControlFlow,
  serviceError,
} from 'context-shaping/kit';
import * as z from 'zod';
import {
  ALPHA,
  crossValidated,
  type Gain,
  LEAST_QUESTIONS,
  meansByKey,
  ndcg,
  type Scored,
  verdictOf,
} from '../gate/index.js';
import { mean } from '../measurement/index.js';
import { optionsOfRuns, parsedCases } from './evaluate.js';
import { judged } from './measure.js';
import { fold } from './texts.js';
import { ECS_METHODS, type EvaluateOptions, type EvaluationCase } from './types.js';

export interface FitModelsOptions extends Pick<EvaluateOptions, 'cases' | 'onProgress' | 'signal'> {
  /**
   * The options of your shaper, with `ecs.model` or `ecs.judge`: the verdict holds only for them. Besides
   * these, `embedder`, `ranked`, `relevance`, `tokenizer` and `pin` count.
   */
  options: ShapingOptions;
  /** Methods of `ecs`. Default: all that the model and the questions allow. Each gets its own verdict. */
  methods?: readonly EcsMethod[] | undefined;
  /**
   * Whether `ecs.judge` knows `query.answer`, as in use without a model if the query has one. Relevance and BM25 may then
   * search for the answer too. Default `false`.
   */
  judgeKnowsAnswer?: boolean | undefined;
}

/** The quality of one ranking: means over questions, 0..1. */
export interface RankingFigures {
  /** nDCG@10: 1 if chunks with evidence have the first places. */
  ndcg: number;
}

/** The verdict on one model, with the figures on which it rests. */
export interface ModelFigures {
  /**
   * There are at least 60 questions, and the model ranks better than relevance and than BM25 by more than chance: p of both
   * gains of nDCG@10 is at most `alpha`.
   */
  wins: boolean;
  /** Why it does not win, as sentences. Empty if it wins. */
  reasons: string[];
  model: string;
  /** The identity fields of the model, for readers. */
  provider?: string;
  modelId?: string;
  /** The weight of the model with which it ranks all questions best, or the given one. */
  share: number;
  /** The number of candidates, likewise. */
  maxCandidates: number;
  settings: EcsSettings;
  /** Questions, or groups of them, whose chunks hold evidence in part. The others do not count. */
  questions: number;
  /** Each question is ranked with the share and the number of candidates that rank those of the other folds best. */
  ranking: RankingFigures;
  /** The best rivals without the model: with the answer of the query if the model knows it, and with vectors if there are any. */
  relevance: RankingFigures & { name: string };
  bm25: RankingFigures & { name: string };
  gainOverRelevance: Gain;
  gainOverBm25: Gain;
  /** The level of both tests, one-sided: .05, divided by the number of methods measured. */
  alpha: number;
  /** The number of questions on which the service failed. They are ranked by relevance, as in use. */
  failed: number;
  /** The reason, if it failed on all of them. */
  failure?: string;
}

export interface ModelFit {
  /** By method of `ecs`. */
  figures: { [name: string]: ModelFigures };
  /** The profiles, where the options of the shaper have them. Plain JSON. */
  options: { ecs: { profile: EcsProfile } };
}

/**
 * Measures on questions with evidence whether the models of the options rank better than relevance and than BM25. The result has
 * the profile without which `ecs` lets no model change a ranking. A chunk is relevant if it holds evidence.
 *
 * The same data gives the same profile, if the models give the same numbers.
 *
 * @throws ContextShapingError `invalid-input`, if a case is malformed or too few count; `service`, if no model answered any
 *   question, or the embedder fails.
 */
export async function fitModels(given: FitModelsOptions): Promise<ModelFit> {
  parseOptions(schema, given);
  const { cases, signal, onProgress } = given;
  const all: EvaluationCase[] = [];
  for await (const each of parsedCases(cases, signal)) all.push(each);
  const rankers = rankersOf(given, all);
  const names = [];
  // A server that does not answer is reported at once, not after all questions.
  for (const ranker of rankers) names.push(await identityOf(ranker, signal));
  const byRanker = rankers.map((): Question[] => []);
  for (const [at, each] of all.entries()) {
    for (const [place, ranker] of rankers.entries()) {
      const ranked = await ranker.rank(each);
      const [labels] = Object.values(ranked.rivals) as [Scored[]];
      if (new Set(labels.map(({ relevant }) => relevant)).size === 2)
        byRanker[place]?.push({ given: each, ...ranked });
    }
    silence(onProgress?.(at + 1, all.length));
  }
  const figures: ModelFit['figures'] = {};
  for (const [place, ranker] of rankers.entries()) {
    const { asked, name } = ranker;
    figures[name] = {
      model: names[place] as string,
      ...defined({ provider: asked.provider, modelId: asked.modelId }),
      ...figuresOf(byRanker[place] as Question[], ranker, rankers.length),
    };
  }
  const failures = Object.values(figures).map(({ failure }) => failure);
  if (failures.every((each) => each !== undefined))
    throw serviceError('options', 'no question', 'could not be measured', failures[0] as string);
  return { figures, options: { ecs: { profile: { version: 2, methods: figures } } } };
}

async function identityOf({ name, asked }: Ranker, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await asked.identify({ signal });
  } catch (cause) {
    rethrowControlFlow(cause, signal);
    if (ContextShapingError.isInstance(cause)) throw cause;
    throw serviceError('options', name, 'has a model that does not identify itself', messageOf(cause), cause);
  }
}

const schema = z.strictObject({
  ...optionsOfRuns,
  options: z.looseObject({}),
  methods: z.array(z.enum(ECS_METHODS)).min(1).optional(),
  judgeKnowsAnswer: z.boolean().optional(),
});

/** Values of options with which all questions are ranked. */
interface Cell {
  maxCandidates: number;
  share: number;
}

/** Rankings of the texts of one question, by each cell and by each rival. */
interface Rankings {
  own: Scored[][];
  rivals: Record<string, Scored[]>;
  ranked: boolean;
  failure: string | undefined;
}

type Question = Rankings & { given: EvaluationCase };

interface Ranker {
  name: EcsMethod;
  asked: Pick<Judge, 'identify' | 'provider' | 'modelId'>;
  cells: readonly Cell[];
  rank(question: EvaluationCase): Promise<Rankings>;
  settingsOf(cell: Cell, conditions: { ranked: boolean; hasVectors: boolean }): EcsSettings;
}

function figuresOf(
  questions: readonly Question[],
  { cells, settingsOf }: Ranker,
  methods: number,
): Omit<ModelFigures, 'model'> {
  // The unit is the group, else the question: one that is there twice counts once.
  const keys = questions.map(({ given: { id, group = id, query } }) =>
    group === id ? fold(query.text) : group,
  );
  const names = Object.keys(questions[0]?.rivals ?? {});
  const quality = meansByKey(
    keys,
    questions.map(({ own, rivals }) =>
      [...own, ...names.map((name) => rivals[name] as Scored[])].map((ranking) => ndcg(ranking)),
    ),
  );
  if (quality.keys.length < LEAST_QUESTIONS) {
    throw invalidInput(
      'cases',
      quality.keys.length,
      `must have at least ${LEAST_QUESTIONS} questions with evidence in some of the texts that are ranked and not in others`,
      'Label more questions: with fewer, differences cannot be told from chance.',
    );
  }
  const { chosen, byQuestion } = crossValidated(
    quality.keys,
    quality.rows.map((row) => row.slice(0, cells.length)),
  );
  const valuesOf = (column: (at: number) => number) =>
    quality.rows.map((row, at) => row[column(at)] as number);
  const own = valuesOf((at) => byQuestion[at] as number);
  const bestOf = (kind: string) =>
    names
      .flatMap((name, at) =>
        name.startsWith(kind) ? [{ name, values: valuesOf(() => cells.length + at) }] : [],
      )
      .map((rival) => ({ ...rival, ndcg: mean(rival.values) }))
      .reduce((one, other) => (other.ndcg > one.ndcg ? other : one));
  const beaten = [bestOf('relevance'), bestOf('BM25')] as const;
  const { wins, reasons, gains } = verdictOf(
    beaten.map(({ name, values }) => ({
      rival: name.split(/[ ,]/)[0] as string,
      quality: values.map((value, at) => (own[at] as number) - value),
    })),
    methods,
  );
  const [relevance, bm25] = beaten.map(({ values: _, ...rival }) => rival);
  const failures = questions.flatMap(({ failure }) => failure ?? []);
  const cell = cells[chosen] as Cell;
  return {
    ...{ wins, reasons, ...cell, settings: settingsOf(cell, conditionsOf(questions)) },
    questions: quality.keys.length,
    ranking: { ndcg: mean(own) },
    relevance: relevance as ModelFigures['relevance'],
    bm25: bm25 as ModelFigures['bm25'],
    gainOverRelevance: gains[0] as Gain,
    gainOverBm25: gains[1] as Gain,
    alpha: ALPHA / methods,
    failed: failures.length,
    ...(failures.length === questions.length ? { failure: failures[0] as string } : {}),
  };
}

/** Whether the question and all chunks have vectors of one length. */
function hasVectors({ query, chunks }: EvaluationCase): boolean {
  const length = query.embedding?.length;
  return length !== undefined && chunks.every(({ embedding }) => embedding?.length === length);
}

/** A profile holds for lists of one kind, which all questions must have. */
function conditionsOf(questions: readonly Question[]) {
  const of = ({ ranked, given }: Question) => ({ ranked, hasVectors: hasVectors(given) });
  const first = of(questions[0] as Question);
  for (const question of questions) {
    const { ranked, hasVectors: vectors } = of(question);
    if (ranked === first.ranked && vectors === first.hasVectors) continue;
    throw invalidInput(
      'cases',
      question.given.id,
      'has another kind of list than the first case: ranked, or with vectors',
      'Set the option ranked for all lists, and give vectors to all questions and chunks, or to none.',
    );
  }
  return first;
}

function rankersOf(
  { options, methods: wanted, judgeKnowsAnswer = false, signal }: FitModelsOptions,
  cases: readonly EvaluationCase[],
): Ranker[] {
  const resolved = createShaper(options).options;
  const { trust: _, profile: __, withoutAnswer: ___, ...ecs } = options.ecs || {};
  // Each text is embedded once, for all rankings.
  const { embedder } = new Recording({ embedder: options.embedder }).replayed();
  const { ranked, relevance, tokenizer, pin } = options;
  const base: ShapingOptions = { ranked, relevance, tokenizer, pin, embedder };
  const isPinned = pinTest(resolved.pin);
  const methods = methodsOf(ecs, cases, wanted, judgeKnowsAnswer);
  const hasAnswer = (method: EcsMethod) => method === 'answer' || (method === 'judge' && judgeKnowsAnswer);
  const rivalsOf = rivalsWithoutModel(base, methods.some(hasAnswer), isPinned, signal);
  const cells = cellsFor(ecs, Math.max(0, ...cases.map(({ chunks }) => chunks.length)));
  return methods.map((method): Ranker => {
    const shaper = createShaper({ ...base, ...RANK_ONLY, ecs: ecsFor(method, ecs, judgeKnowsAnswer) });
    const { ecs: group } = shaper.options;
    return {
      name: method,
      asked: ((method === 'judge' && ecs.judge) || ecs.model) as Ranker['asked'],
      cells,
      async rank(given) {
        const { answer, ...query } = given.query;
        const { ranked, rivals } = await rivalsOf(given);
        const session = shaper.session({
          ...{ query: defined({ ...query, answer: hasAnswer(method) ? answer : undefined }), signal },
          ...{ chunks: given.chunks, ranked: given.ranked },
        });
        const reports: ShapingReport[] = [];
        // Most candidates first: the others then find nearly all answers in the recording of the session.
        for (const cell of cells.toReversed()) {
          const { report } = await session.at({ ecs: { ...cell } });
          reports.unshift(report);
          // A service that is down is not asked again and again.
          if (failureIn(report, ['ecs-failed']) !== undefined) break;
        }
        const failure = failureIn(reports[0] as ShapingReport, ['ecs-failed']);
        const shown = failure === undefined ? reports : cells.map(() => reports[0] as ShapingReport);
        return {
          ...{ ranked, failure, own: shown.map((report) => scoresIn(report, given, isPinned)) },
          rivals: hasAnswer(method)
            ? rivals
            : Object.fromEntries(Object.entries(rivals).filter(([name]) => !name.endsWith(WITH_ANSWER))),
        };
      },
      settingsOf: (_cell, conditions) =>
        ecsSettingsOf(group as Exclude<typeof group, false>, shaper.options, {
          ...{ method, hasAnswer: hasAnswer(method), ...conditions },
        }),
    };
  });
}

/** Nothing is merged. The caller gets the failure, and no report. */
const RANK_ONLY: ShapingOptions = { exactDedup: false, semanticDedup: false, errorMessages: true };
const WITH_ANSWER = ', with answer';

/** Shares to choose from, the smallest first: of equal ones the first is chosen. */
const SHARES = [0.25, 0.5, ECS_REACH.share, 1] as const;
const FEWEST = 4;

/**
 * Fewest candidates first, then the smallest share: of equal settings the first is chosen. A value that is given is not
 * searched.
 *
 * @param largest the number of chunks of the largest pool. The first number of candidates that covers it is the last.
 */
export function cellsFor(
  given: { share?: number | null | undefined; maxCandidates?: number | null | undefined },
  largest: number,
): Cell[] {
  const counts = [FEWEST];
  while ((counts.at(-1) as number) < largest) counts.push(2 * (counts.at(-1) as number));
  const shares = given.share == null ? SHARES : [given.share];
  return (given.maxCandidates == null ? counts : [given.maxCandidates]).flatMap((maxCandidates) =>
    shares.map((share) => ({ maxCandidates, share })),
  );
}

type EcsOptions = Exclude<NonNullable<ShapingOptions['ecs']>, false>;

function ecsFor(method: EcsMethod, { judge, ...ecs }: EcsOptions, judgeKnowsAnswer: boolean): EcsOptions {
  // With a model and an answer, the method would be `answer`.
  if (method === 'judge' && judgeKnowsAnswer) return { ...ecs, model: undefined, judge, trust: 'always' };
  const withoutAnswer = method === 'answer' ? {} : { withoutAnswer: method };
  return { ...ecs, ...(method === 'judge' ? { judge } : {}), ...withoutAnswer, trust: 'always' };
}

/** The methods of `ecs` to measure. */
function methodsOf(
  { model, judge }: EcsOptions,
  cases: readonly EvaluationCase[],
  asked: readonly EcsMethod[] | undefined,
  judgeKnowsAnswer: boolean,
): EcsMethod[] {
  const unanswered = cases.findIndex(({ query }) => query.answer === undefined);
  if (judgeKnowsAnswer && (judge === undefined || unanswered >= 0)) {
    const remedy = 'Give ecs.judge and query.answer of every case, or leave judgeKnowsAnswer out.';
    throw invalidOption('judgeKnowsAnswer', judgeKnowsAnswer, 'has no effect', remedy);
  }
  const possible: EcsMethod[] = [];
  const scores = model !== undefined && model.scoresGivenText !== false;
  if (scores && unanswered < 0) possible.push('answer');
  if (scores) possible.push('question');
  if (model !== undefined || judge !== undefined) possible.push('judge');
  if (possible.length === 0) {
    const remedy = 'Give the model or the judge that you want to measure.';
    const is = 'is missing, and so is ecs.judge';
    throw invalidOption('ecs.model', model, is, remedy);
  }
  const methods = asked === undefined ? possible : [...new Set(asked)];
  const impossible = methods.find((method) => !possible.includes(method));
  if (impossible === undefined) return methods;
  const first = unanswered < 0 ? '' : `: case ${unanswered + 1} has none`;
  const remedy = `answer needs a model and query.answer of every case${first}; judge needs a model or a judge; the others need a model that scores given texts.`;
  throw invalidOption('methods', impossible, 'cannot be measured with these options', remedy);
}

const NO_WEIGHTS = Object.fromEntries(FEATURES.map((name) => [name, 0]));

/** Rankings of a question without a model, made once, and whether its list is ranked. */
function rivalsWithoutModel(
  base: ShapingOptions,
  withAnswers: boolean,
  isPinned: ReturnType<typeof pinTest>,
  signal: AbortSignal | undefined,
): (given: EvaluationCase) => Promise<Pick<Rankings, 'rivals' | 'ranked'>> {
  const bm25 = (cosine: number) => ({ weights: { ...NO_WEIGHTS, bm25: 1, cosine } });
  const shaperBy = (relevance: ShapingOptions['relevance']) =>
    createShaper({ ...base, ...RANK_ONLY, relevance });
  const shapers = { relevance: shaperBy(base.relevance), BM25: shaperBy(bm25(0)) };
  const withVectors = { ...shapers, 'BM25 + vectors': shaperBy(bm25(1)) };
  const known = new WeakMap<EvaluationCase, Pick<Rankings, 'rivals' | 'ranked'>>();
  return async (given) => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const { answer, ...query } = given.query;
    const rivals: Rankings['rivals'] = {};
    let ranked = false;
    const all = base.embedder === undefined && !hasVectors(given) ? shapers : withVectors;
    for (const [name, shaper] of Object.entries(all)) {
      for (const suffix of withAnswers ? ['', WITH_ANSWER] : ['']) {
        const text = suffix === '' ? query.text : `${query.text} ${answer}`;
        const { chunks, ranked: order } = given;
        const { report } = await shaper.shape({ query: { ...query, text }, chunks, ranked: order, signal });
        // In use, words stand in for vectors that fail. A verdict on words would not hold for the embedder.
        const failed = failureIn(report, WITHOUT_VECTORS);
        if (failed !== undefined)
          throw serviceError('embedder', given.id, 'gave no vectors for all texts', failed);
        if (name === 'relevance') ranked = report.ranking?.ranked ?? false;
        rivals[name + suffix] = scoresIn(report, given, isPinned);
      }
    }
    known.set(given, { rivals, ranked });
    return { rivals, ranked };
  };
}

const WITHOUT_VECTORS = ['embedder-failed', 'embeddings-incomplete', 'query-not-embedded'];

const failureIn = ({ degradations }: ShapingReport, codes: readonly string[]) =>
  degradations.find(({ code }) => codes.includes(code))?.message;

/** The chunks with their relevance; 0, if the report has none. Pinned ones are not ranked. */
function scoresIn(
  { kept }: ShapingReport,
  given: EvaluationCase,
  isPinned: ReturnType<typeof pinTest>,
): Scored[] {
  const { found, pool } = judged(given);
  const relevance = new Map(kept.map((entry) => [entry.index, entry.relevance]));
  return given.chunks.flatMap((chunk, at) =>
    isPinned(chunk)
      ? []
      : [
          {
            relevant: found.some((unit) => unit.isIn(pool[at] as (typeof pool)[number])),
            score: relevance.get(at) ?? 0,
          },
        ],
  );
}
