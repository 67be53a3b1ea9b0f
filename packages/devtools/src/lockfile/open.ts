/** Makes a session of a lockfile: recorded answers take the place of all services. */
import {
  type Chunk,
  ContextShapingError,
  type Query,
  type ShapingInput,
  type ShapingSession,
} from 'context-shaping';
import { createRecordedShaper, Recording, toldError } from 'context-shaping/internal';
import { invalidInput, isObject } from 'context-shaping/kit';
import { RecordedAnswers } from './answers.js';
import { checkDigest } from './parse.js';
import { hashedChunk, hashedTurn } from './record.js';
import type {
  ContextLockfile,
  OpenOptions,
  RecordedChunk,
  RecordedService,
  RecordedTurn,
  RecordedVector,
} from './types.js';
import { fieldsFromJson, fromJson, vectorFromJson } from './values.js';

/**
 * The session that was recorded. `at()` gives the recorded report, to the bit, on the release that recorded it. It needs no
 * service: recorded answers take their place. A question that no answer was recorded for fails as a service fails: the
 * stage uses its fallback, and the report has the degradation.
 *
 * @throws ContextShapingError `invalid-input`, naming what the lockfile does not have: texts, or a chunk of `input` that
 *   is not the recorded one. An edited lockfile is one as well: it has another digest. `invalid-options`, naming a function
 *   that has to be given again.
 */
export function openLockfile(lockfile: ContextLockfile, open: OpenOptions = {}): ShapingSession {
  return reopen(lockfile, open).session;
}

/**
 * A session of a lockfile, and the number of questions that had no recorded answer.
 *
 * @throws the errors of {@link openLockfile}.
 */
export function reopen(lockfile: ContextLockfile, { options = {}, services = {}, input }: OpenOptions) {
  checkDigest(lockfile);
  checkFunctions(lockfile, options);
  const { embedder, model, judge, scorer } = lockfile.services;
  // A live service is asked: its recorded answers do not count.
  const known: RecordedAnswersOf[] = [
    services.embedder ? {} : { ...embedder },
    services.model ? {} : { ...model },
    services.judge ? {} : { ...judge },
    services.scorer ? {} : { ...scorer },
  ];
  const vectors = recorded(
    known.map((each) => each.vectors),
    vectorFromJson,
  );
  const answers = recorded(
    known.map((each) => each.answers),
    fromJson,
  );
  const failures = recorded(
    known.map((each) => each.failures),
    (told) => toldError(String(told)),
  );
  // A recording that is replayed asks no service: the recorded names are enough.
  const names = { embedder, model, judge, scorer } as Services;
  const unasked = { count: 0 };
  const standIns = new Recording(names, { vectors, answers, failures }).replayed(unasked);
  const live = {
    embedder: services.embedder ?? standIns.embedder,
    model: services.model ?? standIns.model,
    judge: services.judge ?? standIns.judge,
    scorer: services.scorer ?? standIns.scorer,
  };
  // The stand-ins fail as the services did, and the recording of the session has that too.
  const recording = new Recording(live, { vectors, answers });
  const session = createRecordedShaper(givenOf(lockfile, live), options, recording).session(
    inputOf(lockfile, input),
  );
  return { session, missed: () => unasked.count };
}

type Services = Required<OpenOptions>['services'] & object;
type RecordedAnswersOf = RecordedService & { vectors?: object; answers?: object };

const recorded = <T>(all: readonly (object | undefined)[], read: (answer: unknown) => T) =>
  new RecordedAnswers(
    new Map(Object.entries(Object.assign({}, ...all)).map(([key, answer]) => [key, read(answer)])),
  );

/** Functions that decide. Observers do not, and what `pin` returned is recorded. */
const DECIDING = ['stages', 'tokenizer', 'ecs.prompt'];

function checkFunctions({ functions }: ContextLockfile, options: object): void {
  const missing = functions.find(
    (path) =>
      DECIDING.includes(path) &&
      path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : at), options) === undefined,
  );
  if (missing === undefined) return;
  throw new ContextShapingError('invalid-options', {
    field: `options.${missing}`,
    value: undefined,
    is: 'was a function when this context was recorded, and a lockfile has no functions',
    remedy: `Give that function again: { options: ${asWritten(missing)} }.`,
  });
}

const asWritten = (path: string) => (path === 'ecs.prompt' ? '{ ecs: { prompt } }' : `{ ${path} }`);

/** The options of the recorded shaper, with its services and functions. */
function givenOf(
  { options, functions, pinned }: ContextLockfile,
  { embedder, model, judge, scorer }: Services,
): Record<string, unknown> {
  const { ecs, extract } = options;
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
    ...(isObject(extract) &&
      isObject(extract.scorer) && { extract: { ...extract, scorer: { ...extract.scorer, model: scorer } } }),
  };
}

function inputOf(
  { texts, input: recordedInput }: ContextLockfile,
  input: ShapingInput | undefined,
): ShapingInput {
  const { query, chunks, ranked } = recordedInput;
  if (texts === 'none' || (texts === 'hashed' && input === undefined)) {
    throw invalidInput(
      'lockfile.texts',
      texts,
      texts === 'none' ? 'shows that only a report was recorded' : 'shows that the lockfile has no texts',
      texts === 'none'
        ? 'Record the result, the session, or the report in the process that made it.'
        : 'Give the input too: { input: { query, chunks } }.',
    );
  }
  return {
    query: {
      ...query,
      embedding: vectorOf(query.embedding),
      history: query.history && sameTurns(query.history, input?.query),
    },
    chunks: texts === 'full' ? chunks.map(toChunk) : sameChunks(chunks, (input as ShapingInput).chunks),
    ranked,
  };
}

const vectorOf = (embedding: RecordedVector | undefined) =>
  embedding === undefined ? undefined : vectorFromJson(embedding);

/** The turns with their texts. Hashed turns are replaced by the given ones, which must have the recorded hashes. */
function sameTurns(recorded: readonly RecordedTurn[], given: Query | string | undefined): Query['history'] {
  if (recorded.every(({ text }) => text !== undefined)) return recorded as Query['history'];
  const history = (typeof given === 'object' && given.history) || [];
  if (JSON.stringify(history.map(hashedTurn)) === JSON.stringify(recorded)) return history;
  throw invalidInput(
    'input.query.history',
    history.length,
    `must be the ${recorded.length} turns that were recorded`,
    'Give the conversation before the recorded question, oldest turn first.',
  );
}

const toChunk = ({ id, score, text, rendered, embedding, metadata }: RecordedChunk): Chunk => ({
  id,
  text: text as string,
  score,
  rendered,
  embedding: vectorOf(embedding),
  metadata: metadata && fieldsFromJson(metadata),
});

/** The given chunks, if their hashes are the recorded ones. */
function sameChunks(hashed: readonly RecordedChunk[], given: readonly Chunk[]): readonly Chunk[] {
  if (given.length !== hashed.length) {
    throw invalidInput(
      'input.chunks',
      given.length,
      `must be the ${hashed.length} chunks that were recorded`,
      'Give the chunks of the recorded call, in its order.',
    );
  }
  for (const [index, chunk] of given.entries()) {
    const [own, was] = [hashedChunk(chunk), hashed[index] as RecordedChunk];
    for (const field of ['id', 'hash', 'score', 'rest'] as const) {
      if (own[field] === was[field]) continue;
      throw invalidInput(
        `input.chunks[${index}]`,
        chunk.id,
        `is not the recorded chunk ${JSON.stringify(was.id)}: ${DIFFERS[field]}`,
        'Give the recorded chunk, or record the context again.',
      );
    }
  }
  return given;
}

const DIFFERS = {
  id: 'its id is another',
  hash: 'its text is another',
  score: 'its score is another',
  rest: 'its rendered text, its vector or its metadata are others',
};
