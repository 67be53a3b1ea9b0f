/**
 * Clusters and their representatives. The order of the clusters is that of scikit-learn's AgglomerativeClustering,
 * because SlimContext's answers follow it.
 */
import { linkage, type Merge } from 'context-shaping/internal';
import type { OptimizeRequest, STRATEGIES } from './request.js';
import type { ToQuery } from './similarity.js';

/**
 * Flat clusters of a tree: merges at `maxDistance` or more are undone.
 *
 * Cuts the tree from its root downwards. A binary heap holds the nodes, the highest on top. When all splits are done, the
 * index of a node in the heap's array is the number of its cluster (`_hc_cut`).
 *
 * @returns the leaves of each cluster, ascending; the clusters by number.
 */
export function clustersOf(
  n: number,
  distances: Float64Array,
  method: OptimizeRequest['cluster_linkage'],
  maxDistance: number,
): number[][] {
  if (n < 2) return n === 0 ? [] : [[0]];
  const merges = linkage(n, distances, method);
  const splits = merges.filter(({ height }) => height >= maxDistance).length;
  const heap = [2 * n - 2];
  for (let split = 0; split < splits; split++) {
    const { a, b } = merges[(heap[0] as number) - n] as Merge;
    heap.push(a);
    rise(heap, heap.length - 1);
    replaceTop(heap, b);
  }
  return heap.map((node) => leavesOf(node, n, merges).sort((a, b) => a - b));
}

function leavesOf(root: number, n: number, merges: readonly Merge[]): number[] {
  const leaves: number[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node < n) leaves.push(node);
    else {
      const { a, b } = merges[node - n] as Merge;
      open.push(a, b);
    }
  }
  return leaves;
}

/*
 * A binary heap exactly as Python's heapq, because its array is the result. The highest number is on top. A hole at the
 * top sinks to the bottom along the higher children, and the new number rises from there.
 */

function replaceTop(heap: number[], node: number): void {
  let hole = 0;
  for (let child = 1; child < heap.length; child = 2 * hole + 1) {
    const right = child + 1;
    const higher = right < heap.length && (heap[right] as number) >= (heap[child] as number) ? right : child;
    heap[hole] = heap[higher] as number;
    hole = higher;
  }
  heap[hole] = node;
  rise(heap, hole);
}

function rise(heap: number[], from: number): void {
  const node = heap[from] as number;
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] as number) >= node) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = node;
}

/** The properties of texts that decide on representatives, by position. */
export interface Choice {
  strategy: (typeof STRATEGIES)[number];
  maxPerCluster: number;
  id(place: number): string;
  score(place: number): number;
  text(place: number): string;
  cosine(a: number, b: number): number;
  /** Cosine with the query; absent without a query vector. */
  toQuery?: ToQuery | undefined;
}

/** The kept members of a cluster, in SlimContext's order. */
export function representativesOf(cluster: readonly number[], choice: Choice): number[] {
  const { strategy, maxPerCluster, score, id } = choice;
  const byScore = (places: readonly number[]) => places.toSorted((a, b) => score(b) - score(a));
  if (maxPerCluster > 1 && cluster.length <= maxPerCluster) return [...cluster];
  if (maxPerCluster > 1 && (strategy === 'auto' || strategy === 'score'))
    return byScore(cluster).slice(0, maxPerCluster);
  const first = firstOf(cluster, choice);
  const others = byScore(cluster.filter((place) => id(place) !== id(first)));
  return [first, ...others.slice(0, maxPerCluster - 1)];
}

function firstOf(cluster: readonly number[], choice: Choice): number {
  const { strategy, score, text, cosine, toQuery } = choice;
  // The cosine with the mean of the members is proportional to the sum of the cosines with each member.
  const toMean = (place: number) => cluster.reduce((sum, other) => sum + cosine(place, other), 0);
  switch (strategy) {
    case 'score':
      return best(cluster, score);
    case 'centroid':
      return best(cluster, toMean);
    case 'query_closest':
      return best(cluster, toQuery as (place: number) => number);
    case 'longest':
      return best(cluster, (place) => Array.from(text(place)).length);
    case 'auto':
      return best(cluster, cluster.some((place) => score(place) > 0) ? score : toMean);
  }
}

/** The first position with the greatest value. */
function best(places: readonly number[], value: (place: number) => number): number {
  let winner = places[0] as number;
  let most = value(winner);
  for (const place of places.slice(1)) {
    const its = value(place);
    if (its <= most) continue;
    winner = place;
    most = its;
  }
  return winner;
}
