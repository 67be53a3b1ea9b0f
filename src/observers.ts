import { isInterrupt, rethrowControlFlow, silence, type Telling, tellingOf } from './errors.js';
import type { ResolvedOptions } from './input/options.js';
import type { Telemetry, TelemetrySpan, TracedOutcome, TracedWork } from './ports.js';
import { withDegradation } from './report/report.js';
import { orAborted, tooLate, within } from './runtime/abort.js';
import type { ShapingResult } from './shaping.js';
import type { Chunk, Degradation, ShapedChunk, ShapingReport, StageEvent, StageTrace } from './types.js';

/** Calls the observers of the finished report. A throwing observer never loses documents: the report records the failure. */
export async function tellObservers(
  report: ShapingReport,
  { onEvict, onReport, errorMessages }: Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'errorMessages'>,
  signal: AbortSignal | undefined,
): Promise<ShapingReport> {
  const tell = tellingOf({ errorMessages });
  const failures: Degradation[] = [];
  if (onEvict !== undefined)
    for (const eviction of report.evicted)
      failures.push(...(await failuresOf('onEvict', 'report', () => onEvict(eviction), tell, signal)));
  // One seal for all failures, because each reads the whole report.
  let told = failures.length === 0 ? report : withDegradation(report, failures);
  if (onReport !== undefined) {
    const final = told;
    const late = await failuresOf('onReport', 'report', () => onReport(final), tell, signal);
    if (late.length > 0) told = withDegradation(told, late);
  }
  signal?.throwIfAborted();
  return told;
}

/** The same for a report that an adapter makes: together the observers wait at most `deadlineMs`. */
export const tellInTime = (
  report: ShapingReport,
  observers: PatientObservers,
  signal: AbortSignal | undefined,
): Promise<ShapingReport> => tellObservers(report, patient(observers), signal);

/** Calls the observer of stages, if there is one, with a copy, because the evictions go into the report later. */
export async function tellStage(
  event: StageEvent,
  { onStage, errorMessages }: Pick<ResolvedOptions, 'onStage' | 'errorMessages'>,
  signal: AbortSignal | undefined,
): Promise<readonly Degradation[]> {
  if (onStage === undefined) return [];
  return failuresOf(
    'onStage',
    event.name,
    () => onStage(structuredClone(event)),
    tellingOf({ errorMessages }),
    signal,
  );
}

async function failuresOf(
  name: string,
  stage: string,
  observer: () => void | Promise<void>,
  tell: Telling,
  signal: AbortSignal | undefined,
): Promise<readonly Degradation[]> {
  try {
    await orAborted(Promise.resolve(observer()), signal);
    return [];
  } catch (error) {
    rethrowControlFlow(error, signal);
    return [{ stage, code: 'observer-failed', message: `${name} threw: ${tell(error)}` }];
  }
}

type Observers = Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'onStage' | 'errorMessages'>;
type PatientObservers = Partial<Observers> &
  Pick<Observers, 'errorMessages'> & { deadlineMs?: number | null | undefined };

/**
 * Wraps the observers of one call so that together they wait at most `deadlineMs`. The time of services does not count.
 * After that time, each observer is still called, but nothing waits for it.
 */
export function patient({
  onEvict,
  onReport,
  onStage,
  errorMessages,
  deadlineMs,
}: PatientObservers): Observers {
  let left = deadlineMs ?? Number.POSITIVE_INFINITY;
  const bounded = <T>(observer: ((told: T) => void | Promise<void>) | undefined) =>
    observer &&
    ((told: T) => {
      const answer = observer(told);
      // A promise of any realm.
      const isWaitedFor = typeof (answer as Partial<Promise<void>> | undefined)?.then === 'function';
      return isWaitedFor && left !== Number.POSITIVE_INFINITY ? inTime(Promise.resolve(answer)) : answer;
    });
  const inTime = async (answer: Promise<void>) => {
    const began = performance.now();
    try {
      await within(
        left,
        undefined,
        () => answer,
        () => tooLate(deadlineMs as number),
      );
    } finally {
      left = Math.max(0, left - (performance.now() - began));
    }
  };
  return { onEvict: bounded(onEvict), onReport: bounded(onReport), onStage: bounded(onStage), errorMessages };
}

/** Runs work inside a span. An error of the telemetry never reaches the work: it is one of the span's failures. */
export async function inSpan<T>(
  telemetry: Telemetry,
  work: TracedWork,
  tell: Telling,
  signal: AbortSignal | undefined,
  run: (span: GuardedSpan) => Promise<T>,
): Promise<T> {
  const span = new GuardedSpan(telemetry, work, tell, signal);
  try {
    return await span.within(() => run(span));
  } catch (error) {
    span.failed(error);
    throw error;
  }
}

/** A span whose errors are collected. */
export class GuardedSpan {
  /** The failures so far. */
  readonly failures: Degradation[] = [];
  readonly #tell: Telling;
  readonly #signal: AbortSignal | undefined;
  #span: TelemetrySpan | undefined;

  constructor(telemetry: Telemetry, work: TracedWork, tell: Telling, signal: AbortSignal | undefined) {
    this.#tell = tell;
    this.#signal = signal;
    this.#guard('report', () => {
      const span: TelemetrySpan | undefined = telemetry.begin(work);
      if (typeof span?.within !== 'function') {
        silence(span);
        throw new TypeError('begin returned no span');
      }
      this.#span = span;
    });
  }

  /** The result of `run`. It is called once, even if the telemetry fails. */
  within<T>(run: () => Promise<T>): Promise<T> {
    let result: Promise<T> | undefined;
    const once = () => {
      if (result === undefined) {
        result = run();
        silence(result);
      }
      return result;
    };
    this.#guard('report', () => {
      const answer: unknown = this.#span?.within(once);
      if (answer !== result) silence(answer);
    });
    return once();
  }

  stage({ name, input, kept, evicted, milliseconds }: StageEvent): void {
    const trace: StageTrace = { name, input, kept, evicted: evicted.length, milliseconds };
    // One failure is enough: the next stages would fail as well.
    if (this.failures.length === 0) this.#guard(name, () => silence(this.#span?.stage(trace)));
  }

  failed(error: unknown): void {
    this.end(isInterrupt(error) ? { interrupted: true } : { error });
  }

  /** Ends the span, if it has not ended yet. */
  end(outcome: TracedOutcome): void {
    const span = this.#span;
    this.#span = undefined;
    this.#guard('report', () => silence(span?.end(outcome)));
  }

  /** Ends the span of a shaping. The report of the result gets a failure of that. */
  shaped<T extends Chunk>(result: ShapingResult<T>, given: readonly T[]): ShapingResult<T> {
    const { chunks, report } = result;
    result.report = this.reported({ report, given, chunks: chunks as readonly ShapedChunk[] });
    return result;
  }

  /** Ends the span. The report gets a failure of that. */
  reported(outcome: Extract<TracedOutcome, { report: ShapingReport }>): ShapingReport {
    const before = this.failures.length;
    this.end(outcome);
    const late = this.failures.slice(before);
    return late.length === 0 ? outcome.report : withDegradation(outcome.report, late);
  }

  #guard(stage: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      rethrowControlFlow(error, this.#signal);
      this.failures.push({
        stage,
        code: 'observer-failed',
        message: `telemetry threw: ${this.#tell(error)}`,
      });
    }
  }
}
