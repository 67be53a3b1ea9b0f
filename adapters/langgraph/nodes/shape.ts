/** The beginning of a run, and each shaping of new documents. */
import { Send } from '@langchain/langgraph';
import type { Chunk, Degradation, Query } from '../../../src/index.js';
import { defined, invalidInput, support } from '../../../src/internal.js';
import { checkThresholds } from '../../crag/index.js';
import { emitEvicted } from '../../langchain/documents/index.js';
import { conflictsAmong } from '../conflicts.js';
import { isVetoed, withCopies, withPinned } from '../kept.js';
import { chunksOf, documentsOf, emitStep, queryOf, type Run } from '../run.js';
import { fresh, type GradeTask, type KeptChunk, type State, type Update } from '../state.js';

/** Checks the input, and resets the state that an earlier run of the same thread left. */
export function begin(state: State, run: Run): Update {
  const { query } = state;
  const remedy =
    'Give the graph { query, documents }. If the keys of the parent have other names, call the graph inside a node: crag.invoke({ query, documents }).';
  const text: unknown = typeof query === 'string' ? query : query?.text;
  if (typeof text !== 'string')
    throw invalidInput('query', query, 'must be a string, or an object with the string text', remedy);
  checkThresholds(run.thresholds, 'context.crag.thresholds.lower');
  const { documents }: { documents: unknown } = state;
  if (!Array.isArray(documents))
    throw invalidInput('documents', documents, 'must be an array of documents', remedy);
  const chunks = chunksOf({ documents, found: [] }, run);
  return { ...fresh(text, [...chunks.keys()]), verdict: 'incorrect', grades: null, query: plain(query) };
}

/** Checkpoints do not keep typed arrays. */
function plain(query: Query | string): Query | string {
  const embedding = typeof query === 'string' ? undefined : query.embedding;
  return ArrayBuffer.isView(embedding)
    ? { ...(query as Query), embedding: Array.from(embedding as never) }
    : query;
}

/** Shapes the documents that were not shaped yet: the retrieved ones, or those that a search found. */
export async function shape(state: State, run: Run): Promise<Update> {
  const { update, found, todo: added, path } = await takeResult(state, run);
  const chunks = chunksOf({ ...state, found }, run);
  const pins = { ...state.pins, vetoed: withCopies(state.pins.vetoed, state.pins.pinned, chunks) };
  const todo = added.filter((place) => !isVetoed({ pins }, place));
  // The first shaping runs also without documents, because it makes the report.
  if (todo.length === 0 && state.rounds.length > 0) return { ...update, pins, path };
  const shaped = await run.shaper.shape({
    query: queryOf(state),
    chunks: todo.map((place) => chunks[place] as Chunk),
    ranked: true,
    signal: run.config.signal,
  });
  await emitEvicted(shaped.report, run.config);
  // Support is measured on the text that the model would see, among all documents of this shaping.
  const texts = todo.map((place): { text: string; title?: string | undefined } => ({
    text: (chunks[place] as Chunk).text,
  }));
  for (const { index, text, sources } of shaped.chunks) texts[index] = { text, title: sources[0]?.title };
  const supports = support(state.question, texts);
  const kept = shaped.chunks.map(
    ({ index, id, text, excerpts, sanitised, superseded, sources, tokens }, at): KeptChunk => ({
      ...{ place: todo[index] as number, id, text, sources, tokens, support: supports[index] as number },
      ...defined({ excerpts, sanitised, superseded, utility: shaped.report.kept[at]?.utility }),
    }),
  );
  const rounds = [...state.rounds, { places: todo, report: shaped.report }];
  const all = withPinned([...state.kept, ...kept], state.pins.pinned, chunks, { rounds });
  const mayDiffer = rounds.length > 1 || shaped.report.conflicts.length > 0;
  const across = mayDiffer ? await conflictsAmong(all, { ...state, found }, run) : state.across;
  return {
    ...update,
    pins,
    todo: [],
    kept: all,
    across,
    rounds,
    path: [...path, 'shape', ...(kept.length > 0 ? ['grade'] : [])],
  };
}

/**
 * One `grade` step for each batch of chunks without a grade; `decide` if all chunks have one. With a concurrency of one
 * it is one batch: LangGraph would end the step after its first task, and `decide` asks for the next batch.
 */
export function toGrade(state: State, { grader, config: { maxConcurrency } }: Run): Send[] | 'decide' {
  const ungraded = state.kept.filter(
    ({ place }) => state.grades[place] === undefined && !state.pins.pinned.includes(place),
  );
  if (ungraded.length === 0) return 'decide';
  const documents = documentsOf(state);
  const requests = ungraded.map(({ place, id, text, support, utility }) => ({
    query: state.question,
    place,
    id,
    text,
    metadata: documents[place]?.metadata ?? {},
    support,
    ...defined({ utility }),
  }));
  const size = Math.min(grader.batchSize ?? 1, requests.length);
  const count = maxConcurrency === 1 ? 1 : Math.ceil(requests.length / size);
  const batches = Array.from({ length: count }, (_, at) => requests.slice(at * size, (at + 1) * size));
  return batches.map((batch) => new Send('grade', { requests: batch } satisfies GradeTask));
}

/** Adds the new documents of a search result to the documents of the run. */
async function takeResult(
  state: State,
  run: Run,
): Promise<{ update: Update; found: State['found']; todo: number[]; path: string[] }> {
  const { result, found: known, todo, path } = state;
  if (result === null) return { update: {}, found: known, todo, path };
  const seen = new Set(documentsOf(state).map(identityOf));
  const fresh = result.documents.filter((document) => {
    const isNew = !seen.has(identityOf(document));
    seen.add(identityOf(document));
    return isNew;
  });
  const found = [...known, ...fresh.map((document) => ({ document, origin: 'web' as const }))];
  const entry = {
    query: result.search,
    found: fresh.length,
    ...defined({ failure: result.failure }),
  };
  await emitStep({ step: 'search', ...entry }, run);
  const message = `The search failed. ${result.failure}`;
  const failure: Degradation = { stage: 'search', code: 'search-failed', message };
  const first = state.documents.length + known.length;
  return {
    update: {
      found,
      result: null,
      searches: [...state.searches, entry],
      degradations: [...state.degradations, ...(result.failure === undefined ? [] : [failure])],
    },
    found,
    todo: fresh.map((_, at) => first + at),
    path: [...path, 'search'],
  };
}

const identityOf = ({ id, pageContent }: { id?: string; pageContent: string }) =>
  `${id ?? ''}\n${pageContent}`;
