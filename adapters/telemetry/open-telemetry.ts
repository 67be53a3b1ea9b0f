import {
  type Attributes,
  context,
  type Meter,
  metrics,
  propagation,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import * as z from 'zod/mini';
import { ContextShapingError, type Telemetry, type TracedOutcome } from '../../src/index.js';
import { defined, hasMethods, isWord, LIBRARY, messageOf, parseOptions, toldOf } from '../../src/internal.js';
import { addResult, Room, startOf } from './attributes.js';
import { GEN_AI, OWN } from './names.js';

export interface OpenTelemetryOptions {
  /** Makes the spans. Default: the tracer of the global provider with the name and the version of this package. */
  tracer?: Tracer | undefined;
  /** Makes the instruments. Default: the meter of the global provider with the name and the version of this package. */
  meter?: Meter | undefined;
  /** Whether spans have the query, the texts of the chunks, and the messages of errors. Default `false`. */
  texts?: boolean | undefined;
  /**
   * Maximum number of attributes of a span. Give the `attributeCountLimit` of your provider, which drops further
   * attributes without a word. Totals come first, then the documents of the result, then those of the input; an
   * attribute says how many documents are left out. Default 128, as in the SDK.
   */
  maxAttributes?: number | undefined;
  /** Attributes for every span, such as `{ 'langfuse.observation.type': 'RETRIEVER' }`. */
  attributes?: Attributes | undefined;
}

const method = (name: string, what: string) =>
  z.optional(z.custom((value) => hasMethods(value, name), { error: `must be ${what}` }));
const optionsSchema = z.strictObject({
  tracer: method('startSpan', 'a tracer of OpenTelemetry'),
  meter: method('createHistogram', 'a meter of OpenTelemetry'),
  texts: z._default(z.boolean(), false),
  maxAttributes: z._default(z.int().check(z.gte(32), z.lte(100_000)), 128),
  attributes: z.optional(z.record(z.string(), z.unknown())),
});

/** Attributes that the processors of spans may add. */
const FOR_OTHERS = 8;

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
  const { texts, maxAttributes } = parseOptions(optionsSchema, options);
  const { name, version } = LIBRARY;
  const { tracer = trace.getTracer(name, version), meter, attributes: own = {} } = options;
  let instruments: ReturnType<typeof instrumentsOf> | undefined;
  return {
    begin(work, headers) {
      // Made late: the API has no meter for a provider that is set later.
      instruments ??= instrumentsOf(meter ?? metrics.getMeter(name, version));
      const attributes = { ...own, ...startOf(work) };
      const active = context.active();
      const parent = headers === undefined ? active : propagation.extract(active, headers);
      const span = tracer.startSpan(`context_shaping.${work.kind}`, { attributes }, parent);
      const room = new Room(maxAttributes - Object.keys(attributes).length - FOR_OTHERS);
      const began = performance.now();
      const { operations, tokens, degradations } = instruments;
      const count = (outcome: TracedOutcome, errorType: string | undefined) => {
        operations.record((performance.now() - began) / 1000, {
          [OWN.operation]: work.kind,
          ...defined({ [GEN_AI.errorType]: errorType }),
        });
        if (!('report' in outcome)) return;
        const { report } = outcome;
        tokens.record(report.tokens.input, { [OWN.tokenType]: 'input' });
        tokens.record(report.tokens.output, { [OWN.tokenType]: 'output' });
        for (const { code, stage } of report.degradations)
          degradations.add(1, { [OWN.code]: code, [OWN.stage]: stage });
      };
      return {
        within: (run) => context.with(trace.setSpan(parent, span), run),
        stage({ name, input, kept, evicted, milliseconds }) {
          span.addEvent('context_shaping.stage', {
            [OWN.stage]: name,
            [OWN.chunksIn]: input,
            [OWN.chunksKept]: kept,
            [OWN.chunksEvicted]: evicted,
            [OWN.stageSeconds]: milliseconds / 1000,
          });
        },
        end(outcome) {
          try {
            const told = 'error' in outcome ? shownOf(outcome.error, texts) : undefined;
            count(outcome, told?.type);
            if (span.isRecording()) tell(span, room, outcome, told, texts);
          } finally {
            span.end();
          }
        },
      };
    },
  };
}

function tell(
  span: Span,
  room: Room,
  outcome: TracedOutcome,
  told: ReturnType<typeof shownOf> | undefined,
  texts: boolean,
): void {
  if (told !== undefined) {
    const { type, message, stack } = told;
    span.setAttribute(GEN_AI.errorType, type);
    span.recordException({ name: type, message, ...(typeof stack === 'string' && { stack }) });
    span.setStatus({ code: SpanStatusCode.ERROR, message });
  } else if ('report' in outcome) {
    addResult(room, outcome, texts);
    span.setAttributes(room.attributes);
    for (const { stage, code, message } of outcome.report.degradations)
      span.addEvent('context_shaping.degradation', {
        [OWN.stage]: stage,
        [OWN.code]: code,
        [OWN.message]: message,
      });
  } else span.setAttribute(OWN.isInterrupted, true);
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
