/** One retrieval result, shaped again and again with other options. */
import { ContextShapingError } from '../errors.js';
import type { ResolvedOptions } from '../input/options.js';
import type { ShapingOptions } from '../input/shaping-options.js';
import { ownQuery } from '../input/to-candidates.js';
import type { Limits } from '../limits.js';
import type { PipelineInput, Trace } from '../pipeline.js';
import type { TokenCounter } from '../ports.js';
import type { SessionOverrides, Shaper, ShapingInput, ShapingOverrides, ShapingSession } from '../shaping.js';
import type { Candidate, Chunk, Degradation, StageEvent } from '../types.js';
import type { Recording, Unasked } from './recording.js';

/** The checked input of a run, and what stages compute of its texts and vectors. */
export interface Pool
  extends Pick<PipelineInput, 'query' | 'candidates' | 'countTokens' | 'listOrder' | 'lexicon'> {
  /** Candidates with the texts of the caller. `candidates` are those that the model will see. */
  readonly given: readonly Candidate[];
  /** Copies of the caller's chunks. */
  readonly chunks: readonly Chunk[];
}

/** One run of the stages. */
export interface Run {
  readonly pool: Pool;
  readonly limits: Limits;
  readonly trace: Trace;
}

export interface RunOptions {
  /** `head`: only the stages that no limit changes. A run of those: only the others. Absent: all stages. */
  readonly part?: 'head' | Run | undefined;
  /** Absent: that of the session, if there is one. */
  readonly recording?: Recording | undefined;
  readonly tell?: ((event: StageEvent) => Promise<readonly Degradation[]>) | undefined;
}

/** A shaper, and its runs without a report. */
export interface InnerShaper extends Shaper {
  run(input: ShapingInput, options?: RunOptions): Promise<Run>;
}

/** How a session runs a shaper. */
export interface Replay {
  readonly recording: Recording;
  /** Counters by tokenizer. They count each text once in all runs. */
  readonly counters?: Map<ResolvedOptions['tokenizer'], TokenCounter> | undefined;
  /** Given: no service is asked. It counts the questions without a recorded answer. */
  readonly unasked?: Unasked | undefined;
}

/** The options that only stages after relevance read. */
const LIMITS = ['budget', 'k', 'lambda', 'cluster'] as const satisfies readonly (keyof SessionOverrides)[];

/** The changes of a counterfactual run. */
export interface Change {
  /** The stages that no limit changes run once for all changes of limits alone. */
  readonly overrides?: SessionOverrides;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of a counterfactual run. */
export interface Outcome {
  /** Index of each kept chunk, and whether it is whole. */
  readonly kept: ReadonlyMap<number, 'whole' | 'cut'>;
  /** Whether a service would have had to be asked. Then the outcome is that of its fallback, and proves nothing. */
  readonly isUnknown: boolean;
}

/** The inside of a session, for this package's own adapters. */
export interface Inside {
  /** Runs with a change. It asks no service. */
  outcome(change: Change): Promise<Outcome>;
  /**
   * Runs with other limits, after the stages that no limit changes, which run once. A service is asked each question that has no
   * recorded answer.
   */
  limited(
    limits: Pick<SessionOverrides, (typeof LIMITS)[number]>,
    signal?: AbortSignal,
  ): Promise<Pick<Trace, 'kept' | 'evicted'>>;
  readonly recording: Recording;
  readonly input: ShapingInput;
  /** The options of the shaper as the caller gave them, without defaults. */
  readonly given: ShapingOptions;
}

/** How each result came about. It lives as long as the result. */
const origins = new WeakMap<object, () => ShapingSession>();
const insides = new WeakMap<ShapingSession, Inside>();

/** The inside of a session. Undefined for any other object. */
export const insideOf = (session: object): Inside | undefined => insides.get(session as ShapingSession);

/** Records how a result came about. */
export function setOrigin(result: object, open: () => ShapingSession): void {
  origins.set(result, open);
}

/** Records that an object was made of a result, as an adapter's documents are: it came about in the same way. */
export function madeOf<T extends object>(result: object, made: T): T {
  const open = origins.get(result);
  if (open !== undefined) origins.set(made, open);
  return made;
}

/** Records how a report came about, for as long as its observers run. Programs keep reports for long, and the texts must not stay with them. */
export async function withOrigin<R>(
  report: object,
  open: (() => ShapingSession) | undefined,
  tell: () => R | Promise<R>,
): Promise<R> {
  if (open !== undefined) origins.set(report, open);
  try {
    return await tell();
  } finally {
    origins.delete(report);
  }
}

/** How a result came about, or a report while its observers run. */
export const originOf = (made: object): (() => ShapingSession) | undefined => origins.get(made);

/**
 * The session in which `at()` gives this result. For a report, only while `onReport` is called with it. Undefined if this
 * process did not make it, and for a copy.
 */
export const sessionOf = (made: object): ShapingSession | undefined => origins.get(made)?.();

/** @param derive makes the shaper of the session with overrides. */
export function makeSession<T extends Chunk>(
  given: ShapingInput<T>,
  {
    options,
    own,
    recording,
    derive,
  }: {
    options: ResolvedOptions;
    own: ShapingOptions;
    recording: Recording;
    derive: (overrides: ShapingOverrides, replay: Replay) => InnerShaper;
  },
): ShapingSession<T> {
  // Copy: the caller may mutate its input between two calls.
  const input: ShapingInput<T> = Array.isArray(given?.chunks)
    ? {
        ...given,
        query: ownQuery(given.query),
        chunks: given.chunks.map((chunk) => (isPlain(chunk) ? { ...chunk } : chunk)),
      }
    : given;
  const counters: Replay['counters'] = new Map();
  let last: Promise<unknown> = Promise.resolve();
  /** Runs follow each other, because a service must not be asked twice. */
  const inTurn = <R>(run: () => Promise<R>): Promise<R> => {
    const turn = last.then(run);
    last = turn.catch(() => {});
    return turn;
  };
  let head: Run | undefined;
  /** The run of the stages that no limit changes. It is not kept if a service would have to be asked. */
  const headOf = async (shaper: InnerShaper, changed: ShapingInput, unasked?: Unasked): Promise<Run> => {
    if (head !== undefined) return head;
    const made = await shaper.run(changed, { part: 'head' });
    if (unasked === undefined || unasked.count === 0) head = made;
    return made;
  };
  const session: ShapingSession<T> = {
    options,
    at: (overrides = {}, { signal = input?.signal } = {}) =>
      inTurn(() => derive(inFull(overrides), { recording, counters }).shape({ ...input, signal })),
  };
  insides.set(session as unknown as ShapingSession, {
    recording,
    input,
    given: own,
    outcome: ({ overrides = {}, signal = input?.signal }) =>
      inTurn(async () => {
        const unasked = { count: 0 };
        const shaper = derive(inFull(overrides), { recording, counters, unasked });
        const changed = { ...input, signal };
        const areLimits = Object.keys(overrides).every((name) => LIMITS.some((limit) => limit === name));
        const part = areLimits ? await headOf(shaper, changed, unasked) : undefined;
        const { trace } = await shaper.run(changed, { part });
        const kept = trace.kept.map(
          ({ index, excerpts }) => [index, excerpts === undefined ? 'whole' : 'cut'] as const,
        );
        return { kept: new Map(kept), isUnknown: unasked.count > 0 };
      }),
    limited: (limits, signal = input?.signal) =>
      inTurn(async () => {
        const shaper = derive(inFull(limits), { recording, counters });
        const changed = { ...input, signal };
        const { trace } = await shaper.run(changed, { part: await headOf(shaper, changed) });
        return trace;
      }),
  });
  return session;
}

const isPlain = (chunk: unknown) => typeof chunk === 'object' && chunk !== null;

/** The overrides with `lambda` in its group. */
function inFull(overrides: SessionOverrides): ShapingOverrides {
  const { lambda, ...rest } = overrides ?? {};
  if (lambda === undefined) return overrides;
  if (rest.select !== undefined) {
    throw new ContextShapingError('invalid-options', {
      field: 'lambda',
      value: lambda,
      is: 'is short for select.lambda, and select is given too',
      remedy: 'Give one of the two.',
    });
  }
  return { ...rest, select: { lambda } };
}
