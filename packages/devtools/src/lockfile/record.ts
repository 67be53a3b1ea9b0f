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
import { type ContextLockfile, LOCKFILE_VERSION } from './types.js';
import { fieldsToJson, toJson, vectorToJson } from './values.js';

/**
 * Records a context: input, options, what services answered, and the report. It shapes once more. Services are asked only
 * for answers that the session does not have.
 *
 * @param of a session; a result of this process; or the report of an `onReport` call, during that call.
 * @throws ContextShapingError `invalid-input`, if `of` is anything else, such as the copy of a result.
 * @throws the errors of `session.at`.
 */
export async function recordContext(
  of: ShapingSession | ShapingResult | ShapingReport,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ContextLockfile> {
  const session = insideOf(of ?? {}) === undefined ? sessionOf(of ?? {}) : (of as ShapingSession);
  const inside = session && insideOf(session);
  if (session === undefined || inside === undefined) {
    throw invalidInput(
      'of',
      of,
      'must be a session, or a result or report that this process just made',
      'Give shaper.session(input), or the result of shape itself and no copy of it.',
    );
  }
  const { report } = await session.at({}, { signal: signal ?? inside.input.signal });
  return lockfileOf(inside, report);
}

/**
 * A copy as JSON: a lockfile in memory and one from a file are equal. Times and the usage of services are 0, because
 * they differ in each run. The digest of the report does not cover them.
 */
function lockfileOf({ input, given, recording }: Inside, report: ShapingReport): ContextLockfile {
  const { options, functions } = withoutFunctions(given);
  const isPinned = typeof given.pin === 'function' ? pinTest(given.pin) : undefined;
  const usage = { requests: 0 };
  const lockfile = {
    lockfileVersion: LOCKFILE_VERSION,
    library: LIBRARY,
    input: inputOf(input),
    options,
    functions: functions.sort(),
    pinned: isPinned && [...new Set(input.chunks.filter(isPinned).map(({ id }) => id))],
    services: namesOf(recording.services),
    answers: answersOf(recording, given),
    report: {
      ...report,
      stages: report.stages.map((stage) => ({ ...stage, milliseconds: 0 })),
      ...(report.ecs && { ecs: { ...report.ecs, usage } }),
    },
  };
  return sealed(JSON.parse(JSON.stringify(lockfile)));
}

/** The lockfile with the digest of its content. */
export function sealed({ digest: _, ...lockfile }: Omit<ContextLockfile, 'digest'> & { digest?: string }) {
  return { ...lockfile, digest: digestOf(JSON.stringify(lockfile)) };
}

function inputOf({ query, chunks, ranked }: ShapingInput) {
  const { text, answer, embedding, history }: Query = typeof query === 'string' ? { text: query } : query;
  return {
    query: {
      text,
      answer: answer ?? undefined,
      embedding: embedding ? vectorToJson(embedding) : undefined,
      history: history?.length ? history.map((turn) => ({ role: turn.role, text: turn.text })) : undefined,
    },
    chunks: chunks.map(recordedChunk),
    ranked,
  };
}

const recordedChunk = ({ id, score, text, rendered, embedding, metadata }: Chunk) => ({
  id,
  score: score ?? undefined,
  text,
  rendered: rendered ?? undefined,
  embedding: embedding ? vectorToJson(embedding) : undefined,
  metadata: metadata ? fieldsToJson(metadata) : undefined,
});

/** Options as JSON, and the paths of those that are functions. */
function withoutFunctions(given: object): { options: Record<string, unknown>; functions: string[] } {
  const functions: string[] = [];
  const copy = (group: object, path: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(group).flatMap(([key, value]): [string, unknown][] => {
        if (typeof value === 'function') functions.push(`${path}${key}`);
        if (value === undefined || typeof value === 'function') return [];
        if (!isObject(value)) return [[key, value]];
        return isService(value) ? [] : [[key, copy(value, `${path}${key}.`)]];
      }),
    );
  return { options: copy(given, ''), functions };
}

const namesOf = (services: Recording['services']) =>
  Object.fromEntries(
    Object.entries(services).map(([name, service]) => [
      name,
      service && { provider: service.provider, modelId: service.modelId },
    ]),
  );

/** The answers in the order of the questions, since services may be asked in any order; failures as the report tells them. */
function answersOf({ vectors, answers, failures }: Recording, { errorMessages = false }: ShapingOptions) {
  const all = <T>(known: ReadonlyMap<string, T>, json: (answer: T) => unknown) =>
    Object.fromEntries(
      [...known.keys()].sort().map((question) => [question, json(known.get(question) as T) ?? null]),
    );
  return {
    vectors: all(vectors, vectorToJson),
    answers: all(answers, (answer) => toJson(answer)),
    failures: all(failures, tellingOf({ errorMessages })),
  };
}
