import { ContextShapingError, tellingOf } from '../errors.js';
import { checkInput } from '../input/check-input.js';
import { mergeOptions } from '../input/options.js';
import type { ShapingOptions } from '../input/shaping-options.js';
import { ownQuery, toCandidates } from '../input/to-candidates.js';
import { type GuardedSpan, inSpan, Watch } from '../observers.js';
import type { TokenCounter } from '../ports.js';
import { orAborted, withDeadline } from '../runtime/abort.js';
import { defined } from '../runtime/defined.js';
import { onDemand } from '../runtime/on-demand.js';
import { Pacer } from '../runtime/pacer.js';
import { Recording, servicesOf } from '../session/recording.js';
import {
  type InnerShaper,
  makeSession,
  type Pool,
  type Replay,
  type Run,
  type RunOptions,
  setOrigin,
  withOrigin,
} from '../session/session.js';
import type { ShapingInput, ShapingOverrides, ShapingResult, ShapingSession } from '../shaping.js';
import type { Candidate, Chunk, ShapedChunk } from '../types.js';
import { arranged, firstUnderLimits, nameOf } from './arrangement.js';

/** The one import on demand: pages load less at first, and programs start sooner. */
const firstCall = onDemand(() => import('./first-call.js'));

/**
 * Makes a shaper.
 *
 * @param replay how a session runs the shaper. Then it calls no observer.
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function makeShaper(given: ShapingOptions, replay?: Replay): InnerShaper {
  const stages = arranged(given);
  const { options, arrangement } = stages;
  // Copy: the caller may mutate its options later.
  const own = mergeOptions({}, { ...given });
  const telemetry = replay === undefined ? options.telemetry : undefined;
  const services = servicesOf(options);
  const tell = tellingOf(options);
  const recorded = replay?.recording.of(services);

  const sessionOn = <T extends Chunk>(input: ShapingInput<T>, recording: Recording): ShapingSession<T> =>
    makeSession(input, {
      options,
      own,
      recording,
      derive: (overrides, inside) => makeShaper(overridden(own, overrides), inside),
    });

  async function poolOf(input: ShapingInput, pacer: Pacer): Promise<Pool> {
    // Copy: the caller may mutate the array and its chunks while this call waits.
    const chunks = Array.from(input.chunks, (chunk) => ({ ...chunk, id: chunk.id }));
    const { query, candidates: checked } = toCandidates(input, options);
    const { countOnce, Lexicon, listOrder, loadTokenCounter, shown } = await orAborted(
      firstCall(),
      pacer.signal,
    );
    const candidates = shown(checked, options);
    const { tokenizer } = options;
    const known = replay?.counters?.get(tokenizer);
    const countTokens = known ?? countOnce(await orAborted(loadTokenCounter(tokenizer), pacer.signal));
    replay?.counters?.set(tokenizer, countTokens);
    return {
      query,
      given: checked,
      candidates,
      chunks,
      listOrder: listOrder(candidates, options.ranked, input.ranked, options.scores),
      countTokens,
      lexicon: new Lexicon(),
    };
  }

  async function run(
    input: ShapingInput,
    { part, recording = recorded, tell: tellStages = async () => [] }: RunOptions = {},
  ): Promise<Run> {
    checkInput(input);
    const { signal } = input;
    signal?.throwIfAborted();
    const pacer = new Pacer(signal);
    const { signal: serviceSignal, clear } = withDeadline(signal, options.deadlineMs);
    try {
      const head = part === 'head' ? undefined : part;
      const pool = head?.pool ?? (await poolOf(input, pacer));
      const { blockCounter, frameTokens, inOrderOfTies, limitsOf, runPipeline, stagesOf } = await firstCall();
      const { given: _, chunks: __, ...shared } = pool;
      const end = firstUnderLimits(arrangement);
      const limits = {
        ...limitsOf(options, frameTokens(options, pool.countTokens)),
        blockTokens: blockCounter(options, pool.countTokens),
      };
      const all = stagesOf(stages, recording?.replayed(replay?.unasked) ?? services);
      const trace = await runPipeline(
        part === undefined ? all : part === 'head' ? all.slice(0, end) : all.slice(end),
        {
          ...shared,
          candidates: inOrderOfTies(shared.candidates, options.ranked, input.ranked),
          ...(head && { query: head.trace.query, candidates: head.trace.kept, evicted: head.trace.evicted }),
          limits,
          pacer,
          tellError: tell,
          ...defined({ signal, serviceSignal }),
        },
        tellStages,
      );
      return { pool, limits, trace };
    } finally {
      clear();
    }
  }

  async function shape<T extends Chunk>(
    input: ShapingInput<T>,
    span?: GuardedSpan,
  ): Promise<ShapingResult<T>> {
    const { signal, ranked } = input ?? {};
    const asked = ownQuery(input?.query);
    const watch = replay === undefined ? new Watch(options) : undefined;
    // The answers of services stay with the result, so that explaining or recording it asks nothing again.
    const recording = recorded ?? new Recording(services);
    const { pool, limits, trace } = await run(input, {
      recording,
      tell: (event) => {
        span?.stage(event);
        return watch?.stage(event, signal) ?? Promise.resolve([]);
      },
    });
    const { query, candidates, countTokens } = pool;
    const { makeReport, withoutEffect } = await orAborted(firstCall(), signal);
    const idle = withoutEffect({
      query,
      candidates: pool.given,
      chunks: pool.chunks,
      options,
      fields: own.fields as ShapingOptions['fields'],
    });
    const inputTokens = tokensOf(candidates, countTokens);
    const report = makeReport(
      {
        query: query.text,
        candidates,
        inputTokens,
        available: limits.available,
        options,
      },
      { ...trace, degradations: [...(span?.failures ?? []), ...idle, ...trace.degradations] },
    );
    const chunks = pool.chunks as readonly T[];
    const open = () => sessionOn({ query: asked, chunks, ranked }, recording);
    const told = await withOrigin(report, open, () => watch?.report(report, signal) ?? report);
    const shaped = {
      chunks: trace.kept.map((candidate) => toShapedChunk(candidate, chunks)),
      report: told,
    };
    const result = span?.shaped(shaped, chunks) ?? shaped;
    setOrigin(result, open);
    return result;
  }

  const shaper = {
    options,
    stages: arrangement.map(nameOf),
    with: (overrides: ShapingOverrides) => makeShaper(overridden(own, overrides)),
    session: <T extends Chunk>(input: ShapingInput<T>) =>
      sessionOn(input, recorded ?? new Recording(services)),
    run,
    shape: <T extends Chunk>(input: ShapingInput<T>) =>
      telemetry === undefined
        ? shape(input)
        : inSpan(telemetry, { kind: 'shape', options }, tell, input?.signal, (span) => shape(input, span)),
  };
  return shaper;
}

/** The options with the overrides written into them: `null` takes an option away. */
export function overridden(own: Record<string, unknown>, overrides: unknown): ShapingOptions {
  if (typeof overrides !== 'object' || overrides === null) {
    throw new ContextShapingError('invalid-options', {
      field: 'overrides',
      value: overrides,
      is: 'must be an object',
      remedy: 'Give the options to change: shaper.with({ k: 5 }).',
    });
  }
  const changes = Object.entries(overrides);
  const toDefault = new Set(changes.filter(([, value]) => value === null).map(([name]) => name));
  const left = Object.entries(own).filter(([name]) => !toDefault.has(name));
  const written = changes.filter(([name]) => !toDefault.has(name));
  return mergeOptions(Object.fromEntries(left), Object.fromEntries(written));
}

function tokensOf(candidates: readonly Candidate[], countTokens: TokenCounter): number {
  let sum = 0;
  for (const { rendered } of candidates) {
    sum += countTokens(rendered);
  }
  return sum;
}

function toShapedChunk<T extends Chunk>(candidate: Candidate, chunks: readonly T[]): ShapedChunk<T> {
  const { index, text, rendered, render, signals, sources, excerpts, original, superseded } = candidate;
  const given = chunks[index] as T;
  return {
    ...given,
    text,
    // With the option `frame`, the model sees the text as renderContext renders it.
    ...(given.rendered == null ? {} : { rendered: render === undefined ? rendered : null }),
    index,
    tokens: signals.tokens,
    ...(signals.relevance === undefined ? {} : { relevance: signals.relevance }),
    sources: sources.map((source) => ({ ...source })),
    ...(excerpts === undefined ? {} : { excerpts: excerpts.map((excerpt) => ({ ...excerpt })) }),
    ...(original === undefined ? {} : { sanitised: true }),
    ...(superseded === undefined ? {} : { superseded: { ...superseded } }),
  };
}
