/** The body of a request: a question, chunks and options. */
import { type Chunk, ContextShapingError, type Query } from '../../src/index.js';
import { isObject, type JsonObject } from './objects.js';

export interface Body {
  query: Query;
  /** As they came: the core checks them. */
  chunks: readonly Chunk[];
  options: JsonObject;
  /** Where the question and its vector stood, for messages. */
  paths: { query: string; embedding: string };
}

/** Where the host takes a question from besides the body. It goes over the body's. */
export interface Elsewhere {
  /** What its users call it, for messages: `--query`. */
  name: string;
  question: string | undefined;
}

const KEYS = ['query', 'queryEmbedding', 'chunks', 'options'];
const SHAPE = '{ "query": "…", "chunks": [{ "id": "…", "text": "…" }] }';

/**
 * Takes a body apart. `null` counts as absent. What chunks and options look like inside is left to the
 * core, which checks them anyway.
 *
 * @param elsewhere absent: the question can stand in the body only.
 * @throws ContextShapingError `invalid-input`, naming the JSON path.
 */
export function readBody(body: unknown, elsewhere?: Elsewhere): Body {
  if (!isObject(body)) throw invalid('$', body, 'must be an object', `Write ${SHAPE}.`);
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw invalid(
      `$.${unknown}`,
      body[unknown],
      'is not known',
      `A body has ${KEYS.join(', ')}; settings go into options.`,
    );
  }
  const options = body.options ?? {};
  if (!isObject(options))
    throw invalid('$.options', options, 'must be an object', 'Give it as an object, or leave it out.');
  if (!Array.isArray(body.chunks)) {
    throw invalid('$.chunks', body.chunks, 'must be an array', `Write ${SHAPE}; an empty array is fine.`);
  }
  return { ...readQuery(body, elsewhere), chunks: body.chunks as readonly Chunk[], options };
}

/** The question as a string beside `queryEmbedding`, or as `{ text, embedding }`. */
function readQuery(body: JsonObject, elsewhere: Elsewhere | undefined): Pick<Body, 'query' | 'paths'> {
  const inner = isObject(body.query) ? body.query : undefined;
  const stray = Object.keys(inner ?? {}).find((key) => key !== 'text' && key !== 'embedding');
  if (inner !== undefined && stray !== undefined) {
    throw invalid(`$.query.${stray}`, inner[stray], 'is not known', 'A query has text and embedding.');
  }
  if (inner?.embedding != null && body.queryEmbedding != null) {
    throw invalid(
      '$.queryEmbedding',
      body.queryEmbedding,
      'is there besides $.query.embedding',
      'Give the vector once.',
    );
  }
  const written = inner === undefined ? body.query : inner.text;
  const embedding = inner?.embedding ?? body.queryEmbedding;
  const inBody = inner === undefined ? '$.query' : '$.query.text';
  const paths = {
    query: elsewhere?.question === undefined ? inBody : elsewhere.name,
    embedding: inner?.embedding == null ? '$.queryEmbedding' : '$.query.embedding',
  };
  const text = elsewhere?.question ?? written;
  if (typeof text !== 'string') {
    throw invalid(
      paths.query,
      text,
      'must be a string',
      `Give the question there${elsewhere === undefined ? '' : ` or by ${elsewhere.name}`}; an empty one is fine.`,
    );
  }
  // The vector of another question would rank the chunks for that one, and nobody would notice.
  if (embedding != null && written != null && text !== written) {
    throw invalid(
      paths.query,
      text,
      `is not the question that ${paths.embedding} belongs to`,
      'Leave out one of the two.',
    );
  }
  return { query: embedding == null ? { text } : { text, embedding: embedding as ArrayLike<number> }, paths };
}

function invalid(field: string, value: unknown, is: string, remedy: string): ContextShapingError {
  return new ContextShapingError('invalid-input', { field, value, is, remedy });
}
