/**
 * SlimContext's recipe once more, plain and slow: it seeks the closest pair among all, each time. It shares only the list
 * of stop words with the product.
 */
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { STOP_WORDS } from '../../src/workers/optimize/stop-words.js';

export interface NaiveChunk {
  id: string;
  text: string;
  embedding: number[];
  score: number;
  metadata: Record<string, unknown>;
}

export const DEFAULTS = {
  query_embedding: null as number[] | null,
  target_k: 8,
  token_budget: null as number | null,
  dedup_threshold: 0.15,
  semantic_dedup_threshold: 0.001,
  cluster_threshold: null as number | null,
  cluster_linkage: 'average' as 'average' | 'complete' | 'single',
  max_per_cluster: 1,
  enable_mmr: true,
  mmr_lambda: 0.5,
  representative_strategy: 'auto' as 'auto' | 'score' | 'centroid' | 'query_closest' | 'longest',
  compress: true,
};

export type NaiveRequest = typeof DEFAULTS & { chunks: NaiveChunk[] };

/** @param pass gets the name of each part of the recipe that made a difference. */
export function naiveOptimize(request: NaiveRequest, pass: (part: string) => void) {
  const { chunks, target_k: k, token_budget: budget } = request;
  const query = request.query_embedding && unit(request.query_embedding);
  const distinct = chunks.filter(
    ({ text }, index) => chunks.findIndex((other) => normalized(other.text) === normalized(text)) === index,
  );
  if (distinct.length < chunks.length) pass('exact duplicate');
  const left = withoutCopies(distinct, request.semantic_dedup_threshold, pass);
  const clusters = clustersOf(left, request);
  if (clusters.some((members) => members.length > 1)) pass(`cluster, ${request.cluster_linkage}`);
  const firsts = clusters.map((members) => left.indexOf(members[0] as NaiveChunk));
  if (firsts.some((first, at) => first < (firsts[at - 1] ?? 0))) pass('clusters out of order');
  const candidates = clusters.flatMap((members) => representatives(members, request, query, pass));

  const selected = select(candidates, request, query, pass);
  const kept: { id: string; text: string; score: number; metadata: object }[] = [];
  let outputTokens = 0;
  let skipped = 0;
  for (const { id, text, score, metadata } of selected) {
    const short = request.compress ? compressed(text, pass) : text;
    const tokens = count(short);
    if (budget !== null && outputTokens + tokens > budget) skipped++;
    else {
      if (skipped > 0) pass('fits after one that does not');
      outputTokens += tokens;
      kept.push({ id, text: short, score, metadata });
    }
  }
  if (skipped > 0) pass('over budget');
  const inputTokens = chunks.reduce((sum, { text }) => sum + count(text), 0);
  if (candidates.length > k) pass('outranked');
  return {
    chunks: kept,
    stats: {
      input_count: chunks.length,
      output_count: kept.length,
      exact_duplicate_count: chunks.length - distinct.length,
      semantic_duplicate_count: distinct.length - left.length,
      cluster_count: clusters.length,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      reduction_pct:
        inputTokens === 0 ? 0 : roundHalfEven((100 * (inputTokens - outputTokens)) / inputTokens),
      budget_skipped_count: skipped,
    },
  };
}

const count = (text: string) => countTokens(text, { disallowedSpecial: new Set() });
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const sorted = (values: number[]) => values.toSorted((a, b) => a - b);

// Texts

/** Python's casefold, for the letters that the tests use. */
const casefold = (text: string) =>
  text.replaceAll('ẞ', 'ss').replaceAll('ß', 'ss').toLowerCase().replaceAll('ς', 'σ');

const normalized = (text: string) =>
  casefold(text)
    .replace(/[^\p{L}\p{N}_\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const tokens = (text: string) => normalized(text).split(' ').filter(Boolean);

function jaccard(one: string, other: string): number {
  const [a, b] = [new Set(tokens(one)), new Set(tokens(other))];
  const union = new Set([...a, ...b]);
  return union.size === 0 ? 0 : [...a].filter((token) => b.has(token)).length / union.size;
}

const terms = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []).filter((term) => !STOP_WORDS.has(term));

/** A vector per text, of unit length. */
function tfidf(texts: string[]): number[][] {
  const documents = texts.map(terms);
  const idf = (term: string) => {
    const df = documents.filter((document) => document.includes(term)).length;
    return Math.log((1 + texts.length) / (1 + df)) + 1;
  };
  const vocabulary = [...new Set(documents.flat())].map((term) => [term, idf(term)] as const);
  const tf = (document: string[], term: string) => document.filter((each) => each === term).length;
  return documents.map((document) => unit(vocabulary.map(([term, weight]) => tf(document, term) * weight)));
}

// Vectors

export function unit(vector: number[]): number[] {
  const norm = Math.hypot(...vector);
  return vector.map((component) => (norm === 0 ? 0 : component / norm));
}

const dot = (a: number[], b: number[]) => sum(a.map((component, axis) => component * (b[axis] as number)));
/** In the precision of 32 bits, as SlimContext has its vectors. */
const cosine = (a: NaiveChunk, b: NaiveChunk) => Math.fround(dot(unit(a.embedding), unit(b.embedding)));

// Stages

function withoutCopies(chunks: NaiveChunk[], maxDistance: number, pass: (part: string) => void) {
  const pairs = chunks.flatMap((a, i) => chunks.slice(i + 1).map((b) => 1 - cosine(a, b)));
  let threshold = maxDistance;
  if (pairs.length > 0 && median(pairs) < 0.02) {
    threshold = Math.min(threshold, Math.max(5e-5, median(pairs) / 5));
    if (threshold < maxDistance) pass('lowered threshold');
  }
  const weights = tfidf(chunks.map(({ text }) => text));
  const weightsOf = (chunk: NaiveChunk) => weights[chunks.indexOf(chunk)] as number[];
  const kept: NaiveChunk[] = [];
  for (const chunk of chunks.toSorted((a, b) => b.score - a.score)) {
    const isCopy = kept.some((other) => {
      const byTerms = dot(weightsOf(chunk), weightsOf(other));
      const areLong = tokens(chunk.text).length >= 12 && tokens(other.text).length >= 12;
      const similarity = cosine(chunk, other);
      const rules = {
        'copy of a long text': byTerms >= 0.25 && areLong,
        'copy by vector': similarity >= 0.999 && byTerms >= 0.13,
        'copy by threshold': 1 - similarity < threshold && jaccard(chunk.text, other.text) >= 0.55,
      };
      const holding = Object.entries(rules).filter(([, holds]) => holds);
      // Only what would not have been found by another rule shows that a rule works.
      if (holding.length === 1) pass((holding[0] as [string, boolean])[0]);
      return holding.length > 0;
    });
    if (!isCopy) kept.push(chunk);
  }
  return chunks.filter((chunk) => kept.includes(chunk));
}

function median(values: number[]): number {
  const ascending = sorted(values);
  const middle = ascending.length / 2;
  return ((ascending[Math.ceil(middle) - 1] as number) + (ascending[Math.floor(middle)] as number)) / 2;
}

function clustersOf(chunks: NaiveChunk[], request: NaiveRequest): NaiveChunk[][] {
  const n = chunks.length;
  if (n === 1) return [chunks];
  const distances = chunks.map((a) => chunks.map((b) => 1 - cosine(a, b)));
  const between = (one: number[], other: number[]): number => {
    const all = one.flatMap((i) => other.map((j) => distances[i]?.[j] as number));
    if (request.cluster_linkage === 'average') return sum(all) / all.length;
    return request.cluster_linkage === 'single' ? Math.min(...all) : Math.max(...all);
  };

  const nodes = chunks.map((_, leaf) => [leaf]);
  const children: [number, number][] = [];
  const heights: number[] = [];
  const open = new Set(nodes.keys());
  while (open.size > 1) {
    const pairs = [...open].flatMap((a) => [...open].filter((b) => b > a).map((b) => [a, b] as const));
    const far = ([a, b]: readonly [number, number]) => between(nodes[a] as number[], nodes[b] as number[]);
    const [a, b] = pairs.reduce((best, pair) => (far(pair) < far(best) ? pair : best));
    heights.push(far([a, b]));
    open.delete(a);
    open.delete(b);
    open.add(nodes.length);
    nodes.push([...(nodes[a] as number[]), ...(nodes[b] as number[])]);
    children.push([a, b]);
  }

  // scikit-learn's _hc_cut.
  const threshold = request.cluster_threshold ?? request.dedup_threshold;
  const heap = [-(nodes.length - 1)];
  for (const _ of heights.filter((height) => height >= threshold)) {
    const [a, b] = children[-(heap[0] as number) - n] as [number, number];
    heappush(heap, -a);
    heappushpop(heap, -b);
  }
  return heap.map((node) => sorted(nodes[-node] as number[]).map((leaf) => chunks[leaf] as NaiveChunk));
}

// Python's heapq, line by line; its array is read in the end.

function heappush(heap: number[], item: number): void {
  heap.push(item);
  siftdown(heap, 0, heap.length - 1);
}

function heappushpop(heap: number[], item: number): void {
  if ((heap[0] as number) >= item) return;
  heap[0] = item;
  siftup(heap, 0);
}

function siftdown(heap: number[], startpos: number, from: number): void {
  let pos = from;
  const newitem = heap[pos] as number;
  while (pos > startpos) {
    const parentpos = (pos - 1) >> 1;
    const parent = heap[parentpos] as number;
    if (newitem >= parent) break;
    heap[pos] = parent;
    pos = parentpos;
  }
  heap[pos] = newitem;
}

function siftup(heap: number[], startpos: number): void {
  let pos = startpos;
  const newitem = heap[pos] as number;
  let childpos = 2 * pos + 1;
  while (childpos < heap.length) {
    const rightpos = childpos + 1;
    if (rightpos < heap.length && !((heap[childpos] as number) < (heap[rightpos] as number)))
      childpos = rightpos;
    heap[pos] = heap[childpos] as number;
    pos = childpos;
    childpos = 2 * pos + 1;
  }
  heap[pos] = newitem;
  siftdown(heap, startpos, pos);
}

function representatives(
  members: NaiveChunk[],
  request: NaiveRequest,
  query: number[] | null,
  pass: (part: string) => void,
): NaiveChunk[] {
  const { representative_strategy: strategy, max_per_cluster: most } = request;
  const byScore = (chunks: NaiveChunk[]) => chunks.toSorted((a, b) => b.score - a.score);
  if (members.length > 1) pass(`of a cluster by ${strategy}, ${most > 1 ? 'several' : 'one'}`);
  if (most > 1 && members.length <= most) return members;
  if (most > 1 && (strategy === 'auto' || strategy === 'score')) return byScore(members).slice(0, most);

  const units = members.map(({ embedding }) => unit(embedding));
  const mean = (units[0] as number[]).map((_, axis) => sum(units.map((each) => each[axis] as number)));
  const values = {
    score: ({ score }: NaiveChunk) => score,
    centroid: ({ embedding }: NaiveChunk) => dot(unit(embedding), mean),
    query_closest: ({ embedding }: NaiveChunk) => dot(unit(embedding), query as number[]),
    longest: ({ text }: NaiveChunk) => [...text].length,
  };
  const value =
    strategy === 'auto'
      ? values[members.some(({ score }) => score > 0) ? 'score' : 'centroid']
      : values[strategy];
  // Two members are equally far from their mean: noise must not decide.
  const first = members.reduce((best, member) => (value(member) > value(best) + 1e-7 ? member : best));
  return [first, ...byScore(members.filter(({ id }) => id !== first.id)).slice(0, most - 1)];
}

function select(
  candidates: NaiveChunk[],
  request: NaiveRequest,
  query: number[] | null,
  pass: (part: string) => void,
): NaiveChunk[] {
  const { target_k: k, mmr_lambda: lambda } = request;
  if (candidates.length <= k) return candidates;
  if (!request.enable_mmr) {
    pass('by score');
    return candidates.toSorted((a, b) => b.score - a.score).slice(0, k);
  }
  pass(query ? 'marginal relevance by query' : 'marginal relevance by score');
  const scores = candidates.map(({ score }) => score);
  const [least, range] = [Math.min(...scores), Math.max(...scores) - Math.min(...scores)];
  const relevance = ({ embedding, score }: NaiveChunk) => {
    if (query) return dot(unit(embedding), query);
    return range === 0 ? score : (score - least) / range;
  };
  const selected: NaiveChunk[] = [];
  while (selected.length < k) {
    const penalty = (candidate: NaiveChunk) =>
      Math.max(0, ...selected.flatMap((s) => [cosine(candidate, s), jaccard(candidate.text, s.text)]));
    const value = (candidate: NaiveChunk) =>
      lambda * relevance(candidate) - (1 - lambda) * penalty(candidate);
    const open = candidates.filter((candidate) => !selected.includes(candidate));
    selected.push(open.reduce((best, each) => (value(each) > value(best) ? each : best)));
  }
  return selected;
}

const FILLERS = ['please note that', 'it is important to note that', 'in order to', 'as a reminder'];

function compressed(text: string, pass: (part: string) => void): string {
  const stripped = text.trim();
  const times = (character: string) => [...stripped].filter((each) => each === character).length;
  if (isJson(stripped) || stripped.startsWith('<') || times('|') > 0 || times('\t') > 1 || times(',') > 5) {
    const points = [...stripped];
    if (points.length <= 400) return stripped;
    pass('cut table');
    const [head, tail] = [points.slice(0, 220).join(''), points.slice(-120).join('')];
    return `${head} ... [structured content truncated] ... ${tail}`;
  }
  let rest = text;
  let short = '';
  while (rest !== '') {
    const filler = FILLERS.find((each) => rest.toLowerCase().startsWith(each));
    const isWord = (character: string | undefined) => /[\p{L}\p{N}_]/u.test(character ?? '');
    const before = [...text.slice(0, text.length - rest.length)].at(-1);
    if (filler !== undefined && !isWord(before) && !isWord([...rest.slice(filler.length)][0])) {
      pass('filler');
      rest = rest.slice(filler.length);
    } else {
      const [character = ''] = rest;
      short += character;
      rest = rest.slice(character.length);
    }
  }
  return short.replace(/\s+/g, ' ').trim();
}

function isJson(text: string): boolean {
  try {
    return /^[{[]/.test(text) && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** By the exact decimal digits of the number. */
function roundHalfEven(percent: number): number {
  const [whole, digits] = Math.abs(percent).toFixed(60).split('.') as [string, string];
  const below = Number(whole) * 100 + Number(digits.slice(0, 2));
  const rest = digits.slice(2);
  const half = `5${'0'.repeat(57)}`;
  const isUp = rest > half || (rest === half && below % 2 === 1);
  return (Math.sign(percent) * (below + (isUp ? 1 : 0))) / 100;
}
