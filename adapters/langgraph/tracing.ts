/** Spans of corrective retrieval: one for each run, and inside it one for each step that a service or a person does. */
import type { ShapingReport, Telemetry, TracedOutcome } from '../../src/index.js';
import {
  GuardedSpan,
  inSpan,
  type Telling,
  type TracedWork,
  tellingOf,
  withDegradation,
} from '../../src/internal.js';
import type { Run } from './run.js';

/** Its value is the span of the run. A symbol, so that it gets neither into traces nor into checkpoints. */
const SPAN = Symbol('context-shaping.span');

interface Options {
  signal?: AbortSignal | undefined;
  configurable?: Record<PropertyKey, unknown>;
}

/** The steps of a graph, in a span. It ends with the report, or when the graph is interrupted or left. */
export async function* tracedRun<T>(
  telemetry: Telemetry,
  tell: Telling,
  options: Options | undefined,
  begin: (options: Options) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const span = new GuardedSpan(telemetry, { kind: 'correct' }, tell, options?.signal);
  const steps = begin({ ...options, configurable: { ...options?.configurable, [SPAN]: span } });
  // A reader that leaves aborts the run, and asks for no further step.
  let isRead = false;
  const leave = () => isRead && span.end({ interrupted: true });
  options?.signal?.addEventListener('abort', leave);
  try {
    for (;;) {
      const step = await span.within(() => steps.next());
      if (step.done) return;
      isRead = true;
      yield step.value;
      isRead = false;
    }
  } catch (error) {
    span.failed(error);
    throw error;
  } finally {
    options?.signal?.removeEventListener('abort', leave);
    await steps.return(undefined);
    span.end({ interrupted: true });
  }
}

/** Runs a step in a span, if the shaper has a telemetry. */
export function inStep<T>(
  work: TracedWork,
  { shaper, config }: Run,
  doStep: () => Promise<T>,
  outcomeOf: (result: T) => TracedOutcome,
): Promise<T> {
  const { telemetry } = shaper.options;
  if (telemetry === undefined) return doStep();
  return inSpan(telemetry, work, tellingOf(shaper.options), config.signal, async (span) => {
    const result = await doStep();
    span.end(outcomeOf(result));
    spanOf(config)?.failures.push(...span.failures);
    return result;
  });
}

/** The report with the failures of the telemetry up to now, each message once. */
export function withFailures(report: ShapingReport, { config }: Run): ShapingReport {
  const failures = spanOf(config)?.failures ?? [];
  const said = new Set(report.degradations.map(({ message }) => message));
  const news = failures.filter(({ message }) => !said.has(message) && said.add(message));
  return news.length === 0 ? report : withDegradation(report, news);
}

/** Ends the span of the run. */
export const reported = (report: ShapingReport, { config }: Run): ShapingReport =>
  spanOf(config)?.reported({ report }) ?? report;

const spanOf = ({ configurable }: Run['config']): GuardedSpan | undefined =>
  (configurable as { [SPAN]?: GuardedSpan } | undefined)?.[SPAN];
