/** `httpReranker` against a real llama-server with a tiny reranker. Needs the variable `LLAMA_SERVER`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpReranker } from 'context-shaping/rerankers';
import { rerankerContract } from 'context-shaping/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  REAL_LLAMA_SERVER,
  type RealServer,
  realLlamaServer,
} from '../../../adapters/logprobs/servers/real-llama-server.js';
import { tinyReranker } from '../../../gguf/reranker.js';

describe.skipIf(REAL_LLAMA_SERVER === undefined)('a real llama-server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'context-shaping-test-'));
  let server: RealServer;
  beforeAll(async () => {
    const path = join(folder, 'reranker.gguf');
    writeFileSync(path, tinyReranker());
    server = await realLlamaServer('--model', path, '--reranking');
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });
  const texts = ['berlin is the capital', 'the river', 'paris is a capital', 'who was where', 'x'];
  const query = 'what is the capital of paris';
  const reranker = () => httpReranker({ baseUrl: server.address, scale: 'logit', maxRetries: 0 });

  // The server computes with 16 bits, in batches that depend on what else it does.
  test.each(rerankerContract(() => reranker(), { texts, query, tolerance: 1e-3 }))('$name', ({ run }) =>
    run(),
  );

  test('names the file, counts tokens, and refuses only a text that is too long', async () => {
    expect(await reranker().identify()).toMatch(/^v1:reranker\.gguf:\d+:\d+:logit$/);
    const { scores, scale, usage } = await reranker().rerank(query, [...texts, 'the river '.repeat(600)]);
    expect(scale).toBe('logit');
    expect(scores.map((score) => typeof score)).toEqual([...texts.map(() => 'number'), 'object']);
    expect(scores.at(-1)).toEqual({ failure: expect.stringContaining('too large to process') });
    expect(usage.tokens).toBeGreaterThan(texts.length * 8);
  });

  test('also speaks the dialect of TEI', async () => {
    const tei = httpReranker({ dialect: 'tei', baseUrl: server.address, scale: 'logit' });
    const [one, other] = [await reranker().rerank(query, texts), await tei.rerank(query, texts)];
    for (const [place, score] of other.scores.entries()) {
      expect(score).toBeCloseTo(one.scores[place] as number, 2);
    }
  });
});
