/**
 * How long models of Transformers.js take in this process, on the processor:
 *
 *     npm run research -- measure/transformers
 *
 * The models have random weights, so only their size counts: one is tiny, one has the size of MiniLM with six layers but
 * for its vocabulary, which costs memory and not time. Needs the package `@huggingface/transformers`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoModelForSequenceClassification, AutoTokenizer, Tensor } from '@huggingface/transformers';
import { crossEncoder } from 'context-shaping/rerankers';
import {
  MINI_LM,
  TINY_ENCODER,
  writeCrossEncoder,
} from '../../../test/adapters/rerankers/cross-encoder/tiny-models.js';

const PAIRS = 50;
const ROUNDS = 5;
const QUERY = 'when was the bridge opened';

/** Words that are one token each: with the question and three marks, the number of tokens that is asked for. */
const textOf = (tokens: number, place: number) =>
  Array.from(
    { length: tokens },
    (_, at) => ['the', 'bridge', 'was', 'cats', 'day'][(at * (place + 1)) % 5],
  ).join(' ');

async function timesOf(work: () => Promise<unknown>): Promise<string> {
  // The first call makes room in memory.
  await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [fastest, median] = [times[0] as number, times[Math.floor(ROUNDS / 2)] as number];
  return `${median.toFixed(0)} ms (fastest ${fastest.toFixed(0)} ms)`;
}

const folder = mkdtempSync(join(tmpdir(), 'context-shaping-measure-'));
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, median of ${ROUNDS} calls\n`);
  for (const [name, size] of [
    ['tiny: 2 layers, width 32', { ...TINY_ENCODER, positions: 512 }],
    ['MiniLM’s size: 6 layers, width 384', MINI_LM],
  ] as const) {
    const pairs = join(folder, name);
    writeCrossEncoder(pairs, { size });
    const passages = Array.from({ length: PAIRS }, (_, place) => textOf(128 - 5 - 3, place));
    const start = performance.now();
    const reranker = crossEncoder({
      name,
      tokenizer: await AutoTokenizer.from_pretrained(pairs),
      model: await AutoModelForSequenceClassification.from_pretrained(pairs, { dtype: 'fp32' }),
      Tensor,
    });
    const loaded = performance.now() - start;
    const { usage } = await reranker.rerank(QUERY, passages);
    const ranked = await timesOf(() => reranker.rerank(QUERY, passages));
    console.log(name);
    console.log(`  crossEncoder, loading: ${loaded.toFixed(0)} ms`);
    console.log(`  crossEncoder, ${PAIRS} pairs of ${(usage.tokens ?? 0) / PAIRS} tokens: ${ranked}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
