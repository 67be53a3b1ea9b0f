/** Writes down what a context came from. */
import type {
  Chunk,
  Query,
  ShapingInput,
  ShapingOptions,
  ShapingReport,
  ShapingResult,
  ShapingSession,
} from 'context-shaping';
import { type Inside, insideOf, isService, type Recording, sessionOf } from 'context-shaping/internal';
import { digestOf, invalidInput, isObject, LIBRARY, pinTest, tellingOf } from 'context-shaping/kit';
import { hashedAnswers } from './answers.js';
import { type ContextLockfile, LOCKFILE_VERSION, type RecordedTurn } from './types.js';
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
  if (session !== undefined && inside !== undefined) {
    const { report } = await session.at({}, { signal: signal ?? inside.input.signal });
    return lockfileOf(inside, report, texts);
  }
  if (isObject(of) && Array.isArray(of.kept) && Array.isArray(of.input)) return recordedReport(of as never);
  throw invalidInput(
    'of',
    of,
    'must be a session, a report, or a result that this process made',
    'Give shaper.session(input), or the result of shape itself and no copy of it.',
  );
}

/** A lockfile of a report alone. */
export const recordedReport = (report: ShapingReport): ContextLockfile =>
  asLockfile('none', report, {
    input: { query: { text: report.query }, chunks: report.input.map((id) => ({ id })) },
    options: toJson(report.options) as Record<string, unknown>,
    functions: [],
    services: {},
  });

function lockfileOf(
  { input, given, recording }: Inside,
  report: ShapingReport,
  texts: 'full' | 'hashed',
): ContextLockfile {
  const { options, functions } = withoutFunctions(given);
  const isPinned = typeof given.pin === 'function' ? pinTest(given.pin) : undefined;
  return asLockfile(texts, report, {
    input: inputOf(input, texts),
    options,
    functions: functions.sort(),
    pinned: isPinned && [...new Set(input.chunks.filter(isPinned).map(({ id }) => id))],
    services: servicesOf(given, recording),
  });
}

/**
 * A copy as JSON: a lockfile in memory and one from a file are equal. Times and the usage of services are 0, because
 * they differ in each run. The digest of the report does not cover them.
 */
function asLockfile(texts: ContextLockfile['texts'], report: ShapingReport, origin: object): ContextLockfile {
  const usage = { requests: 0 };
  const lockfile = {
    lockfileVersion: LOCKFILE_VERSION,
    library: LIBRARY,
    texts,
    ...origin,
    report: {
      ...report,
      stages: report.stages.map((stage) => ({ ...stage, milliseconds: 0 })),
      ...(report.ecs && { ecs: { ...report.ecs, usage } }),
      ...(report.sentences && { sentences: { ...report.sentences, usage } }),
    },
  };
  return sealLockfile(JSON.parse(JSON.stringify(lockfile)));
}

/** Returns a copy of a lockfile with the digest of its content, for programs that changed it: to leave out a part, say. */
export function sealLockfile({
  digest: _,
  ...lockfile
}: Omit<ContextLockfile, 'digest'> & { digest?: string }): ContextLockfile {
  return { ...lockfile, digest: digestOf(JSON.stringify(lockfile)) };
}

function inputOf({ query, chunks, ranked }: ShapingInput, texts: 'full' | 'hashed') {
  const { text, answer, embedding, history }: Query = typeof query === 'string' ? { text: query } : query;
  return {
    query: {
      text,
      answer: answer ?? undefined,
      embedding: embedding ? vectorToJson(embedding) : undefined,
      history: history?.length ? history.map(texts === 'full' ? recordedTurn : hashedTurn) : undefined,
    },
    chunks: texts === 'full' ? chunks.map(recordedChunk) : chunks.map(hashedChunk),
    ranked,
  };
}

const recordedTurn = ({ role, text }: Turn): RecordedTurn => ({ role, text });
export const hashedTurn = ({ role, text }: Turn): RecordedTurn => ({ role, hash: digestOf(text) });

const recordedChunk = ({ id, score, text, rendered, embedding, metadata }: Chunk) => ({
  id,
  score: score ?? undefined,
  text,
  rendered: rendered ?? undefined,
  embedding: embedding ? vectorToJson(embedding) : undefined,
  metadata: metadata ? fieldsToJson(metadata) : undefined,
});

/** Metadata with one key that begins with `$` is no value of another type. */
const fieldsToJson = (metadata: object) =>
  Object.fromEntries(
    Object.entries(metadata)
      .map(([key, value]) => [key, toJson(value)] as [string, unknown])
      .filter(([, value]) => value !== undefined)
      .sort(byKey),
  );

/** The chunk with hashes in place of its contents. */
export function hashedChunk(chunk: Chunk) {
  const { id, score, text, ...others } = recordedChunk(chunk);
  const rest = JSON.stringify(others);
  return { id, score, hash: digestOf(text), rest: rest === '{}' ? undefined : digestOf(rest) };
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

/** The answers of services, and their failures as the report tells them. */
function servicesOf({ embedder, ecs, extract, errorMessages = false }: ShapingOptions, recording: Recording) {
  const { model, judge } = ecs || {};
  const scorer = (extract || undefined)?.scorer?.model;
  const vectors = hashedAnswers(recording.vectors, vectorToJson);
  const answers = hashedAnswers(recording.answers, toJson);
  const failures = hashedAnswers(recording.failures, tellingOf({ errorMessages }));
  const recorded = (
    port: { provider?: string | undefined; modelId?: string | undefined } | undefined,
    known: object,
    own: RegExp,
  ) => {
    const of = (all: object) => Object.fromEntries(Object.entries(all).filter(([key]) => own.test(key)));
    const failed = of(failures);
    return (
      port && {
        provider: port.provider,
        modelId: port.modelId,
        failures: Object.keys(failed).length === 0 ? undefined : failed,
        [known === vectors ? 'vectors' : 'answers']: of(known),
      }
    );
  };
  return {
    embedder: recorded(embedder, vectors, /^(embed|query|document)/),
    model: recorded(model, answers, /^(identify model|score|generate)/),
    judge: recorded(judge, answers, /^(identify )?judge/),
    scorer: recorded(scorer, answers, /^(identify scorer|sentences)/),
  };
}
