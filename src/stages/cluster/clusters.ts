import type { Linkage } from '../../input/options.js';
import { condensedIndex, cut, linkageInSteps, type Merge } from '../../math/linkage.js';
import type { Steps } from '../../math/steps.js';
import type { PipelineInput } from '../../pipeline.js';
import { haveVectors } from '../../pool/cosines.js';
import { groupBy } from '../../runtime/group-by.js';
import { onDemand } from '../../runtime/on-demand.js';
import type { Pacer } from '../../runtime/pacer.js';
import { TermIndex } from '../../text/term-index.js';
import type { Candidate } from '../../types.js';

/** Flat clusters of a pool. Members are places in the pool. */
export interface Clusters {
  /** Clusters in the order of their first members; the members of each ascend. */
  readonly members: readonly (readonly number[])[];
  distance(a: number, b: number): number;
}

interface Cut {
  readonly linkage: Linkage;
  readonly maxDistance: number;
}

/** Clusters by cosine distance: of vectors, else of TF-IDF. */
export function clustersOf(pool: readonly Candidate[], where: Cut, input: PipelineInput): Promise<Clusters> {
  return haveVectors(pool) ? byVectors(pool, where, input) : byWords(pool, where, input);
}

async function byWords(
  pool: readonly Candidate[],
  where: Cut,
  { lexicon, pacer }: PipelineInput,
): Promise<Clusters> {
  const n = pool.length;
  const texts = pool.map(({ text }) => lexicon.terms(text));
  const index = await pacer.run(TermIndex.inSteps(texts, lexicon.vocabulary.size));
  const condensed = new Float64Array((n * (n - 1)) / 2);
  const row = new Float64Array(n);
  for (let place = 0, at = 0; place < n - 1; place++) {
    if (pacer.due()) await pacer.pause();
    index.tfidfCosines(place, row);
    for (let other = place + 1; other < n; other++) condensed[at++] = 1 - (row[other] as number);
  }
  const tree = await treeOf(n, condensed, where.linkage, pacer);
  return {
    members: byLabel(cut(n, tree, where.maxDistance)),
    distance: (a, b) => (a === b ? 0 : (condensed[condensedIndex(n, a, b)] as number)),
  };
}

/**
 * Approximate cosines find groups of candidates that could share a cluster; the tree of each group uses exact cosines. This
 * is correct because no height is less than the least distance between the parts, so pairs within `maxDistance` link the
 * members of a cluster. It does not hold for centroid and median linkage, where all pairs are measured exactly.
 */
async function byVectors(
  pool: readonly Candidate[],
  { linkage, maxDistance }: Cut,
  { cosines, pacer }: PipelineInput,
): Promise<Clusters> {
  await cosines.pack(pool, pacer);
  const slots = Int32Array.from(pool, (candidate) => cosines.slotOf(candidate));
  const distance = (a: number, b: number): number =>
    a === b ? 0 : 1 - cosines.exact(slots[a] as number, slots[b] as number);
  const groups = isByAgnes(linkage)
    ? [[...pool.keys()]]
    : await pacer.run(
        linked(pool.length, await pacer.run(cosines.among(slots)), 1 - maxDistance - cosines.rounding),
      );
  const members: number[][] = [];
  for (const group of groups) {
    const n = group.length;
    const condensed = new Float64Array((n * (n - 1)) / 2);
    let at = 0;
    for (const [rank, member] of group.entries()) {
      for (const other of group.slice(rank + 1)) condensed[at++] = distance(member, other);
      if (pacer.due()) await pacer.pause();
    }
    const labels = cut(n, await treeOf(n, condensed, linkage, pacer), maxDistance);
    for (const ranks of byLabel(labels)) members.push(ranks.map((rank) => group[rank] as number));
  }
  members.sort(([a], [b]) => (a as number) - (b as number));
  return { members, distance };
}

/** Groups that are connected by pairs of at least this similarity, in steps; the numbers of each ascend. */
function* linked(n: number, similarities: Float32Array, least: number): Steps<number[][]> {
  const labels = Int32Array.from({ length: n }, (_, place) => place);
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if ((similarities[at++] as number) < least) continue;
      const [low, high] = [rootOf(labels, i), rootOf(labels, j)].sort((a, b) => a - b) as [number, number];
      labels[high] = low;
    }
    yield;
  }
  return byLabel(labels.map((_, place) => rootOf(labels, place)));
}

/** The lowest number of a group. It shortens the path to it on the way. */
function rootOf(labels: Int32Array, place: number): number {
  let root = place;
  while (labels[root] !== root) {
    labels[root] = labels[labels[root] as number] as number;
    root = labels[root] as number;
  }
  return root;
}

/** Needs a library, which most programs never load. */
const loadAgnes = onDemand(() => import('../../math/linkage-agnes.js'));

async function treeOf(n: number, condensed: Float64Array, method: Linkage, pacer: Pacer): Promise<Merge[]> {
  if (!isByAgnes(method)) return pacer.run(linkageInSteps(n, condensed, method));
  return (await loadAgnes()).linkageByAgnes(n, condensed, method);
}

export function isByAgnes(method: Linkage): method is 'centroid' | 'median' {
  return method === 'centroid' || method === 'median';
}

const byLabel = (labels: Int32Array): number[][] => [
  ...groupBy(labels.keys(), (member) => labels[member]).values(),
];
