/**
 * Clusters agglomeratively by centroid and median linkage with ml-hclust. It searches the closest pair anew before
 * every merge, in O(n³) time. The nearest-neighbour chain would be wrong here, because a merge can bring a third
 * cluster closer than either part was.
 *
 *   centroid  d(IJ, K) = (nI d(I, K) + nJ d(J, K)) / (nI + nJ) - nI nJ d(I, J) / (nI + nJ)²
 *   median    d(IJ, K) = d(I, K) / 2 + d(J, K) / 2 - d(I, J) / 4
 *
 * Both formulas are applied to the distances as they are. That is exact if the distances are squared Euclidean up to a
 * factor, as cosine distance is on unit vectors: 1 - cos = |x - y|² / 2. (SciPy squares the given distances and returns
 * the roots of the heights.)
 *
 * Sources: G. N. Lance, W. T. Williams, "A general theory of classificatory sorting strategies", The
 * Computer Journal 9(4), 1967; J. C. Gower, "A comparison of some methods of cluster analysis",
 * Biometrics 23(4), 1967 (median).
 */
import { agnes } from 'ml-hclust';
import { condensedIndex, type Merge } from './linkage.js';

/**
 * Builds the tree of n leaves: n - 1 merges, children before parents; none for n = 0 or 1. A merge may be lower than
 * one below it.
 *
 * @param distances all pairs, in the order of `condensedIndex`: finite, >= 0. Left unchanged.
 */
export function linkageByAgnes(n: number, distances: Float64Array, method: 'centroid' | 'median'): Merge[] {
  if (n < 2) return [];
  const square = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? 0 : (distances[condensedIndex(n, i, j)] as number))),
  );

  // Level by level from the root. Read backwards, children come before parents.
  const clusters = [agnes(square, { method, isDistanceMatrix: true })];
  for (const cluster of clusters) clusters.push(...cluster.children);

  const merges: Merge[] = [];
  const nodes = new Map<(typeof clusters)[number], number>();
  for (const cluster of clusters.reverse()) {
    if (cluster.isLeaf) {
      nodes.set(cluster, cluster.index);
      continue;
    }
    const [one, other] = cluster.children.map((child) => nodes.get(child) as number) as [number, number];
    nodes.set(cluster, n + merges.length);
    merges.push({
      a: Math.min(one, other),
      b: Math.max(one, other),
      height: cluster.height,
      size: cluster.size,
    });
  }
  return merges;
}
