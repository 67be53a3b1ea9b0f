import type { Linkage } from '../../input/options.js';
import { gram, pack } from '../../math/gram/gram.js';
import { condensedIndex, cut, linkage } from '../../math/linkage.js';
import type { PipelineInput } from '../../pipeline.js';
import { haveVectors } from '../../pool/candidate.js';
import { groupBy } from '../../runtime/group-by.js';
import type { Candidate } from '../../types.js';
import { indexOf } from '../shared/indexed.js';

/** Flat clusters of a pool. Members are places in the pool. */
export interface Clusters {
  /** Clusters in the order of their first members; the members of each ascend. */
  readonly members: readonly (readonly number[])[];
  distance(a: number, b: number): number;
  /** The distance within which clusters were joined. */
  readonly maxDistance: number;
}

/** The mean distance of texts that a search found for one question, by ordinary models. */
const USUAL_DISTANCE = 0.5;
/** The mean is rounded, so that the order of the pool cannot decide. */
const ROUNDING = 1e6;

/**
 * Clusters by cosine distance: of vectors, else of TF-IDF. Some models put all texts close together, and so does a collection
 * about one subject. There, `maxDistance` is less, in proportion to the mean distance of the pool.
 */
export function clustersOf(
  pool: readonly Candidate[],
  given: { readonly linkage: Linkage; readonly maxDistance: number },
  input: PipelineInput,
): Clusters {
  const n = pool.length;
  const areVectors = haveVectors(pool);
  const distances = areVectors ? betweenVectors(pool) : betweenWords(pool, input);
  const mean = Math.round((distances.reduce((a, b) => a + b, 0) / distances.length) * ROUNDING) / ROUNDING;
  const maxDistance = areVectors ? given.maxDistance * Math.min(1, mean / USUAL_DISTANCE) : given.maxDistance;
  const labels = cut(n, linkage(n, distances, given.linkage), maxDistance);
  return {
    members: [...groupBy(labels.keys(), (member) => labels[member]).values()],
    distance: (a, b) => (a === b ? 0 : (distances[condensedIndex(n, a, b)] as number)),
    maxDistance,
  };
}

/** The distances of all pairs, in the order of {@link condensedIndex}. */
function betweenVectors(pool: readonly Candidate[]): Float64Array {
  const vectors = pool.map(({ vector }) => vector as Float32Array);
  return Float64Array.from(gram(pack(vectors)), (cosine) => 1 - cosine);
}

function betweenWords(pool: readonly Candidate[], input: PipelineInput): Float64Array {
  const index = indexOf(pool, input);
  const n = pool.length;
  const distances = new Float64Array((n * (n - 1)) / 2);
  let at = 0;
  for (let member = 0; member < n; member++) {
    const cosines = index.tfidfCosines(member);
    for (let other = member + 1; other < n; other++) distances[at++] = 1 - (cosines[other] as number);
  }
  return distances;
}
