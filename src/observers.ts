import { isInterrupt, rethrowControlFlow, silence, type Telling, tellingOf } from './errors.js';
import type { ResolvedOptions } from './input/options.js';
import type { Telemetry, TelemetrySpan, TracedOutcome, TracedWork } from './ports.js';
import { withDegradation } from './report/report.js';
import { orAborted, tooLate, within } from './runtime/abort.js';
import type { ShapingResult } from './shaping.js';
import type { Chunk, Degradation, ShapedChunk, ShapingReport, StageEvent, StageTrace } from './types.js';

type Observers = Partial<Pick<ResolvedOptions, 'onEvict' | 'onReport' | 'onStage'>> &
  Pick<ResolvedOptions, 'errorMessages'> & { readonly deadlineMs?: number | null | undefined };

/** The observers of one call. A throwing observer never loses documents: the report records the failure. */
export class Watch {
  readonly #observers: Observers;
  readonly #tell: Telling;
  /** Milliseconds for which all observers together are waited for. After them, each is still called. */
  #left: number;

  constructor(observers: Observers) {
    this.#observers = observers;
    this.#tell = tellingOf(observers);
    this.#left = observers.deadlineMs ?? Number.POSITIVE_INFINITY;
  }

  /** Tells of the finished report. It is returned with the failures of observers. */
  async report(report: ShapingReport, signal: AbortSignal | undefined): Promise<ShapingReport> {
    const { onEvict, onReport } = this.#observers;
    const failures: Degradation[] = [];
    if (onEvict !== undefined)
      for (const eviction of report.evicted)
        failures.push(...(await this.#failuresOf('onEvict', 'report', () => onEvict(eviction), signal)));
    // One seal for all failures, because each reads the whole report.
    const told = failures.length === 0 ? report : withDegradation(report, failures);
    const late = onReport && (await this.#failuresOf('onReport', 'report', () => onReport(told), signal));
    signal?.throwIfAborted();
    return late === undefined || late.length === 0 ? told : withDegradation(told, late);
  }

  /** Tells of a stage, by a copy, because the evictions go into the report later. */
  async stage(event: StageEvent, signal: AbortSignal | undefined): Promise<readonly Degradation[]> {
    const { onStage } = this.#observers;
    if (onStage === undefined) return [];
    return this.#failuresOf('onStage', event.name, () => onStage(structuredClone(event)), signal);
  }

  async #failuresOf(
    name: string,
    stage: string,
    observer: () => void | Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<readonly Degradation[]> {
    try {
      const answer = observer();
      // A promise of any realm. Time counts only while one is waited for.
      if (typeof (answer as Partial<Promise<void>> | undefined)?.then === 'function')
        await orAborted(this.#inTime(Promise.resolve(answer)), signal);
      return [];
    } catch (error) {
      rethrowControlFlow(error, signal);
      return [observerFailed(stage, `${name} threw: ${this.#tell(error)}`)];
    }
  }

  async #inTime(answer: Promise<void>): Promise<void> {
    if (this.#left === Number.POSITIVE_INFINITY) return answer;
    const began = performance.now();
    const late = () => tooLate(this.#observers.deadlineMs as number);
    try {
      await within(this.#left, undefined, () => answer, late);
    } finally {
      this.#left = Math.max(0, this.#left - (performance.now() - began));
    }
  }
}

/** Tells the observers of a report that an adapter makes: together they wait at most `deadlineMs`. */
export const tellInTime = (
  report: ShapingReport,
  observers: Observers,
  signal: AbortSignal | undefined,
): Promise<ShapingReport> => new Watch(observers).report(report, signal);

const observerFailed = (stage: string, message: string): Degradation => ({
  stage,
  code: 'observer-failed',
  message,
});

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
      this.failures.push(observerFailed(stage, `telemetry threw: ${this.#tell(error)}`));
    }
  }
}
