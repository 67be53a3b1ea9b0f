/** Pools of chunks: passages of real text, with made-up vectors, six chunks to a topic. The same in every run. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Chunk, ShapingInput } from 'context-shaping';
import { packVector } from 'context-shaping/kit';
import { seededRandom } from '../../../test/random.js';

const WORDS = 110;
const PER_TOPIC = 6;
/** Standard deviation of a chunk's components around those of its topic, which have 1. */
const NOISE = 0.4;
/** Pools of one size that take turns, as long as they are small. */
const POOLS = 8;
const LARGE = 2000;

export interface Pool {
  question: string;
  /** With their vectors as embeddings. */
  chunks: Chunk[];
  queryVector: number[];
  vectors: number[][];
}

interface Line {
  question: string;
  ctxs: { title: string; text: string }[];
}

/** @param file one JSON object a line, with `question` and `ctxs`, gzipped or not: NQ-Open as it is published. */
export function poolsFrom(file: string): (n: number, dimension: number, turn?: number) => Pool {
  const bytes = readFileSync(file);
  const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim().split('\n');
  const questions = lines.map((line) => JSON.parse(line) as Line);
  const distinct = new Map(questions.flatMap(({ ctxs }) => ctxs.map((passage) => [passage.text, passage])));
  const passages = [...distinct.values()].map(({ title, text }) => ({
    title,
    words: text.match(/\S+/g) ?? [],
  }));
  if (!passages.some(({ words }) => words.length > 0)) throw new Error(`${file} has no passages.`);
  const known = new Map<string, Pool>();

  const textAt = (at: number): string => {
    const round = Math.floor(at / passages.length);
    const words: string[] = [];
    // In later rounds a passage is half, and each round has other passages for the second half.
    for (let next = at; words.length < WORDS; next += 1 + 97 * round) {
      const left = WORDS - words.length;
      const share = round > 0 && words.length === 0 ? WORDS / 2 : left;
      words.push(...(passages[next % passages.length]?.words ?? []).slice(0, share));
    }
    return words.join(' ');
  };

  return (n, dimension, turn = 0) => {
    const variant = turn % (n < LARGE ? POOLS : 1);
    const key = `${n} ${dimension} ${variant}`;
    const pool = known.get(key);
    if (pool !== undefined) return pool;
    const random = seededRandom(1 + variant);
    const vectors = vectorsOf(n + 1, dimension, random);
    const queryVector = vectors.pop() as number[];
    const first = variant * Math.floor(passages.length / POOLS);
    const chunks = Array.from({ length: n }, (_, i) => ({
      id: `c${i}`,
      text: textAt(first + i),
      score: random(),
      metadata: { title: passages[(first + i) % passages.length]?.title },
      embedding: vectors[i] as number[],
    }));
    const made = { question: questions[first]?.question ?? '', chunks, queryVector, vectors };
    // Only those of one size and dimension are kept: large ones would fill the memory.
    for (const other of known.keys()) if (!other.startsWith(`${n} ${dimension} `)) known.delete(other);
    known.set(key, made);
    return made;
  };
}

/** What the shaper is given of a pool. */
export const withVectors = ({ question, queryVector, chunks }: Pool): ShapingInput => ({
  query: { text: question, embedding: queryVector },
  chunks,
});
export const textOnly = ({ question, chunks }: Pool): ShapingInput => ({
  query: question,
  chunks: chunks.map(({ embedding: _, ...chunk }) => chunk),
});

let unseenPools = 0;

/** The pool with texts that no call has met before: what is remembered of them is of no use. */
export function unseen(pool: Pool): Pool {
  unseenPools++;
  return {
    ...pool,
    chunks: pool.chunks.map((chunk) => ({ ...chunk, text: `${chunk.text} ${unseenPools}` })),
  };
}

/** Enough for a dozen chunks, so that every stage has something to do. */
export const TOKEN_BUDGET = 1800;

export const unitVectors = ({ vectors }: Pool): Float32Array[] =>
  vectors.map((vector, i) => packVector(vector, `vectors[${i}]`));

export type Pools = ReturnType<typeof poolsFrom>;

function vectorsOf(count: number, dimension: number, random: () => number): number[][] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const topics = Array.from({ length: Math.ceil(count / PER_TOPIC) }, () =>
    Array.from({ length: dimension }, normal),
  );
  return Array.from({ length: count }, () => {
    const topic = topics[Math.floor(random() * topics.length)] as number[];
    return topic.map((component) => component + NOISE * normal());
  });
}
