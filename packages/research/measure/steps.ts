/**
 * The time of a step of a session beside a full run, of a counterfactual run, and of telemetry:
 * `npm run research -- measure/steps FILE [steps]`. FILE has passages as Natural Questions publishes them.
 */
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createShaper, type ShapingInput, type ShapingOptions } from 'context-shaping';
import { openTelemetry } from 'context-shaping/telemetry';
import { insideOf } from '../../../src/internal.js';
import { poolsFrom } from '../bench/pools.js';

const BUDGET = 1500;
/** Steps that are not counted: the engine compiles the program in them. */
const WARM_UP = 30;

const [file, given] = process.argv.slice(2);
if (file === undefined) throw new Error('Give the file: npm run research -- measure/steps FILE');
const steps = Number(given ?? 200);
const pools = poolsFrom(file);

/** Medians and 90th percentiles in milliseconds, of runs that take turns. */
async function timed(runs: Readonly<Record<string, (step: number) => Promise<unknown>>>) {
  const times = new Map(Object.keys(runs).map((name) => [name, [] as number[]]));
  for (let step = -WARM_UP; step < steps; step++) {
    for (const [name, run] of Object.entries(runs)) {
      const began = performance.now();
      await run(step);
      if (step >= 0) times.get(name)?.push(performance.now() - began);
    }
  }
  return Object.fromEntries(
    [...times].map(([name, own]) => {
      const sorted = own.toSorted((a, b) => a - b);
      const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(2);
      return [name, `${at(0.5)} (${at(0.9)})`];
    }),
  );
}

const rows: Record<string, object> = {};
for (const count of [60, 200]) {
  for (const kind of ['words', 'vectors'] as const) {
    const { question, chunks, queryVector } = pools(count, 384);
    const input: ShapingInput =
      kind === 'vectors'
        ? { query: { text: question, embedding: queryVector }, chunks }
        : { query: question, chunks: chunks.map(({ embedding: _, ...rest }) => rest) };
    const shaper = createShaper({ budget: { maxTokens: BUDGET } });
    const session = shaper.session(input);
    const total = (await session.at()).report.tokens.input;
    // Neighbouring values, as a slider gives them, from a tenth of the tokens on.
    const at = (step: number): ShapingOptions => ({
      budget: { maxTokens: Math.round(total / 10) + (((step + WARM_UP) * 7) % total) },
    });
    rows[`${count} chunks, ${kind}`] = await timed({
      'full run': (step) => shaper.with(at(step)).shape(input),
      'budget, session': (step) => session.at(at(step)),
      'budget, outcome': async (step) => insideOf(session)?.outcome({ overrides: at(step) }),
      'k, session': (step) => session.at({ k: 1 + ((step + WARM_UP) % 30) }),
      'lambda, session': (step) => session.at({ lambda: ((step + WARM_UP) % 101) / 100 }),
    });
  }
}
console.log('Milliseconds of a step: median (90th percentile)');
console.table(rows);

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const traced: Record<string, object> = {};
for (const count of [60, 200]) {
  const { question, chunks } = pools(count, 384);
  const input = { query: question, chunks };
  const tracer = () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({
      spanLimits: { attributeCountLimit: 2000 },
      // Only the last span is kept.
      spanProcessors: [
        new SimpleSpanProcessor({ exporter }),
        { onStart: () => exporter.reset(), onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} },
      ],
    });
    return provider.getTracer('measure');
  };
  const shaping = (telemetry?: ShapingOptions['telemetry']) => {
    const shaper = createShaper({ budget: { maxTokens: BUDGET }, telemetry });
    return () => shaper.shape(input);
  };
  traced[`${count} chunks`] = await timed({
    off: shaping(),
    'off, again': shaping(),
    'API without SDK': shaping(openTelemetry({ tracer: trace.getTracer('none') })),
    SDK: shaping(openTelemetry({ tracer: tracer() })),
    'SDK, texts': shaping(openTelemetry({ tracer: tracer(), texts: true })),
  });
}
console.log('Milliseconds of a shaping with telemetry: median (90th percentile)');
console.table(traced);
