import { ContextShapingError, type Telling } from './errors.js';
import type { ListOrder } from './input/list-order.js';
import type { Limits } from './limits.js';
import type { TokenCounter } from './ports.js';
import type { Pacer } from './runtime/pacer.js';
import type { ShapingQuery, StageInput } from './stage.js';
import type { Lexicon } from './text/lexicon.js';
import type {
  Answerable,
  Candidate,
  Conflict,
  Degradation,
  EcsUse,
  Eviction,
  FlaggedChunk,
  Ranking,
  StageEvent,
  StageTrace,
  SupportEntry,
} from './types.js';

/** Input of the stages of this package: the public part, and data that these stages share within one call. Internal. */
export interface PipelineInput extends StageInput {
  /** Counts the tokens of each text once per call. */
  readonly countTokens: TokenCounter;
  /** Bounds of the result. */
  readonly limits: Limits;
  /** Whether the caller's list is a ranking. */
  readonly listOrder: ListOrder;
  /** Words of texts, each segmented and stemmed once per call. */
  readonly lexicon: Lexicon;
  readonly pacer: Pacer;
  /** Says in a degradation why something failed. */
  readonly tellError: Telling;
}

/** Every candidate that came in is in exactly one of `kept` and `evicted`. */
export interface PipelineOutput {
  readonly kept: readonly Candidate[];
  readonly evicted: readonly Eviction[];
  readonly query?: ShapingQuery;
  readonly conflicts?: readonly Conflict[];
  readonly degradations?: readonly Degradation[];
  readonly ecs?: EcsUse;
  readonly ranking?: Ranking;
  readonly answerable?: Answerable;
  readonly flagged?: readonly FlaggedChunk[];
  readonly support?: readonly SupportEntry[];
}

/**
 * When a stage evicts: with any limits, only if room is short, or to keep the limits. With more room, a stage that acts
 * under pressure may evict others, or fewer.
 */
export type Acts = 'always' | 'under-pressure' | 'on-limits';

/** A step of the pipeline: a plain object, made by a factory. It never mutates its input. */
export interface PipelineStage {
  readonly name: string;
  run(input: PipelineInput): PipelineOutput | Promise<PipelineOutput>;
}

/** The results of all stages, from which the report is made. */
export interface Trace {
  /** The query with its vector, if a stage embedded it. */
  readonly query: ShapingQuery;
  readonly kept: readonly Candidate[];
  readonly evicted: readonly Eviction[];
  readonly conflicts: readonly Conflict[];
  readonly degradations: readonly Degradation[];
  readonly stages: readonly StageTrace[];
  readonly ecs?: EcsUse;
  readonly ranking?: Ranking;
  readonly answerable?: Answerable;
  /** In input order, each chunk once. */
  readonly flagged: readonly FlaggedChunk[];
  readonly support: readonly SupportEntry[];
}

/**
 * Runs the stages in order. After each stage it checks that no candidate was lost, invented or returned twice.
 *
 * @param tell called after each stage, and awaited; it returns degradations, such as a failed observer.
 * @throws ContextShapingError `conservation`, if a stage loses, invents or repeats a candidate.
 * @throws the signal's reason, if it was aborted before, between or inside stages.
 */
export async function runPipeline(
  stages: readonly PipelineStage[],
  input: Omit<PipelineInput, 'evicted'> & Partial<Pick<PipelineInput, 'evicted'>>,
  tell: (event: StageEvent) => Promise<readonly Degradation[]>,
): Promise<Trace> {
  const { pacer } = input;
  let evicted: readonly Eviction[] = input.evicted ?? [];
  let conflicts: Conflict[] = [];
  let degradations: Degradation[] = [];
  const traces: StageTrace[] = [];
  let ecs: EcsUse | undefined;
  let ranking: Ranking | undefined;
  let answerable: Answerable | undefined;
  const flagged: FlaggedChunk[] = [];
  let support: readonly SupportEntry[] = [];
  let { query, candidates } = input;

  for (const stage of stages) {
    input.signal?.throwIfAborted();
    const started = performance.now();
    const output = await stage.run({ ...input, query, candidates, evicted });
    checkConservation(stage.name, candidates, output);
    const event: StageEvent = {
      name: stage.name,
      input: candidates.length,
      kept: output.kept.length,
      milliseconds: performance.now() - started,
      evicted: output.evicted,
      conflicts: output.conflicts ?? [],
      degradations: output.degradations ?? [],
      flagged: output.flagged ?? [],
    };
    traces.push(traceOf(event));
    query = output.query ?? query;
    ecs = output.ecs ?? ecs;
    ranking = output.ranking ?? ranking;
    answerable = output.answerable ?? answerable;
    candidates = output.kept;
    flagged.push(...event.flagged);
    support = output.support ?? support;
    evicted = evicted.concat(event.evicted);
    conflicts = conflicts.concat(event.conflicts);
    degradations = degradations.concat(event.degradations, await tell(event));
    if (pacer.due()) await pacer.pause();
  }
  input.signal?.throwIfAborted();
  return {
    query,
    kept: candidates,
    evicted,
    conflicts,
    degradations,
    flagged: togetherByChunk(flagged),
    support,
    stages: traces,
    ...(ecs === undefined ? {} : { ecs }),
    ...(ranking === undefined ? {} : { ranking }),
    ...(answerable === undefined ? {} : { answerable }),
  };
}

/** Merges the flags of each chunk into one entry, in the order in which they were found. */
export function togetherByChunk(flagged: readonly FlaggedChunk[]): FlaggedChunk[] {
  const byIndex = new Map<number, FlaggedChunk>();
  for (const each of flagged) {
    const known = byIndex.get(each.index);
    byIndex.set(
      each.index,
      known === undefined ? each : { ...known, flags: [...known.flags, ...each.flags] },
    );
  }
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

const traceOf = ({ name, input, kept, evicted, milliseconds }: StageEvent): StageTrace => ({
  name,
  input,
  kept,
  evicted: evicted.length,
  milliseconds,
});

/** @throws ContextShapingError `conservation`, naming the first candidate that was lost, invented or returned twice. */
export function checkConservation(
  stage: string,
  before: readonly Candidate[],
  output: { kept: Iterable<{ index: number }>; evicted: Iterable<{ index: number }> },
): void {
  const last = before.reduce((most, { index }) => Math.max(most, index), 0);
  // By index: 1 for a candidate that has to be returned.
  const missing = new Uint8Array(last + 1);
  for (const { index } of before) missing[index] = 1;
  for (const side of [output.kept, output.evicted]) {
    for (const { index } of side) {
      if (missing[index] !== 1) throw broken(stage, index, 'was returned twice, or never came in');
      missing[index] = 0;
    }
  }
  const lost = missing.indexOf(1);
  if (lost >= 0) throw broken(stage, lost, 'was neither kept nor evicted');
}

function broken(stage: string, index: number, what: string): ContextShapingError {
  return new ContextShapingError('conservation', {
    field: `stage ${stage}, candidate`,
    value: index,
    is: what,
    remedy: 'Return every candidate exactly once, in kept or in evicted.',
  });
}
