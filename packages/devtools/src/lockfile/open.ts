/** Makes a session of a lockfile: recorded answers take the place of all services. */
import {
  type Chunk,
  ContextShapingError,
  type ShapingInput,
  type ShapingOverrides,
  type ShapingSession,
} from 'context-shaping';
import { createRecordedShaper, Recording, toldError } from 'context-shaping/internal';
import { invalidInput, isObject } from 'context-shaping/kit';
import { type ContextDiff, diffContexts } from './diff.js';
import { checkDigest } from './parse.js';
import { recordContext } from './record.js';
import type { ContextLockfile } from './types.js';
import { fieldsFromJson, fromJson, vectorFromJson } from './values.js';

export interface OpenOptions {
  /** Options to change, as for `shaper.with`. Functions that the lockfile names belong here. */
  options?: ShapingOverrides | undefined;
}

export interface Replay {
  /** The recorded input, shaped by this release. To accept the changes, write it in place of the old lockfile. */
  lockfile: ContextLockfile;
  changes: ContextDiff;
  isEqual: boolean;
}

/**
 * The session that was recorded. `at()` gives the recorded report, to the bit, on the release that recorded it. It needs no
 * service: recorded answers take their place. A question that no answer was recorded for fails as a service fails: the
 * stage uses its fallback, and the report has the degradation.
 *
 * @throws ContextShapingError `invalid-input`, if the lockfile was edited: it has another digest. `invalid-options`,
 *   naming a function that has to be given again.
 */
export const openLockfile = (lockfile: ContextLockfile, open: OpenOptions = {}): ShapingSession =>
  reopen(lockfile, open).session;

/**
 * Shapes the recorded input again, with this release and with changed options if they are given, and compares.
 *
 * @throws ContextShapingError `invalid-input`, also if a service would have to be asked something that was not recorded;
 *   `invalid-options`, also for a function that has to be given again.
 */
export async function replayContext(
  lockfile: ContextLockfile,
  { signal, ...open }: OpenOptions & { signal?: AbortSignal | undefined } = {},
): Promise<Replay> {
  const { session, unasked } = reopen(lockfile, open);
  const again = await recordContext(session, { signal });
  if (unasked.count > 0) {
    throw invalidInput(
      'lockfile.answers',
      unasked.count,
      'lacks as many answers of services that this replay needs',
      'Record the context again, with these options and the services.',
    );
  }
  const changes = diffContexts(lockfile, again);
  return { lockfile: again, changes, isEqual: changes.isEqual };
}

/** A session of a lockfile, and the number of questions that had no recorded answer. */
function reopen(lockfile: ContextLockfile, { options = {} }: OpenOptions) {
  checkDigest(lockfile);
  checkFunctions(lockfile, options);
  const known = {
    vectors: mapOf(lockfile.answers.vectors, vectorFromJson),
    answers: mapOf(lockfile.answers.answers, fromJson),
  };
  const failures = mapOf(lockfile.answers.failures, toldError);
  const unasked = { count: 0 };
  // A recording that is replayed asks no service: the recorded names are enough. The stand-ins fail as the services did,
  // and the recording of the session has that too.
  const named = lockfile.services as Recording['services'];
  const standIns = new Recording(named, { ...known, failures }).replayed(unasked);
  const shaper = createRecordedShaper(givenOf(lockfile, standIns), options, new Recording(standIns, known));
  return { session: shaper.session(inputOf(lockfile)), unasked };
}

const mapOf = <From, To>(record: Record<string, From>, read: (answer: From) => To) =>
  new Map(Object.entries(record).map(([question, answer]) => [question, read(answer)]));

/** Functions that decide. Observers do not, and what `pin` returned is recorded. */
const DECIDING = ['stages', 'tokenizer', 'ecs.prompt'];

function checkFunctions({ functions }: ContextLockfile, options: object): void {
  const missing = functions.find(
    (path) =>
      DECIDING.includes(path) &&
      path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : at), options) === undefined,
  );
  if (missing === undefined) return;
  const form = missing === 'ecs.prompt' ? '{ ecs: { prompt } }' : `{ ${missing} }`;
  throw new ContextShapingError('invalid-options', {
    field: `options.${missing}`,
    value: undefined,
    is: 'was a function when this context was recorded, and a lockfile has no functions',
    remedy: `Give that function again: { options: ${form} }.`,
  });
}

/** The options of the recorded shaper, with its services and functions. */
function givenOf(
  { options, functions, pinned }: ContextLockfile,
  { embedder, model, judge }: Recording['services'],
): Record<string, unknown> {
  const { ecs } = options;
  const ids = new Set(pinned);
  const ofFunctions = {
    pin: ({ id }: Chunk) => ids.has(id),
    onReport: () => {},
    onEvict: () => {},
    onStage: () => {},
  };
  return {
    ...options,
    ...Object.fromEntries(Object.entries(ofFunctions).filter(([name]) => functions.includes(name))),
    embedder,
    ...(isObject(ecs) && { ecs: { ...ecs, model, judge } }),
  };
}

const inputOf = ({ input: { query, chunks, ranked } }: ContextLockfile): ShapingInput => ({
  query: { ...query, embedding: query.embedding === undefined ? undefined : vectorFromJson(query.embedding) },
  chunks: chunks.map((chunk) => ({
    ...chunk,
    embedding: chunk.embedding === undefined ? undefined : vectorFromJson(chunk.embedding),
    metadata: chunk.metadata && fieldsFromJson(chunk.metadata),
  })),
  ranked,
});
