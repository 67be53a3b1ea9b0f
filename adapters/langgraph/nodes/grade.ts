import { Command } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';
import { ANSWERABLE_BOUNDS, tellingOf } from '../../../src/internal.js';
import type { Thresholds } from '../../crag/index.js';
import { callService } from '../call-service.js';
import { emitStep } from '../events.js';
import type { Run, Settings } from '../settings.js';
import type { GradeState, GradeTask, Update } from '../state.js';
import { inStep } from '../tracing.js';

/** Grades one batch. A chunk that the grader does not grade is graded by words. */
export async function grade(task: GradeTask, run: Run): Promise<Update> {
  const grades = await inStep(
    { kind: 'grade', grader: run.grader.name, chunks: task.requests.length },
    run,
    () => gradesOf(task, run),
    (given) => ({ grades: given }),
  );
  return told(grades, run);
}

async function gradesOf({ requests }: GradeTask, run: Run): Promise<GradeState[]> {
  const { grader, cachePolicy } = run;
  const given = requests.map(({ place: _, ...request }) => request);
  const answers: unknown = await callService((call) => grader.grade(given, call), run);
  if (!Array.isArray(answers) || answers.length !== requests.length) {
    throw new ContextShapingError('service', {
      field: `grader ${grader.name}`,
      value: answers,
      is: `must answer with ${requests.length} grades`,
      remedy: 'Return one { grade, reason? } or { failure } per request, in their order.',
    });
  }
  const grades = requests.map((request, at) => entryOf(request, answers[at], run));
  const failed = grades.find(({ failure }) => failure !== undefined);
  // A cache keeps the result of a step. It must not keep a failure.
  if (failed !== undefined && cachePolicy !== undefined) {
    throw new PartlyGraded(failed.failure as string, grades);
  }
  return grades;
}

/** The grader failed for some chunks of a batch. */
class PartlyGraded extends Error {
  /** The status of a bad request, so that LangGraph does not retry: the grader has graded all that it can. */
  readonly status = 400;
  readonly grades: GradeState[];

  constructor(failure: string, grades: GradeState[]) {
    super(failure);
    this.grades = grades;
  }
}

/** The cache key. Several graphs may share a cache, and different graders give different grades. */
export const gradeKey =
  ({ grader }: Settings) =>
  ([task]: unknown[]): string =>
    JSON.stringify([grader.name, task]);

/** After the last failure of the grader: words alone grade the batch. */
export async function gradeFailed({ requests }: GradeTask, error: unknown, run: Run): Promise<Command> {
  const failure = tellingOf(run.shaper.options)(error);
  const grades =
    error instanceof PartlyGraded
      ? error.grades
      : requests.map((request) => byWords(request, failure, run.thresholds));
  const update = await told(grades, run);
  // LangGraph does not take the edge of a failed node.
  return new Command({ goto: 'decide', update });
}

async function told(grades: GradeState[], run: Run): Promise<Update> {
  await emitStep({ step: 'grade', grades }, run);
  return { grades: Object.fromEntries(grades.map((entry) => [entry.index, entry])) };
}

type Request = GradeTask['requests'][number];

function entryOf(request: Request, answer: unknown, { thresholds, shaper }: Run): GradeState {
  const { grade, reason, failure } = (answer ?? {}) as {
    grade?: unknown;
    reason?: unknown;
    failure?: unknown;
  };
  if (typeof grade === 'number' && grade >= 0 && grade <= 1) {
    const { id, place } = request;
    return { id, index: place, grade, ...(typeof reason === 'string' ? { reason } : {}) };
  }
  const why =
    typeof failure === 'string'
      ? tellingOf(shaper.options)({ failure })
      : 'The grade is not a number from 0 to 1.';
  return byWords(request, why, thresholds);
}

/** Maps support to the scale of the grader: the bounds of support become the thresholds of the grader. */
function byWords({ id, place, support }: Request, failure: string, to: Thresholds): GradeState {
  const from = ANSWERABLE_BOUNDS;
  const stretch = (least: number, greatest: number, low: number, high: number) =>
    low + ((support - least) / (greatest - least)) * (high - low);
  const grade =
    support < from.lower
      ? stretch(0, from.lower, 0, to.lower)
      : support < from.upper
        ? stretch(from.lower, from.upper, to.lower, to.upper)
        : stretch(from.upper, 1, to.upper, 1);
  return { id, index: place, grade, by: 'relevance', failure };
}
