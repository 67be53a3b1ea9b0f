import { ContextShapingError } from './errors.js';
import { listOrder } from './input/list-order.js';
import { malformedIn } from './input/malformed-in.js';
import { mergeOptions, type ResolvedOptions, resolveOptions } from './input/options.js';
import type { ShapingOptions } from './input/shaping-options.js';
import { toCandidates } from './input/to-candidates.js';
import { patient, tellObservers, tellStage } from './observers.js';
import { type PipelineStage, runPipeline } from './pipeline.js';
import { Cosines } from './pool/cosines.js';
import type { TokenCounter } from './ports.js';
import { frameTokens, shown } from './prompt/shown.js';
import { makeReport } from './report/report.js';
import { orAborted, withDeadline } from './runtime/abort.js';
import { onDemand } from './runtime/on-demand.js';
import { makeSession, type ShapingSession, setOrigin } from './session/session.js';
import type { Services, Tape } from './session/tape.js';
import { annotate } from './stages/annotate.js';
import { budget } from './stages/budget.js';
import { cluster } from './stages/cluster/cluster.js';
import { type Arrangement, arrange, isUnderPressure, leftOut, nameOf } from './stages/custom/arrangement.js';
import { ecs } from './stages/ecs.js';
import { embed } from './stages/embed.js';
import { exactDedup } from './stages/exact-dedup.js';
import { extract } from './stages/extract/extract.js';
import { flag } from './stages/flag/flag.js';
import { order } from './stages/order.js';
import { relevance } from './stages/relevance.js';
import { select } from './stages/select/select.js';
import { semanticDedup } from './stages/semantic-dedup/semantic-dedup.js';
import { limitsOf } from './stages/shared/limits.js';
import { Lexicon } from './text/lexicon.js';
import { countOnce } from './tokens/tokenizers.js';
import type { Candidate, Chunk, Excerpt, Query, ShapingReport, Source } from './types.js';

export interface ShapingInput<T extends Chunk = Chunk> {
  query: Query | string;
  chunks: readonly T[];
  /** Whether the chunks come best first. It counts if the option `ranked` is `auto`, the default. Absent: the pool decides. */
  ranked?: boolean | undefined;
  /** Aborts the call: `shape` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A chunk of the result: the caller's own fields unchanged, and the fields that shaping adds. */
export type ShapedChunk<T extends Chunk = Chunk> = T & {
  /** Index in the input, from 0. */
  index: number;
  tokens: number;
  /** 0..1 within the pool. Absent if there was nothing to rank by. */
  relevance?: number;
  /** Its own source first, then the sources of its evicted copies. Cite them all. */
  sources: Source[];
  /** The kept parts of the original, as offsets, if `text` was cut. Absent if `text` is whole. */
  excerpts?: Excerpt[];
  /** True if the option `sanitise` changed `text`. */
  sanitised?: true;
};

export interface ShapingResult<T extends Chunk = Chunk> {
  chunks: ShapedChunk<T>[];
  report: ShapingReport;
}

export interface Shaper {
  /** Every option, with defaults filled in. */
  readonly options: ResolvedOptions;
  /** Names of the stages that run, in order. */
  readonly stages: readonly string[];
  /**
   * Shapes one retrieval result. Stateless: any number of calls may run at once.
   *
   * @throws ContextShapingError `invalid-input`, naming the wrong value of the query or of a chunk.
   * @throws the signal's reason, when aborted.
   */
  shape<T extends Chunk = Chunk>(input: ShapingInput<T>): Promise<ShapingResult<T>>;
  /**
   * Derives a shaper with the same options and services, except for `overrides`: the shaper that `createShaper` makes
   * of the first options with the overrides written into them. Groups are merged, so `{ budget: { maxTokens: 500 } }`
   * leaves `budget.reserve` as it is. `undefined` changes nothing; `null` returns an option to its default. This shaper
   * stays as it is.
   *
   * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
   */
  with(overrides: ShapingOverrides): Shaper;
  /**
   * Opens a session: this input can then be shaped with other budgets, `k` and so on, at a fraction of the time.
   */
  session<T extends Chunk = Chunk>(input: ShapingInput<T>): ShapingSession<T>;
}

type LoadTokenCounter = (tokenizer: ResolvedOptions['tokenizer']) => Promise<TokenCounter>;

/** Imported on use: pages load less at first. */
const malformedInput = onDemand(() => import('./input/malformed.js'));
const idleInput = onDemand(() => import('./input/without-effect.js'));

/** Options for {@link Shaper.with}: `null` returns an option to its default. */
export type ShapingOverrides = { [K in keyof ShapingOptions]: ShapingOptions[K] | null };

/**
 * Stages, in order of execution. If all chunks left after de-duplication fit `k` and the budget, they are kept whole:
 * `cluster`, `select`, `extract` and `budget` act only under pressure.
 */
function stagesOf(options: ResolvedOptions, { embedder, model, judge }: Services): PipelineStage[] {
  const { allowEmpty } = options;
  const extracts = options.extract !== false;
  return [
    options.flag && flag(),
    annotate({ entropy: options.annotate, allowEmpty }),
    options.exactDedup && exactDedup(),
    embed(embedder),
    options.semanticDedup && semanticDedup(options.semanticDedup),
    options.relevance && relevance({ ...options.relevance, allowEmpty }),
    options.cluster && cluster(options.cluster),
    options.ecs && ecs({ ...options.ecs, model, judge, allowEmpty }),
    options.select && select({ ...options.select, extracts }),
    options.extract && extract(options.extract),
    budget({ allowEmpty, extracts }),
    options.order && order(options.order),
  ].filter((stage) => stage !== false);
}

/**
 * Makes a shaper with the counters of the entry point that creates it.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function makeShaper(given: ShapingOptions, loadTokenCounter: LoadTokenCounter, tape?: Tape): Shaper {
  const { options, stages, arrangement } = arranged(given, tape);
  const isCustom = isUnderPressure(arrangement);
  // Copy: the caller may mutate its options later.
  const own = mergeOptions({}, { ...given });
  const shaper: Shaper = {
    options,
    stages: arrangement.map(nameOf),
    with: (overrides) => makeShaper(overridden(own, overrides), loadTokenCounter),
    session: (input) =>
      makeSession(
        input,
        options,
        (overrides, changed, onTape) =>
          makeShaper(overridden(own, overrides), loadTokenCounter, onTape).shape(changed),
        own,
        tape,
      ),
    async shape(input) {
      const wrong = malformedIn(input);
      if (wrong !== undefined) throw (await malformedInput()).malformed(wrong);
      const { signal, ranked } = input;
      signal?.throwIfAborted();
      const { query, candidates: checked } = toCandidates(input, options);
      const candidates = shown(checked, options);
      // Copy: the caller may mutate the array and its chunks while this call waits.
      const chunks = Array.from(input.chunks, (chunk) => ({ ...chunk, id: chunk.id }));
      const observers = tape === undefined ? patient(options) : {};
      const { signal: serviceSignal, clear } = withDeadline(signal, options.deadlineMs);
      try {
        const countTokens = countOnce(await orAborted(loadTokenCounter(options.tokenizer), signal));
        const limits = { ...limitsOf(options, frameTokens(options, countTokens)), isCustom };
        const { withoutEffect } = await orAborted(idleInput(), signal);
        const idle = withoutEffect({
          query,
          candidates: checked,
          chunks,
          options,
          fields: own.fields as ShapingOptions['fields'],
        });
        const trace = await runPipeline(
          await inOrder(arrangement, stages, options),
          {
            query,
            candidates,
            countTokens,
            limits,
            listOrder: listOrder(candidates, options.ranked, ranked),
            lexicon: new Lexicon(),
            cosines: new Cosines(),
            ...(signal === undefined ? {} : { signal }),
            ...(serviceSignal === undefined ? {} : { serviceSignal }),
          },
          (event) => tellStage(event, observers, signal),
        );
        const inputTokens = candidates.reduce((sum, { rendered }) => sum + countTokens(rendered), 0);
        const { available } = limits;
        const report = makeReport(
          { query: query.text, candidates, inputTokens, available, options },
          { ...trace, degradations: [...idle, ...trace.degradations] },
        );
        const open = () => shaper.session({ query: input.query, chunks, ranked });
        // Observers may ask for it, too.
        setOrigin(report, open);
        const told = await tellObservers(report, observers, signal);
        const result = {
          chunks: trace.kept.map((candidate) => toShapedChunk(candidate, chunks)),
          report: told,
        };
        for (const made of [told, result]) setOrigin(made, open);
        return result;
      } finally {
        clear();
      }
    },
  };
  return shaper;
}

/** The options, the default stages, and the order of all stages. A default stage that the user's function leaves out is off. */
function arranged(
  given: ShapingOptions,
  tape: Tape | undefined,
): {
  options: ResolvedOptions;
  stages: readonly PipelineStage[];
  arrangement: Arrangement;
} {
  const all = resolveOptions(given);
  const stages = stagesOf(all, servicesOf(all, tape));
  const on = stages.map(({ name }) => name);
  if (all.stages === undefined) return { options: all, stages, arrangement: on };
  const arrangement = arrange(all, on);
  const options = resolveOptions(mergeOptions({ ...given }, leftOut(arrangement, on)));
  return { options, stages: stagesOf(options, servicesOf(options, tape)), arrangement };
}

function servicesOf({ embedder, ecs }: ResolvedOptions, tape: Tape | undefined): Services {
  const services = { embedder, ...(ecs === false ? {} : { model: ecs.model, judge: ecs.judge }) };
  return tape === undefined ? services : tape.services(services);
}

/** Most pages and programs have no stage of their own. */
const loadCustom = onDemand(() => import('./stages/custom/custom.js'));

async function inOrder(
  arrangement: Arrangement,
  defaults: readonly PipelineStage[],
  { stages, deadlineMs }: ResolvedOptions,
): Promise<readonly PipelineStage[]> {
  if (stages === undefined) return defaults;
  const { custom } = await loadCustom();
  return arrangement.map((each) =>
    typeof each === 'string'
      ? (defaults.find(({ name }) => name === each) as PipelineStage)
      : custom(each, deadlineMs),
  );
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

function toShapedChunk<T extends Chunk>(candidate: Candidate, chunks: readonly T[]): ShapedChunk<T> {
  const { index, text, rendered, render, signals, sources, excerpts, original } = candidate;
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
  };
}
