/** Reports options and fields that have no effect on a call: mostly a misspelt name. */
import type { ShapingQuery } from '../stage.js';
import type { Candidate, Chunk, Degradation } from '../types.js';
import { type Metadata, parsed, scalar } from './metadata-path.js';
import { nearest } from './names.js';
import { pathOfPreference, type ResolvedOptions } from './options.js';
import type { ShapingOptions } from './shaping-options.js';

interface Call {
  query: ShapingQuery;
  candidates: readonly Candidate[];
  /** The caller's chunks, for their metadata. */
  chunks: readonly Chunk[];
  options: ResolvedOptions;
  /** The paths that the caller gave, without defaults. */
  fields: ShapingOptions['fields'];
}

/** Nothing is reported about a call without chunks. */
export function withoutEffect(call: Call): Degradation[] {
  if (call.candidates.length === 0) return [];
  return [
    ...missingPins(call),
    ...missingValues(call),
    ...missingTiers(call),
    ...uselessQuery(call),
    ...uselessVectors(call),
    ...uselessScores(call),
  ];
}

const INPUT = 'input';
const MOST_NAMED = 5;
const LONGEST_NAMED = 100;
/** Comparing names takes the square of their length, so very many and very long ones are not compared. */
const MOST_COMPARED = 200;
const LONGEST_COMPARED = 50;

const idle = (field: string, message: string, suggestions: readonly string[] = []): Degradation => ({
  stage: INPUT,
  code: 'option-without-effect',
  message,
  field,
  ...suggested(suggestions),
});

const suggested = (names: readonly string[]): Pick<Degradation, 'suggestions'> =>
  names.length === 0 ? {} : { suggestions: [...new Set(names)].slice(0, MOST_NAMED) };

function missingPins({ options: { pin }, candidates }: Call): Degradation[] {
  if (typeof pin === 'function' || pin.length === 0) return [];
  const ids = new Set(candidates.map(({ id }) => id).sort());
  const missing = [...new Set(pin)].filter((id) => !ids.has(id));
  if (missing.length === 0) return [];
  const like = similar(missing, [...ids], (length) => Math.ceil(length / 2));
  const [one] = ids;
  const remedy = like.length > 0 ? didYouMean(like) : `Chunks have ids such as ${quoted([one as string])}.`;
  const message = `No chunk has the id ${quoted(missing)}, which pin names. ${remedy}`;
  return [{ stage: INPUT, code: 'pin-not-found', message, field: 'pin', ...suggested(like) }];
}

/** Explicit paths of metadata, and the namespace, where no chunk has a plain value. */
function missingValues({ options, fields = {}, candidates, chunks }: Call): Degradation[] {
  const { namespace, conflicts } = options;
  const missing = (field: string, paths: string | readonly string[], effect = '') => {
    const { remedy, like } = keysLike(paths, chunks);
    const message = `No chunk has a plain value at ${field}, ${quoted([paths].flat())}${effect}. ${remedy}`;
    return idle(field, message, like);
  };
  const preferred = pathOfPreference(conflicts);
  const hasNone = candidates.every(({ claims }) => claims?.[0]?.value === undefined);
  const { trust: _, ...given } = fields;
  const found = Object.entries(given).flatMap(([name, paths]) =>
    paths === undefined ||
    candidates.some(({ sources: [own] }) => own[name as keyof typeof own] !== undefined)
      ? []
      : missing(`fields.${name}`, paths),
  );
  if (namespace != null && candidates.every((candidate) => candidate.namespace === ''))
    found.push(missing('namespace', namespace, '; all chunks are compared with each other'));
  if (preferred !== undefined && hasNone)
    found.push(missing('conflicts.prefer', preferred, '; no side of a conflict is preferred'));
  return found;
}

/** Keys of metadata that are almost the same, and a sentence about them. */
function keysLike(
  paths: string | readonly string[],
  chunks: readonly Chunk[],
): { remedy: string; like: string[] } {
  const keys = [...new Set(chunks.flatMap(({ metadata }) => keysOf(metadata ?? {})))];
  const like = similar([paths].flat(), keys);
  if (like.length > 0) return { remedy: didYouMean(like), like };
  const remedy = keys.length === 0 ? 'The chunks have no metadata.' : `The chunks have ${quoted(keys)}.`;
  return { remedy, like };
}

/** The keys, and the paths that are one step longer. */
const keysOf = (metadata: Metadata): string[] =>
  Object.entries(metadata).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${key}.${inner}`)
      : key,
  );

/** Values of `trust` that no chunk has: if none has any of them, or if a chunk has one that is almost the same. */
function missingTiers({ options: { trust, fields }, candidates, chunks }: Call): Degradation[] {
  const tiers = new Set(candidates.map(({ tier }) => tier));
  const named = trust.map(({ value }) => value).filter((value) => value !== '*');
  const missing = trust.flatMap(({ value }, tier) => (value === '*' || tiers.has(tier) ? [] : value));
  if (missing.length === 0) return [];
  const paths = [fields.trust].flat().map(parsed);
  const others = [...new Set(chunks.flatMap(({ metadata }) => scalar(metadata ?? {}, paths) ?? []))].filter(
    (value) => !named.includes(value),
  );
  const like = similar(missing, others);
  if (missing.length < named.length && like.length === 0) return [];
  const where = `at fields.trust, ${quoted([fields.trust].flat())}`;
  const about = `No chunk has ${quoted(missing)}, which trust names, ${where}.`;
  if (like.length > 0) return [idle('trust', `${about} ${didYouMean(like)}`, like)];
  if (others.length > 0) return [idle('trust', `${about} They have ${quoted(others)}.`)];
  const keys = keysLike(fields.trust, chunks);
  return [idle('fields.trust', `${about} ${keys.remedy}`, keys.like)];
}

function uselessQuery({ query, options: { relevance } }: Call): Degradation[] {
  if (query.text.trim() !== '' || query.vector !== undefined || relevance === false) return [];
  const message =
    'The query has no text, so chunks were ranked by their scores and their order alone. Give the question of the user.';
  return [{ stage: 'relevance', code: 'query-empty', message }];
}

/** Vectors that only the chunks or only the query has, if no embedder makes the others. */
function uselessVectors({ query, candidates, options: { embedder, relevance } }: Call): Degradation[] {
  if (embedder !== undefined || relevance === false) return [];
  const count = candidates.filter(({ vector }) => vector !== undefined).length;
  if (query.vector !== undefined && count === 0) {
    const message =
      'The query has a vector, but no chunk has one, and there is no embedder; chunks were compared by words instead. Give the chunks their vectors as embedding, or give the option embedder.';
    return [{ stage: 'embed', code: 'embeddings-incomplete', message }];
  }
  const isAlone = query.vector === undefined && count === candidates.length && query.text.trim() !== '';
  if (!isAlone || relevance.weights.cosine === 0) return [];
  const message =
    'The chunks have vectors, but the query has none, and there is no embedder; chunks are compared with it by words. Give the query as { text, embedding }, or give the option embedder.';
  return [{ stage: 'embed', code: 'query-not-embedded', message }];
}

/** Scores that are cosines count only if every chunk has one. */
function uselessScores({ candidates, options: { scores } }: Call): Degradation[] {
  const without = candidates.filter(({ score }) => score === undefined).length;
  if (scores === 'order' || without === 0) return [];
  const message = `${without} of ${candidates.length} chunks have no score, so the scores count as an order, not as cosines. Give every chunk its score, or leave out the option.`;
  return [idle('scores', message)];
}

/** The names that are most like the first of some that do not exist. */
function similar(
  missing: readonly string[],
  names: readonly string[],
  allowed?: (length: number) => number,
): string[] {
  const isShort = ({ length }: string) => length <= LONGEST_COMPARED;
  const compared = names.filter(isShort).slice(0, MOST_COMPARED);
  return missing
    .slice(0, MOST_NAMED)
    .filter(isShort)
    .flatMap((name) => nearest(name, compared, allowed));
}

const didYouMean = (names: readonly string[]) => `Did you mean ${quoted([...new Set(names)])}?`;

/** The first names, quoted. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => JSON.stringify(name.slice(0, LONGEST_NAMED)));
  return shown.join(', ') + (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} others` : '');
}
