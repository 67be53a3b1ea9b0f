/** Writes down what a context came from. */
import type {
  Chunk,
  PortIdentity,
  Query,
  ShapingInput,
  ShapingOptions,
  ShapingReport,
  ShapingResult,
  ShapingSession,
} from '../../src/index.js';
import {
  digestOf,
  type Inside,
  insideOf,
  invalidInput,
  isObject,
  isService,
  LIBRARY,
  pinTest,
  sessionOf,
  type Tape,
} from '../../src/internal.js';
import { hashedAnswers } from './answers.js';
import {
  type ContextLockfile,
  LOCKFILE_VERSION,
  type RecordedChunk,
  type RecordedIdentity,
  type RecordedInput,
  type RecordedServices,
  type RecordedTurn,
} from './types.js';
import { byKey, toJson, vectorToJson } from './values.js';

type Turn = NonNullable<Query['history']>[number];

export interface RecordOptions {
  /** `hashed`: SHA-256 in place of passages, metadata and earlier turns. The question, ids and titles stay. Default `full`. */
  texts?: 'full' | 'hashed' | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Records a context: input, options, what services answered, and the report. It shapes once more unless only a report is
 * known. Services are asked only for answers that the session does not have.
 *
 * @param of a session; a result of this process; the report of an `onReport` call, during that call; or any other report, of
 *   which the lockfile has no texts.
 * @throws ContextShapingError `invalid-input`, if `of` is anything else, such as the copy of a result.
 * @throws the errors of `session.at`.
 */
export async function recordContext(
  of: ShapingSession | ShapingResult | ShapingReport,
  { texts = 'full', signal }: RecordOptions = {},
): Promise<ContextLockfile> {
  const session = insideOf(of ?? {}) === undefined ? sessionOf(of ?? {}) : (of as ShapingSession);
  const inside = session && insideOf(session);
  if (session === undefined || inside === undefined) return reportOnly(of);
  const { report } = await session.at({}, { signal: signal ?? inside.input.signal });
  return lockfileOf(inside, report, texts);
}

function reportOnly(of: unknown): ContextLockfile {
  if (!isObject(of) || !Array.isArray(of.kept) || !Array.isArray(of.input)) {
    throw invalidInput(
      'of',
      of,
      'must be a session, a report, or a result that this process made',
      'Give shaper.session(input), or the result of shape itself and no copy of it.',
    );
  }
  return recordedReport(of as unknown as ShapingReport);
}

/** A lockfile of a report alone. */
export function recordedReport(report: ShapingReport): ContextLockfile {
  return {
    ...head('none'),
    input: { query: { text: report.query }, chunks: report.input.map((id) => ({ id })) },
    options: toJson(report.options) as Record<string, unknown>,
    functions: [],
    services: {},
    ...foot(report),
  };
}

function lockfileOf(
  { input, given, tape }: Inside,
  report: ShapingReport,
  texts: 'full' | 'hashed',
): ContextLockfile {
  const { options, functions } = withoutFunctions(given);
  const pinned = typeof given.pin === 'function' ? pinnedIn(input, pinTest(given.pin)) : undefined;
  return {
    ...head(texts),
    input: inputOf(input, texts),
    options,
    functions: functions.sort(),
    ...(pinned === undefined ? {} : { pinned }),
    services: servicesOf(given, tape),
    ...foot(report),
  };
}

const head = (texts: ContextLockfile['texts']) => ({
  lockfileVersion: LOCKFILE_VERSION as typeof LOCKFILE_VERSION,
  library: { ...LIBRARY },
  texts,
});

/** Times and the usage of services differ in each run. The digest does not cover them. */
function foot(report: ShapingReport): Pick<ContextLockfile, 'report' | 'digest'> {
  const stages = report.stages.map((stage) => ({ ...stage, milliseconds: 0 }));
  const usage = { requests: 0 };
  const ecs = report.ecs && { ...report.ecs, usage };
  const sentences = report.sentences && { ...report.sentences, usage };
  return {
    // A copy as JSON: a lockfile in memory and one from a file are equal.
    report: JSON.parse(
      JSON.stringify({ ...report, stages, ...(ecs && { ecs }), ...(sentences && { sentences }) }),
    ) as ShapingReport,
    digest: report.digest,
  };
}

const pinnedIn = ({ chunks }: ShapingInput, isPinned: (chunk: Chunk) => boolean) => [
  ...new Set(chunks.filter(isPinned).map(({ id }) => id)),
];

function inputOf({ query, chunks, ranked }: ShapingInput, texts: 'full' | 'hashed'): RecordedInput {
  const { text, answer, embedding, history }: Query = typeof query === 'string' ? { text: query } : query;
  return {
    query: {
      text,
      ...(answer == null ? {} : { answer }),
      ...(embedding == null ? {} : { embedding: vectorToJson(embedding) as string }),
      ...(history == null || history.length === 0
        ? {}
        : { history: history.map(texts === 'full' ? recordedTurn : hashedTurn) }),
    },
    chunks: chunks.map(texts === 'full' ? recordedChunk : hashedChunk),
    ...(ranked === undefined ? {} : { ranked }),
  };
}

const recordedTurn = ({ role, text }: Turn): RecordedTurn => ({ role, text });
export const hashedTurn = ({ role, text }: Turn): RecordedTurn => ({ role, hash: digestOf(text) });

function recordedChunk({ id, score, text, rendered, embedding, metadata }: Chunk): RecordedChunk {
  return {
    id,
    ...(score == null ? {} : { score }),
    text,
    ...(rendered == null ? {} : { rendered }),
    ...(embedding == null ? {} : { embedding: vectorToJson(embedding) as string }),
    ...(metadata == null ? {} : { metadata: fieldsToJson(metadata) }),
  };
}

/** Metadata with one key that begins with `$` is no value of another type. */
const fieldsToJson = (metadata: object) =>
  Object.fromEntries(
    Object.entries(metadata)
      .map(([key, value]) => [key, toJson(value)] as [string, unknown])
      .filter(([, value]) => value !== undefined)
      .sort(byKey),
  );

/** The chunk with hashes in place of its contents. */
export function hashedChunk(chunk: Chunk): RecordedChunk {
  const { id, score, text, ...rest } = recordedChunk(chunk);
  return {
    id,
    ...(score === undefined ? {} : { score }),
    hash: digestOf(text as string),
    ...(Object.keys(rest).length === 0 ? {} : { rest: digestOf(JSON.stringify(rest)) }),
  };
}

/** Options as JSON with sorted keys, and the paths of those that are functions. */
function withoutFunctions(given: object): { options: Record<string, unknown>; functions: string[] } {
  const functions: string[] = [];
  const copy = (group: object, path: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(group)
        .flatMap(([key, value]): [string, unknown][] => {
          if (typeof value === 'function') functions.push(`${path}${key}`);
          if (value === undefined || typeof value === 'function') return [];
          if (!isObject(value)) return [[key, value]];
          return isService(value) ? [] : [[key, copy(value, `${path}${key}.`)]];
        })
        .sort(byKey),
    );
  return { options: copy(given, ''), functions };
}

function servicesOf({ embedder, ecs, extract }: ShapingOptions, tape: Tape): RecordedServices {
  const { model, judge } = ecs || {};
  const scorer = (extract || undefined)?.scorer?.model;
  const answers = hashedAnswers(tape.answers).map(([key, value]) => [key, toJson(value)] as const);
  const failures = hashedAnswers(tape.failures);
  const own = <T>(all: readonly (readonly [string, T])[], service: keyof typeof KEYS) =>
    Object.fromEntries(all.filter(([key]) => KEYS[service].test(key)));
  const recorded = (service: keyof typeof KEYS, port: PortIdentity) => {
    const failed = own(failures, service);
    return { ...identityOf(port), ...(Object.keys(failed).length === 0 ? {} : { failures: failed }) };
  };
  const vectors = () =>
    Object.fromEntries(hashedAnswers(tape.vectors).map(([key, each]) => [key, vectorToJson(each) ?? null]));
  return {
    ...(embedder && { embedder: { ...recorded('embedder', embedder), vectors: vectors() } }),
    ...(model && { model: { ...recorded('model', model), answers: own(answers, 'model') } }),
    ...(judge && { judge: { ...recorded('judge', judge), answers: own(answers, 'judge') } }),
    ...(scorer && { scorer: { ...recorded('scorer', scorer), answers: own(answers, 'scorer') } }),
  };
}

/** The keys of a tape by the service that was asked. */
const KEYS = {
  embedder: /^embed/,
  model: /^(identify model|score|generate)/,
  judge: /^(identify )?judge/,
  scorer: /^(identify scorer|sentences)/,
};

const identityOf = ({ provider, modelId }: PortIdentity): RecordedIdentity => ({
  ...(typeof provider === 'string' ? { provider } : {}),
  ...(typeof modelId === 'string' ? { modelId } : {}),
});
