/** The real SDK, with exporters in memory. */
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterEach } from 'vitest';
import { type OpenTelemetryOptions, openTelemetry } from '../../../adapters/telemetry/index.js';

afterEach(() => context.disable());

/** A telemetry, and its exported data. */
export function sdk(
  options: OpenTelemetryOptions = {},
  { spanLimits }: { spanLimits?: { attributeCountLimit: number } } = {},
) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(spanLimits === undefined ? {} : { spanLimits }),
  });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 2 ** 30,
  });
  const meters = new MeterProvider({ readers: [reader] });
  const tracer = provider.getTracer('test');
  return {
    tracer,
    exporter,
    meters,
    telemetry: openTelemetry({ tracer, meter: meters.getMeter('test'), ...options }),
    spans: () => exporter.getFinishedSpans(),
    span: (name: string) => exporter.getFinishedSpans().find((span) => span.name === name) as ReadableSpan,
    async metrics() {
      await reader.forceFlush();
      const all = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
      return all.flatMap(({ metrics }) => metrics);
    },
  };
}

/** The names of spans, each under the span that it is in. */
export function treeOf(spans: readonly ReadableSpan[]): string[] {
  const begun = spans.toSorted((one, other) => timeOf(one) - timeOf(other));
  const under = (parent: string | undefined, depth: number): string[] =>
    begun
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.name}`,
        ...under(span.spanContext().spanId, depth + 1),
      ]);
  return under(undefined, 0);
}

const timeOf = ({ startTime: [seconds, nanoseconds] }: ReadableSpan) => seconds * 1e3 + nanoseconds / 1e6;
