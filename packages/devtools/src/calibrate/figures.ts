/** The figures of one method: its rankings, those of its rivals, its verdict and its cost. */
import type { EcsSettings, LogprobModel, ShapingReport } from 'context-shaping';
import { defined } from 'context-shaping/kit';
import {
  ALPHA,
  areaUnderCurve,
  crossValidated,
  type Differences,
  f1AtK,
  type Gain,
  meanOf,
  type Scored,
  verdictOf,
} from '../gate/index.js';
import type { Cell } from './cells.js';
import type { LabelledQuestion } from './labelled-question.js';
import { scoredBy } from './question-input.js';
import type { Rival } from './rivals.js';

/** The quality of one ranking. */
export interface RankingFigures {
  /** Mean over questions, 0..1. */
  auc: number;
  f1AtK: number;
}

/** The quality of a ranking without a model. If there are several ways to rank, this is the one with the greatest mean AUC. */
export interface RivalFigures extends RankingFigures, Pick<Rival, 'by' | 'vectors'> {}

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

/** The scores of one question's passages in each cell, and the usage of the service for all of them. */
export interface Run {
  ecs: Scored[][];
  utility: Scored[][];
  usages: NonNullable<ShapingReport['ecs']>['usage'][];
  failure: string | undefined;
}

export const failureOf = ({ degradations }: ShapingReport) =>
  degradations.find(({ code }) => code === 'ecs-failed')?.message;

/** @param reports of the cells; if the service failed, the first is of the failure, which then stands for all cells. */
export function runOf(question: LabelledQuestion, cells: number, reports: readonly ShapingReport[]): Run {
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

export function figuresOf(
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
  const beaten = [best('relevance'), best('bm25')] as const;
  const { wins, reasons, gains } = verdictOf(
    beaten.map(({ rival: { name, questions: other } }) =>
      differencesTo(name === 'bm25' ? 'BM25' : name, ecs, other),
    ),
    methods,
  );
  const [relevance, bm25] = beaten.map(({ rival: { by, vectors }, figures }) => ({
    ...figures,
    by,
    ...defined({ vectors }),
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

/** The differences of a ranking to a rival, by question. */
export function differencesTo(
  rival: string,
  own: readonly (readonly Scored[])[],
  other: readonly (readonly Scored[])[],
): Differences {
  const differences = (measure: (passages: readonly Scored[]) => number) =>
    own.map((passages, place) => measure(passages) - measure(other[place] as readonly Scored[]));
  return { rival, quality: differences(areaUnderCurve), f1AtK: differences(f1AtK) };
}

/** The fields of a profile that name the model, judge or scorer that was measured. */
export const namesOf = async (
  asked: Pick<LogprobModel, 'identify' | 'provider' | 'modelId'>,
  signal: AbortSignal | undefined,
) => ({
  model: await asked.identify({ signal }),
  ...defined({ provider: asked.provider, modelId: asked.modelId }),
});

/** The means over all questions. */
export const rankingFigures = (questions: readonly (readonly Scored[])[]): RankingFigures => ({
  auc: meanOf(questions.map(areaUnderCurve)),
  f1AtK: meanOf(questions.map(f1AtK)),
});

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
