/** Reports options and fields that have no effect on a call: mostly a misspelt name. */
import type { ShapingQuery } from '../stage.js';
import type { Candidate, Chunk, Degradation } from '../types.js';
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

const MOST_NAMED = 5;
const LONGEST_NAMED = 100;

/** Nothing is reported about a call without chunks. */
export function withoutEffect(call: Call): Degradation[] {
  if (call.candidates.length === 0) return [];
  return [...missingPins(call), ...missingValues(call), ...uselessQuery(call), ...uselessVectors(call)];
}

const idle = (field: string, message: string): Degradation => ({
  stage: 'input',
  code: 'option-without-effect',
  message,
  field,
});

function missingPins({ options: { pin }, candidates }: Call): Degradation[] {
  if (typeof pin === 'function') return [];
  const ids = new Set(candidates.map(({ id }) => id));
  const missing = [...new Set(pin)].filter((id) => !ids.has(id));
  if (missing.length === 0) return [];
  const message = `No chunk has the id ${quoted(missing)}, which pin names. Chunks have ids such as ${quoted([...ids].sort().slice(0, 1))}.`;
  return [{ stage: 'input', code: 'pin-not-found', message, field: 'pin' }];
}

/** Paths of metadata that the caller gave, where no chunk has a plain value, and tiers of trust without a chunk. */
function missingValues({ options, fields = {}, candidates, chunks }: Call): Degradation[] {
  const { namespace, conflicts, scores, trust } = options;
  const keys = [...new Set(chunks.flatMap(({ metadata }) => Object.keys(metadata ?? {})))].sort();
  const has = keys.length === 0 ? 'The chunks have no metadata.' : `The metadata has ${quoted(keys)}.`;
  const none = (isThere: (candidate: Candidate) => boolean) => !candidates.some(isThere);
  const at = (field: string, paths: string | readonly string[], effect = '') =>
    idle(field, `No chunk has a plain value at ${field}, ${quoted([paths].flat())}${effect}. ${has}`);
  const found: Degradation[] = [];
  const { trust: _, ...given } = fields;
  for (const [name, paths] of Object.entries(given))
    if (paths !== undefined && none(({ sources: [own] }) => own[name as keyof typeof own] !== undefined))
      found.push(at(`fields.${name}`, paths));
  if (namespace != null && none((candidate) => candidate.namespace !== ''))
    found.push(at('namespace', namespace, '; all chunks are compared with each other'));
  const preferred = pathOfPreference(conflicts);
  if (preferred !== undefined && none(({ claims }) => claims?.[0]?.value !== undefined))
    found.push(at('conflicts.prefer', preferred, '; no side of a conflict is preferred'));
  const named = trust.map(({ value }) => value);
  if (named.length > 0 && none(({ tier = named.length }) => (named[tier] ?? '*') !== '*')) {
    const where = `at fields.trust, ${quoted([options.fields.trust].flat())}`;
    found.push(idle('trust', `No chunk has a value that trust names ${where}. ${has}`));
  }
  // Scores that are cosines count only if every chunk has one.
  const without = candidates.filter(({ score }) => score === undefined).length;
  if (scores === 'cosine' && without > 0)
    found.push(
      idle(
        'scores',
        `${without} of ${candidates.length} chunks have no score, so the scores count as an order. Give every chunk its score, or leave out the option.`,
      ),
    );
  return found;
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

/** The first names, quoted. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => JSON.stringify(name.slice(0, LONGEST_NAMED)));
  return shown.join(', ') + (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} others` : '');
}
