import {
  type Attributes,
  context,
  type Meter,
  metrics,
  propagation,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import * as z from 'zod/mini';
import { ContextShapingError, type Telemetry, type TracedOutcome } from '../../src/index.js';
import { hasMethods, isWord, LIBRARY, messageOf, parseOptions, toldOf } from '../../src/internal.js';
import { resultOf, startOf } from './attributes.js';
import { GEN_AI } from './names.js';

export interface OpenTelemetryOptions {
  /** Makes the spans. Default: the tracer of the global provider with the name and the version of this package. */
  tracer?: Tracer | undefined;
  /** Makes the instruments. Default: the meter of the global provider with the name and the version of this package. */
  meter?: Meter | undefined;
  /** Whether spans have the query, the texts of the chunks, and the messages of errors. Default `false`. */
  texts?: boolean | undefined;
  /** Attributes for every span, such as `{ 'langfuse.observation.type': 'RETRIEVER' }`. */
  attributes?: Attributes | undefined;
}

const method = (name: string, what: string) =>
  z.optional(z.custom((value) => hasMethods(value, name), { error: `must be ${what}` }));
const optionsSchema = z.strictObject({
  tracer: method('startSpan', 'a tracer of OpenTelemetry'),
  meter: method('createHistogram', 'a meter of OpenTelemetry'),
  texts: z._default(z.boolean(), false),
  attributes: z.optional(z.record(z.string(), z.unknown())),
});

/** Bounds of the histograms: a shaping takes milliseconds, a model that measures utility seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const TOKENS = [64, 256, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144, 1_048_576];

/** The instruments. Units are those of UCUM, and counts name their object in braces. */
function instrumentsOf(meter: Meter) {
  const histogram = (name: string, unit: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
  return {
    operations: histogram('context_shaping.operation.duration', 's', 'Duration of shapings.', SECONDS),
    tokens: histogram(
      'context_shaping.token.usage',
      '{token}',
      'Tokens of all chunks before and after shaping.',
      TOKENS,
    ),
    degradations: meter.createCounter('context_shaping.degradations', {
      unit: '{degradation}',
      description: 'Failures that a fallback replaced, by code and stage.',
    }),
  };
}

/**
 * Spans and metrics for the option `telemetry`, by the conventions of OpenTelemetry and OpenInference. Without a provider
 * the API does nothing, and so does this.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  const { texts } = parseOptions(optionsSchema, options);
  const { name, version } = LIBRARY;
  const { tracer = trace.getTracer(name, version), meter, attributes: own = {} } = options;
  let instruments: ReturnType<typeof instrumentsOf> | undefined;
  return {
    begin(work, headers) {
      // Made late: the API has no meter for a provider that is set later.
      instruments ??= instrumentsOf(meter ?? metrics.getMeter(name, version));
      const { operations, tokens, degradations } = instruments;
      const attributes = { ...own, ...startOf(work) };
      const active = context.active();
      const parent = headers === undefined ? active : propagation.extract(active, headers);
      const span = tracer.startSpan(`context_shaping.${work.kind}`, { attributes }, parent);
      const began = performance.now();
      const seconds = (more: Attributes) => operations.record((performance.now() - began) / 1000, more);
      const end = (outcome: TracedOutcome) => {
        if ('error' in outcome) {
          const { type, message, stack } = shownOf(outcome.error, texts);
          seconds({ [GEN_AI.errorType]: type });
          span.setAttribute(GEN_AI.errorType, type);
          span.recordException({ name: type, message, ...(typeof stack === 'string' && { stack }) });
          span.setStatus({ code: SpanStatusCode.ERROR, message });
          return;
        }
        seconds({});
        if (!('report' in outcome)) {
          span.setAttribute('context_shaping.interrupted', true);
          return;
        }
        const { report } = outcome;
        tokens.record(report.tokens.input, { 'context_shaping.token.type': 'input' });
        tokens.record(report.tokens.output, { 'context_shaping.token.type': 'output' });
        if (span.isRecording()) span.setAttributes(resultOf(outcome, texts));
        for (const { stage, code, message } of report.degradations) {
          const about = { 'context_shaping.stage.name': stage, 'context_shaping.degradation.code': code };
          degradations.add(1, about);
          span.addEvent('context_shaping.degradation', {
            ...about,
            'context_shaping.degradation.message': message,
          });
        }
      };
      return {
        within: (run) => context.with(trace.setSpan(parent, span), run),
        stage({ name, input, kept, evicted, milliseconds }) {
          span.addEvent('context_shaping.stage', {
            'context_shaping.stage.name': name,
            'context_shaping.chunks.input': input,
            'context_shaping.chunks.kept': kept,
            'context_shaping.chunks.evicted': evicted,
            'context_shaping.stage.duration': milliseconds / 1000,
          });
        },
        end(outcome) {
          try {
            end(outcome);
          } finally {
            span.end();
          }
        },
      };
    },
  };
}

/**
 * The parts of an error that a span shows. `type` is a word with few values: the kind of an error of this package, else
 * the error's name.
 *
 * @param texts whether the span has the error's own message and stack, which can quote a text.
 */
function shownOf(error: unknown, texts: boolean): { type: string; message: string; stack?: unknown } {
  const { name, stack } = (error ?? {}) as { name?: unknown; stack?: unknown };
  const type = ContextShapingError.isInstance(error) ? error.kind : isWord(name) ? name : '_OTHER';
  return texts ? { type, message: messageOf(error), stack } : { type, message: toldOf(error) };
}
