import type { Linkage } from '../../input/options.js';
import { condensedIndex, cut, linkage } from '../../math/linkage.js';
import type { PipelineInput } from '../../pipeline.js';
import { haveVectors } from '../../pool/cosines.js';
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

interface Cut {
  readonly linkage: Linkage;
  readonly maxDistance: number;
}

/** Clusters by cosine distance: of vectors, else of TF-IDF. */
export function clustersOf(pool: readonly Candidate[], where: Cut, input: PipelineInput): Clusters {
  return haveVectors(pool) ? byVectors(pool, where, input) : byWords(pool, where, input);
}

/** All pairs are compared. Texts of one pool share most of their frequent words, so few pairs could be left out. */
function byWords(pool: readonly Candidate[], where: Cut, input: PipelineInput): Clusters {
  const index = indexOf(pool, input);
  const n = pool.length;
  const distances = new Float64Array((n * (n - 1)) / 2);
  const links = new Links(n);
  let at = 0;
  for (let member = 0; member < n; member++) {
    const cosines = index.tfidfCosines(member);
    for (let other = member + 1; other < n; other++) {
      const far = 1 - (cosines[other] as number);
      distances[at++] = far;
      if (far <= where.maxDistance) links.add(member, other);
    }
  }
  const distance = (a: number, b: number) => (a === b ? 0 : (distances[condensedIndex(n, a, b)] as number));
  return { members: membersOf(links.groups(), distance, where), distance, maxDistance: where.maxDistance };
}

/**
 * Approximate cosines find the groups of candidates that could share a cluster. Some models put all texts close together,
 * and so does a collection about one subject. There, `maxDistance` is less, in proportion to the mean distance of the pool.
 */
function byVectors(pool: readonly Candidate[], given: Cut, { cosines }: PipelineInput): Clusters {
  const maxDistance = given.maxDistance * Math.min(1, meanDistance(pool) / USUAL_DISTANCE);
  const where = { ...given, maxDistance };
  cosines.pack(pool);
  const slots = Int32Array.from(pool, (candidate) => cosines.slotOf(candidate));
  const distance = (a: number, b: number): number =>
    a === b ? 0 : 1 - cosines.exact(slots[a] as number, slots[b] as number);
  const groups = linked(pool.length, cosines.among(slots), 1 - where.maxDistance - cosines.rounding);
  return { members: membersOf(groups, distance, where), distance, maxDistance };
}

/** The mean distance of texts that a search found for one question, by ordinary models. */
const USUAL_DISTANCE = 0.5;
/** The mean is rounded, so that the order of the pool cannot decide. */
const ROUNDING = 1e6;

/** The mean cosine distance of all pairs: 1 − (|Σv|² − n) / (n (n − 1)), v of unit length. */
function meanDistance(pool: readonly Candidate[]): number {
  const n = pool.length;
  const sum = new Float64Array(pool[0]?.vector?.length ?? 0);
  for (const { vector } of pool)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vector?.[at] as number);
  const square = sum.reduce((total, each) => total + each * each, 0);
  return n < 2 ? 0 : Math.round((1 - (square - n) / (n * (n - 1))) * ROUNDING) / ROUNDING;
}

/**
 * The clusters of each group: by a tree of its own, from all its distances. This is correct because no height is less than
 * the least distance between the parts, so pairs within `maxDistance` link the members of a cluster.
 */
function membersOf(
  groups: readonly (readonly number[])[],
  distance: (a: number, b: number) => number,
  { linkage: method, maxDistance }: Cut,
): (readonly number[])[] {
  const members: (readonly number[])[] = [];
  for (const group of groups) {
    const n = group.length;
    if (n === 1) {
      members.push(group);
      continue;
    }
    const condensed = new Float64Array((n * (n - 1)) / 2);
    let at = 0;
    for (let rank = 0; rank < n; rank++)
      for (let other = rank + 1; other < n; other++)
        condensed[at++] = distance(group[rank] as number, group[other] as number);
    const labels = cut(n, linkage(n, condensed, method), maxDistance);
    for (const ranks of byLabel(labels)) members.push(ranks.map((rank) => group[rank] as number));
  }
  return members.sort(([a], [b]) => (a as number) - (b as number));
}

/** Groups that are connected by pairs of at least this similarity; the numbers of each ascend. */
function linked(n: number, similarities: Float32Array, least: number): number[][] {
  const links = new Links(n);
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) if ((similarities[at++] as number) >= least) links.add(i, j);
  }
  return links.groups();
}

/** Groups of numbers that are connected by pairs. */
class Links {
  /** A lower number of the same group; its own for the lowest. */
  readonly #labels: Int32Array;

  constructor(size: number) {
    this.#labels = Int32Array.from({ length: size }, (_, place) => place);
  }

  add(a: number, b: number): void {
    const [one, other] = [this.#rootOf(a), this.#rootOf(b)];
    this.#labels[Math.max(one, other)] = Math.min(one, other);
  }

  /** Groups in the order of their lowest numbers; the numbers of each ascend. */
  groups(): number[][] {
    return byLabel(this.#labels.map((_, place) => this.#rootOf(place)));
  }

  /** The lowest number of a group. It shortens the path to it on the way. */
  #rootOf(place: number): number {
    const labels = this.#labels;
    let root = place;
    while (labels[root] !== root) {
      labels[root] = labels[labels[root] as number] as number;
      root = labels[root] as number;
    }
    return root;
  }
}

const byLabel = (labels: Int32Array): number[][] => [
  ...groupBy(labels.keys(), (member) => labels[member]).values(),
];
