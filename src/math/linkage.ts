/**
 * Clusters agglomeratively by the nearest-neighbour chain. It uses only indices and numbers.
 *
 * It begins with singletons and merges the two closest clusters I and J until one cluster is left. The distances from
 * the merged cluster to any other cluster K follow from the earlier distances (n: cluster sizes):
 *
 *   single    d(IJ, K) = min(d(I, K), d(J, K))
 *   complete  d(IJ, K) = max(d(I, K), d(J, K))
 *   average   d(IJ, K) = (nI d(I, K) + nJ d(J, K)) / (nI + nJ)
 *   ward      d(IJ, K) = ((nI + nK) d(I, K) + (nJ + nK) d(J, K) - nK d(I, J)) / (nI + nJ + nK)
 *
 * Ward is applied to the distances as they are. That is exact if a distance is half a squared Euclidean distance, as
 * cosine distance is on unit vectors: 1 - cos = |x - y|² / 2. A height is then the increase of the within-cluster sum
 * of squares. This is Ward1 (`ward` of ml-hclust, `ward.D` of R). Ward2 (`ward2`, `ward.D2`, SciPy) is made for plain
 * Euclidean distances: its heights are the square roots of the heights that squared distances give here.
 *
 * With these four linkages, a merge never brings a third cluster closer than the nearer part was. So the chain may
 * follow nearest neighbours until two clusters are each other's nearest, and merge these two at once. The tree is the
 * same as if the closest pair were searched before every merge, in O(n²) time.
 *
 * Sources: J.-P. Benzécri, "Construction d'une classification ascendante hiérarchique par la recherche
 * en chaîne des voisins réciproques", Les Cahiers de l'Analyse des Données 7(2), 1982, and F. Murtagh,
 * "A survey of recent advances in hierarchical clustering algorithms", The Computer Journal 26(4), 1983
 * (the chain); G. N. Lance, W. T. Williams, "A general theory of classificatory sorting strategies",
 * The Computer Journal 9(4), 1967 (the updates); D. Müllner, "Modern hierarchical, agglomerative
 * clustering algorithms", arXiv:1109.2378, 2011 (both, as implemented here); F. Murtagh, P. Legendre,
 * "Ward's hierarchical agglomerative clustering method", Journal of Classification 31, 2014 (Ward1, 2).
 */

/** The kinds of linkage. */
export type LinkageMethod = 'single' | 'complete' | 'average' | 'ward';

/**
 * One merge of a tree over n leaves. Nodes 0..n-1 are the leaves. Merge i of the list makes node n + i, so the children
 * of a node always have smaller numbers than the node.
 */
export interface Merge {
  /** The children; a < b. */
  a: number;
  b: number;
  /** Distance between the children at the merge. */
  height: number;
  /** Number of leaves below this node, 2..n. */
  size: number;
}

/**
 * Returns the index of the unordered pair {i, j}, i ≠ j, in the packed upper triangle of an n × n matrix: the n (n - 1)
 * / 2 pairs row by row, (0, 1), (0, 2), .., (n-2, n-1).
 */
export function condensedIndex(n: number, i: number, j: number): number {
  return i < j ? (i * (2 * n - i - 3)) / 2 + j - 1 : (j * (2 * n - j - 3)) / 2 + i - 1;
}

/**
 * Builds the tree of n leaves: n - 1 merges by ascending height, never lower than the merges of their children; none
 * for n = 0 or 1. Merges of equal height keep the order in which the chain found them. Among equally near clusters the
 * chain prefers the previous cluster of the chain, then the cluster with the lowest leaf.
 *
 * @param distances all pairs, in the order of {@link condensedIndex}: finite, >= 0. Left unchanged.
 */
export function linkage(n: number, distances: Float64Array, method: LinkageMethod): Merge[] {
  const clusters = new Clusters(n, distances);
  const merges: Merge[] = [];
  const chain: number[] = [];
  while (merges.length < n - 1) {
    const tip = chain.pop() ?? clusters.first;
    const previous = chain.at(-1);
    const next = clusters.nearest(tip, previous);
    if (next === previous) {
      chain.pop();
      merges.push(clusters.join(Math.min(tip, next), Math.max(tip, next), method));
    } else {
      chain.push(tip, next);
    }
  }
  return numberNodes(
    n,
    merges.sort((one, other) => one.height - other.height),
  );
}

/**
 * The current clusters, each in the slot of its lowest leaf, and their distances as a square matrix. Rows of a square
 * are read from end to end; the packed triangle would have to be read across. At n = 1,000 this takes three quarters of
 * the time.
 */
class Clusters {
  readonly #between: Float64Array;
  readonly #sizes: Int32Array;
  /** Slots in use, ascending. */
  readonly #slots: number[];

  constructor(n: number, distances: Float64Array) {
    this.#between = new Float64Array(n * n);
    for (let i = 0, at = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++, at++) {
        this.#between[i * n + j] = distances[at] as number;
        this.#between[j * n + i] = distances[at] as number;
      }
    }
    this.#sizes = new Int32Array(n).fill(1);
    this.#slots = Array.from({ length: n }, (_, leaf) => leaf);
  }

  /** The lowest slot in use. */
  get first(): number {
    return this.#slots[0] as number;
  }

  /** Returns the slot nearest to `tip`. Ties: `previous`, then the lowest slot. */
  nearest(tip: number, previous?: number): number {
    const row = this.#row(tip);
    let best = previous ?? -1;
    let least = previous === undefined ? Infinity : (row[previous] as number);
    for (const k of this.#slots) {
      if ((row[k] as number) < least && k !== tip) {
        least = row[k] as number;
        best = k;
      }
    }
    return best;
  }

  /**
   * Merges slot b into slot a < b and updates the distances to all other slots. `a` and `b` of the result are slots.
   *
   * One of the two is `near` to K and the other `far`: height <= near <= far. Each formula is `near` plus a term that is
   * never negative. So rounding can neither put a merge below its children nor make equal distances differ.
   */
  join(a: number, b: number, method: LinkageMethod): Merge {
    const between = this.#between;
    const sizes = this.#sizes;
    const n = sizes.length;
    const [rowA, rowB] = [a * n, b * n];
    const height = between[rowA + b] as number;
    const sizeA = sizes[a] as number;
    const sizeB = sizes[b] as number;
    this.#slots.splice(this.#slots.indexOf(b), 1);
    for (const k of this.#slots) {
      if (k === a) continue;
      const toA = between[rowA + k] as number;
      const toB = between[rowB + k] as number;
      const near = Math.min(toA, toB);
      const spread = Math.max(toA, toB) - near;
      const sizeFar = toA < toB ? sizeB : sizeA;
      const sizeK = sizes[k] as number;
      let distance = near;
      if (method === 'complete') distance = Math.max(toA, toB);
      else if (method === 'average') distance = near + (spread * sizeFar) / (sizeA + sizeB);
      else if (method === 'ward')
        distance = near + (spread * (sizeFar + sizeK) + (near - height) * sizeK) / (sizeA + sizeB + sizeK);
      between[rowA + k] = distance;
      between[k * n + a] = distance;
    }
    sizes[a] = sizeA + sizeB;
    return { a, b, height, size: sizeA + sizeB };
  }

  #row(slot: number): Float64Array {
    const n = this.#sizes.length;
    return this.#between.subarray(slot * n, (slot + 1) * n);
  }
}

/** Turns slots into nodes. This is correct because merges of one slot ascend in height, so sorting kept their order. */
function numberNodes(n: number, merges: Merge[]): Merge[] {
  const nodes = Int32Array.from({ length: n }, (_, leaf) => leaf);
  return merges.map(({ a, b, height, size }, i) => {
    const one = nodes[a] as number;
    const other = nodes[b] as number;
    nodes[a] = n + i;
    return { a: Math.min(one, other), b: Math.max(one, other), height, size };
  });
}

/**
 * Returns flat clusters: the leaves of every largest subtree with a root height <= maxDistance. Each leaf outside such
 * subtrees is a cluster by itself.
 *
 * @param merges a tree over n leaves, children before parents.
 * @returns for each leaf the number of its cluster: 0, 1, .. in the order of the lowest leaves of the clusters.
 */
export function cut(n: number, merges: readonly Merge[], maxDistance: number): Int32Array {
  // From the root down, every node gets the topmost node that holds it together, or itself if there is none.
  const tops = Int32Array.from({ length: n + merges.length }, (_, node) => node);
  for (let i = merges.length - 1; i >= 0; i--) {
    const { a, b, height } = merges[i] as Merge;
    const top = tops[n + i] as number;
    if (top === n + i && height > maxDistance) continue;
    tops[a] = top;
    tops[b] = top;
  }
  const numbers = new Map<number, number>();
  return tops.slice(0, n).map((top) => {
    if (!numbers.has(top)) numbers.set(top, numbers.size);
    return numbers.get(top) as number;
  });
}
