/** Makes a session of a lockfile: recorded answers take the place of all services. */
import {
  type Chunk,
  ContextShapingError,
  type Query,
  type ShapingInput,
  type ShapingOverrides,
  type ShapingSession,
} from '../../src/index.js';
import { createShaperOnTape, invalidInput, isObject, overridden, Tape } from '../../src/internal.js';
import { RecordedAnswers } from './answers.js';
import { hashedChunk, hashedTurn } from './record.js';
import { Misses } from './stand-ins.js';
import type { ContextLockfile, OpenOptions, RecordedChunk, RecordedServices, RecordedTurn } from './types.js';
import { fromJson, vectorFromJson } from './values.js';

/**
 * The session that was recorded. `at()` gives the recorded report, to the bit, on the release that recorded it. It needs no
 * service: recorded answers take their place. A question that no answer was recorded for fails as a service fails: the
 * stage uses its fallback, and the report has the degradation.
 *
 * @throws ContextShapingError `invalid-input`, naming what the lockfile does not have: texts, or a chunk of `input` that
 *   is not the recorded one; `invalid-options`, naming a function that has to be given again.
 */
export function openLockfile(lockfile: ContextLockfile, open: OpenOptions = {}): ShapingSession {
  return reopen(lockfile, open).session;
}

/** A session of a lockfile, and the number of questions that had no recorded answer. */
export interface Reopened {
  session: ShapingSession;
  missed(): number;
}

/** @throws the errors of {@link openLockfile}. */
export function reopen(
  lockfile: ContextLockfile,
  { options = {}, services = {}, input }: OpenOptions,
): Reopened {
  checkFunctions(lockfile, options);
  const { embedder, model, judge, scorer } = lockfile.services;
  const misses = new Misses();
  const standIns = {
    embedder: services.embedder ?? (embedder && misses.embedder(embedder)),
    model: services.model ?? (model && misses.model(model)),
    judge: services.judge ?? (judge && misses.judge(judge)),
    scorer: services.scorer ?? (scorer && misses.scorer(scorer)),
  };
  // A live service is asked: its recorded answers do not count.
  const vectors = services.embedder === undefined ? embedder?.vectors : undefined;
  const answers = {
    ...(services.model === undefined ? model?.answers : undefined),
    ...(services.judge === undefined ? judge?.answers : undefined),
    ...(services.scorer === undefined ? scorer?.answers : undefined),
  };
  const tape = new Tape(false, {
    vectors: recorded(vectors, vectorFromJson),
    answers: recorded(answers, fromJson),
    // The stand-ins fail as the services did, and the tape notes it.
    failures: new Map(),
  });
  const given = overridden(givenOf(lockfile, standIns), options);
  const session = createShaperOnTape(given, tape).session(inputOf(lockfile, input));
  return { session, missed: () => misses.count };
}

const recorded = <T>(answers: Readonly<Record<string, unknown>> = {}, read: (answer: unknown) => T) =>
  new RecordedAnswers(new Map(Object.entries(answers).map(([key, answer]) => [key, read(answer)])));

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

/** The functions among options that decide: what a lockfile cannot have. */
export function decidingFunctions({ stages, tokenizer, ecs }: ShapingOverrides = {}): ShapingOverrides {
  const prompt = ecs ? ecs.prompt : undefined;
  return {
    ...(stages == null ? {} : { stages }),
    ...(typeof tokenizer === 'function' ? { tokenizer } : {}),
    ...(prompt === undefined ? {} : { ecs: { prompt } as ShapingOverrides['ecs'] }),
  };
}

const asWritten = (path: string) => (path === 'ecs.prompt' ? '{ ecs: { prompt } }' : `{ ${path} }`);

/** The options of the recorded shaper, with its services and functions. */
function givenOf(
  { options, functions, pinned }: ContextLockfile,
  { embedder, model, judge, scorer }: Readonly<Record<keyof RecordedServices, unknown>>,
): Record<string, unknown> {
  const { ecs, extract } = options;
  const ids = new Set(pinned);
  const stubs: Record<string, unknown> = {
    pin: ({ id }: Chunk) => ids.has(id),
    onReport: () => {},
    onEvict: () => {},
    onStage: () => {},
  };
  return {
    ...options,
    ...Object.fromEntries(functions.flatMap((name) => (name in stubs ? [[name, stubs[name]]] : []))),
    ...(embedder === undefined ? {} : { embedder }),
    ...(isObject(ecs)
      ? {
          ecs: {
            ...ecs,
            ...(model === undefined ? {} : { model }),
            ...(judge === undefined ? {} : { judge }),
          },
        }
      : {}),
    ...(isObject(extract) && isObject(extract.scorer) && scorer !== undefined
      ? { extract: { ...extract, scorer: { ...extract.scorer, model: scorer } } }
      : {}),
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
  const embedding = query.embedding === undefined ? {} : { embedding: vectorFromJson(query.embedding) };
  const history = query.history === undefined ? {} : { history: sameTurns(query.history, input?.query) };
  return {
    query: { ...query, ...embedding, ...history } as Query,
    chunks: texts === 'full' ? chunks.map(toChunk) : sameChunks(chunks, (input as ShapingInput).chunks),
    ...(ranked === undefined ? {} : { ranked }),
  };
}

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

function toChunk({ id, score, text, rendered, embedding, metadata }: RecordedChunk): Chunk {
  return {
    id,
    text: text as string,
    ...(score === undefined ? {} : { score }),
    ...(rendered === undefined ? {} : { rendered }),
    ...(embedding === undefined ? {} : { embedding: vectorFromJson(embedding) }),
    ...(metadata === undefined
      ? {}
      : {
          metadata: Object.fromEntries(
            Object.entries(metadata).map(([key, value]) => [key, fromJson(value)]),
          ),
        }),
  };
}

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
