import { ContextShapingError, invalidInput } from '../errors.js';
import { packVector } from '../math/vectors.js';
import { defined } from '../runtime/defined.js';
import type { ShapingQuery } from '../stage.js';
import type { Candidate, Chunk, Claim, Query, Signals, Source } from '../types.js';
import { at, located, type Metadata, type Path, parsed, parsedAll, scalar } from './metadata-path.js';
import { pathOfPreference, type ResolvedOptions } from './options.js';
import { isObject } from './parse-options.js';

/** The greatest cosine, with its rounding. */
const GREATEST_COSINE = 1 + 1e-6;

/** The signals before any stage has run. The stage `annotate` counts the tokens. */
const UNMEASURED: Signals = Object.freeze({ tokens: 0 });

/**
 * Converts an input that {@link checkInput} lets through to frozen candidates. It reads the caller's objects, never
 * writes to them, and does not keep them.
 *
 * @throws ContextShapingError `invalid-input`, with the path of the first vector, id or namespace that is wrong;
 *   and of a score that is no cosine though `scores` says so; `invalid-options`, if the function `pin` returns anything but true or false.
 */
export function toCandidates(
  input: { query: Query | string; chunks: readonly Chunk[] },
  options: Pick<
    ResolvedOptions,
    'fields' | 'namespace' | 'pin' | 'scores' | 'trust' | 'stages' | 'conflicts'
  >,
): { query: ShapingQuery; candidates: Candidate[] } {
  const query = toQuery(input.query);
  const isPinned = pinTest(options.pin);
  const fields = parsedFields(options.fields);
  const namespace = options.namespace == null ? undefined : parsed(options.namespace);
  const preferred = pathOfPreference(options.conflicts);
  const tierOf = tiersOf(options.trust);
  const valuePath = preferred === undefined ? undefined : parsed(preferred);
  const textOfId = new Map<string, { text: string; index: number }>();
  let dimension = query.vector && { of: query.vector.length, field: 'query.embedding' };
  // Read at once, because the caller may change its chunks between two steps.
  const given = Array.from(input.chunks, (whole) => {
    const { id, text, rendered, score, embedding, metadata } = whole;
    return { whole, id, text, rendered, score, embedding, metadata };
  });
  const candidates = given.map((chunk, index): Candidate => {
    const field = `chunks[${index}]`;
    const first = textOfId.get(chunk.id);
    if (first !== undefined && first.text !== chunk.text) {
      throw invalidInput(
        `${field}.id`,
        chunk.id,
        (name) => `is also the id of ${name(`chunks[${first.index}]`)}, which has a different text`,
        'Give each distinct text its own id.',
      );
    }
    if (first === undefined) textOfId.set(chunk.id, { text: chunk.text, index });
    if (options.scores === 'cosine' && chunk.score != null && Math.abs(chunk.score) > GREATEST_COSINE) {
      throw invalidInput(
        `${field}.score`,
        chunk.score,
        'is no cosine, but the option scores says so',
        'Give cosines from -1 to 1, or leave out scores.',
      );
    }
    const vector =
      chunk.embedding == null ? undefined : packVector(chunk.embedding, `${field}.embedding`, dimension);
    if (vector !== undefined) dimension ??= { of: vector.length, field: `${field}.embedding` };
    const metadata: Metadata = chunk.metadata ?? {};
    const source = sourceOf(chunk.id, metadata, fields);
    return Object.freeze({
      index,
      id: chunk.id,
      text: chunk.text,
      rendered: chunk.rendered ?? chunk.text,
      ...(chunk.score == null ? {} : { score: chunk.score }),
      sources: Object.freeze([source]) as Candidate['sources'],
      claims: Object.freeze([claimOf(source, metadata, fields, valuePath)]),
      namespace: namespace === undefined ? '' : namespaceOf(metadata, namespace, field),
      pinned: isPinned(chunk.whole),
      ...(options.trust.length === 0 ? {} : { tier: tierOf(scalar(metadata, fields.trust)) }),
      ...(vector === undefined ? {} : { vector }),
      // The stages of this package have no use for it.
      ...(options.stages === undefined || chunk.metadata == null
        ? {}
        : { metadata: Object.freeze({ ...chunk.metadata }) }),
      conflicts: [],
      signals: UNMEASURED,
    });
  });
  return { query, candidates };
}

function toQuery(given: Query | string): ShapingQuery {
  const { text, answer, embedding, history }: Query = typeof given === 'string' ? { text: given } : given;
  return {
    text,
    ...(answer == null ? {} : { answer: answer.trim() }),
    ...(embedding == null ? {} : { vector: packVector(embedding, 'query.embedding') }),
    ...(history == null || history.length === 0
      ? {}
      : {
          history: Object.freeze(history.map(({ role, text }) => Object.freeze({ role, text }))),
        }),
  };
}

/** A copy of an unchecked query: a program appends to its list of turns while sessions of earlier queries live on. */
export function ownQuery(query: Query | string): Query | string {
  const turns: unknown = (query as Query | undefined)?.history;
  return Array.isArray(turns)
    ? { ...(query as Query), history: turns.map((turn) => (isObject(turn) ? { ...turn } : turn)) }
    : query;
}

/**
 * The test that the option `pin` stands for.
 *
 * @returns a function that throws ContextShapingError `invalid-options` if a `pin` function returns no boolean.
 */
export function pinTest(pin: ResolvedOptions['pin']): (chunk: Chunk) => boolean {
  if (typeof pin === 'function') {
    return (chunk) => {
      const pinned: unknown = pin(chunk);
      if (typeof pinned === 'boolean') return pinned;
      throw new ContextShapingError('invalid-options', {
        field: 'pin',
        value: pinned,
        is: 'must return true or false',
        remedy: 'Give a synchronous function that returns whether a chunk is pinned.',
      });
    };
  }
  const ids = new Set(pin);
  return (chunk) => ids.has(chunk.id);
}

type Fields = ReturnType<typeof parsedFields>;
const parsedFields = ({ source, position, title, speaker, date, trust }: ResolvedOptions['fields']) => ({
  source: parsedAll(source),
  position: parsedAll(position),
  title: parsedAll(title),
  speaker: parsedAll(speaker),
  date: parsedAll(date),
  trust: parsedAll(trust),
});

function sourceOf(id: string, metadata: Metadata, fields: Fields): Source {
  const position = Number(scalar(metadata, fields.position));
  const named = {
    source: scalar(metadata, fields.source),
    title: scalar(metadata, fields.title),
    speaker: scalar(metadata, fields.speaker),
    date: scalar(metadata, fields.date),
  };
  const source: Source = { id };
  for (const [key, value] of Object.entries(named) as [keyof typeof named, string | undefined][]) {
    if (value !== undefined) source[key] = value;
  }
  if (Number.isFinite(position)) source.position = position;
  return Object.freeze(source);
}

const VERSION = [parsed('version')];

function claimOf(source: Source, metadata: Metadata, { date }: Fields, path: Path | undefined): Claim {
  const value = path === undefined ? undefined : at(metadata, path);
  return Object.freeze({
    source,
    ...defined({
      datePath: located(metadata, date)?.path,
      version: scalar(metadata, VERSION),
      value: typeof value === 'number' ? value : path && scalar(metadata, [path]),
    }),
  });
}

/** The tier for all values that no other tier names. */
const OTHERS = '*';

/** Returns a function from a value to the index of its tier, else of the tier `*`, else the number of tiers (trusted least). */
function tiersOf(tiers: ResolvedOptions['trust']): (value: string | undefined) => number {
  const places = new Map<string | undefined, number>(tiers.map(({ value }, place) => [value, place]));
  return (value) => places.get(value) ?? places.get(OTHERS) ?? tiers.length;
}

/** Returns a namespace that is equal for equal values of one type. It is '' for chunks without a value. */
function namespaceOf(metadata: Metadata, path: Path, field: string): string {
  const value = at(metadata, path);
  if (value === undefined || value === null) return '';
  if (value instanceof Date) return `date:${value.getTime()}`;
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return `${typeof value}:${value}`;
  throw invalidInput(
    `${field}.metadata.${path.name}`,
    value,
    'must be a string, number, boolean or date, because it is the namespace',
    'Point namespace at a plain value: only plain values can be compared reliably.',
  );
}
