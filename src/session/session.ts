/** One retrieval result, shaped again and again with other options. */
import { ContextShapingError } from '../errors.js';
import type { ResolvedOptions } from '../input/options.js';
import type { ShapingOptions } from '../input/shaping-options.js';
import { ownQuery } from '../input/to-candidates.js';
import type { Trace } from '../pipeline.js';
import type { SessionOverrides, Shaper, ShapingInput, ShapingOverrides, ShapingSession } from '../shaping.js';
import type { Chunk } from '../types.js';
import { type Recall, Store } from './recall.js';
import { Tape } from './tape.js';

/** The changes of a counterfactual run. */
export interface Change {
  readonly overrides?: SessionOverrides;
  /** Indices of chunks to leave out. The indices of the others stay. */
  readonly without?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of a counterfactual run. */
export interface Outcome {
  /** Index of each kept chunk, and whether it is whole. */
  readonly kept: ReadonlyMap<number, 'whole' | 'cut'>;
  /** Whether a service would have had to be asked. Then the outcome is that of its fallback, and proves nothing. */
  readonly isUnknown: boolean;
}

/** Makes the shaper of the session with overrides. */
type Derive = (
  overrides: ShapingOverrides,
  recall: Recall,
) => Pick<Shaper, 'shape'> & { run(input: ShapingInput): Promise<{ trace: Trace }> };

/** The inside of a session, for this package's own adapters. */
export interface Inside {
  /** Runs with a change. It asks no service. */
  outcome(change: Change): Promise<Outcome>;
  readonly tape: Tape;
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

/** @param tape what services answered before. Absent: nothing. */
export function makeSession<T extends Chunk>(
  given: ShapingInput<T>,
  options: ResolvedOptions,
  own: ShapingOptions,
  tape = new Tape(),
  derive: Derive,
): ShapingSession<T> {
  // Copy: the caller may mutate its input between two calls.
  const input: ShapingInput<T> = Array.isArray(given?.chunks)
    ? {
        ...given,
        query: ownQuery(given.query),
        chunks: given.chunks.map((chunk) => (isPlain(chunk) ? { ...chunk } : chunk)),
      }
    : given;
  const store = new Store();
  let last: Promise<unknown> = Promise.resolve();
  /** Runs follow each other, because they share their values. */
  const inTurn = <R>(run: () => Promise<R>): Promise<R> => {
    const turn = last.then(run);
    last = turn.catch(() => {});
    return turn;
  };
  const tapes = new Map([[store.keyOf(servicesIn(own, {})), tape]]);
  /** Another service gives other answers: they are on a tape of its own. */
  const tapeOf = (overrides: ShapingOverrides): Tape => {
    const key = store.keyOf(servicesIn(own, overrides));
    const known = tapes.get(key) ?? new Tape();
    tapes.set(key, known);
    return known;
  };
  const runOf = (overrides: SessionOverrides) => {
    const full = inFull(overrides);
    return { full, tape: tapeOf(full) };
  };
  const session: ShapingSession<T> = {
    options,
    at: (overrides = {}, { signal = input?.signal } = {}) =>
      inTurn(() => {
        const { full, tape } = runOf(overrides);
        return derive(full, { tape, store }).shape({ ...input, signal });
      }),
  };
  insides.set(session as unknown as ShapingSession, {
    tape,
    input,
    given: own,
    outcome: ({ overrides = {}, without = [], signal = input?.signal }) =>
      inTurn(async () => {
        const { full, tape } = runOf(overrides);
        const sealed = tape.sealed();
        const gone = new Set(without);
        const places = [...input.chunks.keys()].filter((index) => !gone.has(index));
        const chunks = places.map((index) => input.chunks[index] as T);
        const recall = { tape: sealed, store: gone.size === 0 ? store : new Store() };
        const { trace } = await derive(full, recall).run({ ...input, chunks, signal });
        const kept = trace.kept.map(
          ({ index, excerpts }) =>
            [places[index] as number, excerpts === undefined ? 'whole' : 'cut'] as const,
        );
        return { kept: new Map(kept), isUnknown: sealed.missed > 0 };
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

/** The services with which a step is run. A group that is switched off asks none. */
function servicesIn(own: ShapingOptions, overrides: ShapingOverrides): readonly unknown[] {
  const [ecs, otherEcs] = [own.ecs || {}, overrides.ecs || {}];
  const [extract, otherExtract] = [own.extract || {}, overrides.extract || {}];
  return [
    overrides.embedder ?? own.embedder,
    otherEcs.model ?? ecs.model,
    otherEcs.judge ?? ecs.judge,
    otherExtract.scorer?.model ?? extract.scorer?.model,
  ];
}
