/** A request to shape, as JSON: a question, chunks and options. The command line and the HTTP service share it. */
import { type Chunk, ContextShapingError, type Query } from '../../src/index.js';
import { invalidInput, isObject, type JsonObject, nearest } from '../../src/internal.js';

export interface ShapeRequest {
  query: Query;
  /** Unchecked: the core checks chunks. */
  chunks: readonly Chunk[];
  /** Unchecked: the core checks options. */
  options: JsonObject;
  /** The name of the question in messages. */
  paths: { query: string };
}

/** A question that overrides the one in the body. */
export interface QueryFlag {
  /** The flag's name in messages: `--query`. */
  name: string;
  question: string | undefined;
}

const KEYS = ['query', 'chunks', 'options'];
const SHAPE = '{ "query": "…", "chunks": [{ "id": "…", "text": "…" }] }';

/**
 * Reads a request. `null` counts as absent. The core checks the contents of chunks and options later.
 *
 * @param flag absent: only the body can have a question.
 * @throws ContextShapingError `invalid-input`, with the JSON path as its field.
 */
export function readShapeRequest(body: unknown, flag?: QueryFlag): ShapeRequest {
  if (!isObject(body)) throw invalidInput('$', body, 'must be an object', `Write ${SHAPE}.`);
  checkKeys('$', body, KEYS, '; put settings into options');
  const options = body.options ?? {};
  if (!isObject(options))
    throw invalidInput('$.options', options, 'must be an object', 'Give it as an object, or leave it out.');
  if (!Array.isArray(body.chunks)) {
    const remedy = `Write ${SHAPE}; an empty array is fine.`;
    throw invalidInput('$.chunks', body.chunks, 'must be an array', remedy);
  }
  return { ...readQuery(body, flag), chunks: body.chunks as readonly Chunk[], options };
}

function checkKeys(path: string, given: JsonObject, keys: readonly string[], more = ''): void {
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  const [like] = nearest(unknown, keys);
  const remedy = `${like === undefined ? '' : `Did you mean ${JSON.stringify(like)}? `}The keys are ${keys.join(', ')}${more}.`;
  throw invalidInput(`${path}.${unknown}`, given[unknown], 'is not a known key', remedy);
}

const QUERY_KEYS = ['text', 'embedding', 'history'];

/** The question is a string, or it is `{ text, embedding, history }`. */
function readQuery(body: JsonObject, flag: QueryFlag | undefined): Pick<ShapeRequest, 'query' | 'paths'> {
  const inner = isObject(body.query) ? body.query : undefined;
  if (inner !== undefined) checkKeys('$.query', inner, QUERY_KEYS);
  const textInBody = inner === undefined ? body.query : inner.text;
  const embedding = inner?.embedding;
  const pathInBody = inner === undefined ? '$.query' : '$.query.text';
  const paths = { query: flag?.question === undefined ? pathInBody : flag.name };
  const text = flag?.question ?? textInBody;
  if (typeof text !== 'string') {
    const remedy = `Give the question there${flag === undefined ? '' : ` or by ${flag.name}`}; an empty one is fine.`;
    throw invalidInput(paths.query, text, 'must be a string', remedy);
  }
  // The vector of another question would silently rank the chunks for that question.
  if (embedding != null && textInBody != null && text !== textInBody) {
    const problem = 'differs from the question that $.query.embedding belongs to';
    throw invalidInput(paths.query, text, problem, 'Leave out one of the two.');
  }
  const query = {
    text,
    ...(embedding == null ? {} : { embedding: embedding as ArrayLike<number> }),
    // Unchecked: the core checks the turns.
    ...(inner?.history == null ? {} : { history: inner.history as Query['history'] }),
  };
  return { query, paths };
}

/**
 * The same error with every field named as the caller wrote it: `$.chunks[3].id` for `chunks[3].id`, `$.options.k` for
 * `k`. Returns any other error unchanged.
 *
 * @param flagOf flags of the command line by the option that they set: `--k` for `k`.
 */
export function fieldsAsWritten(
  error: unknown,
  paths: ShapeRequest['paths'],
  flagOf: ReadonlyMap<string, string> = new Map(),
): unknown {
  if (!ContextShapingError.isInstance(error)) return error;
  if (error.kind === 'invalid-options') {
    return error.renamed(
      (field) => flagOf.get(field) ?? (field === 'options' ? '$.options' : `$.options.${field}`),
    );
  }
  return error.kind === 'invalid-input' ? error.renamed((field) => inputName(field, paths)) : error;
}

function inputName(field: string, paths: ShapeRequest['paths']): string {
  if (field === 'query' || field === 'query.text') return paths.query;
  return `$.${field}`;
}
