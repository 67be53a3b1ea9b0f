/** Tests of `llamaReranker` with an imitation of the engine's ranking context, and with the engine where it is installed. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextShapingError } from 'context-shaping';
import { type InProcessReranker, type LlamaRerankerOptions, llamaReranker } from 'context-shaping/rerankers';
import { fakeReranker, rerankerContract } from 'context-shaping/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tinyReranker } from '../../../gguf/reranker.js';
import { mustHaveAll } from '../../../must-have-all.js';

type Context = NonNullable<LlamaRerankerOptions['context']>;

/** A ranking context that scores as the fake does, and never two texts at the same time. */
function contextOf(score?: (text: string) => number) {
  const state = { isBusy: false, asked: [] as string[], isDisposed: false };
  const context = {
    model: { fileInfo: { sourceData: [{ type: 'file', path: 'test/fixtures/ecs-tiny/items.json' }] } },
    async rank(query: string, text: string) {
      if (state.isBusy) throw new Error('busy');
      state.isBusy = true;
      state.asked.push(text);
      await Promise.resolve();
      state.isBusy = false;
      return score === undefined ? (await fakeReranker().rerank(query, [text])).scores[0] : score(text);
    },
    calculateInputLength: (query: string, text: string) => query.length + text.length,
    async dispose() {
      state.isDisposed = true;
    },
  } as unknown as Context;
  return { context, state };
}

describe('a context of the caller', () => {
  test.each(rerankerContract(() => llamaReranker({ context: contextOf().context })))('$name', ({ run }) =>
    run(),
  );

  test('scores are probabilities, tokens are counted, and the context stays with its owner', async () => {
    const { context, state } = contextOf();
    const reranker = await llamaReranker({ context });
    const { scores, scale, usage } = await reranker.rerank('a b', ['a', 'b a', 'c']);
    expect([scores, scale]).toEqual([[0.5, 1, 0], 'probability']);
    expect(usage).toEqual({ requests: 3, tokens: 14 });
    expect(await reranker.identify()).toMatch(/^gguf:sha256:[0-9a-f]{64}$/);
    await reranker.dispose();
    expect(state.isDisposed).toBe(false);
  });

  test('a text that fails has no score; if all fail, the engine is the reason', async () => {
    const { context } = contextOf((text) => {
      if (text === 'bad') throw new Error('too long');
      return 0.5;
    });
    const reranker = await llamaReranker({ context });
    expect((await reranker.rerank('q', ['good', 'bad'])).scores).toEqual([0.5, { failure: 'too long' }]);
    await expect(reranker.rerank('q', ['bad'])).rejects.toThrow(/cannot rank.*too long/);
  });

  test('an abort ends the work between two texts', async () => {
    const controller = new AbortController();
    const { context, state } = contextOf((text) => {
      if (text === 'second') controller.abort('enough');
      return 0.5;
    });
    const reranker = await llamaReranker({ context });
    const call = reranker.rerank('q', ['first', 'second', 'third'], { signal: controller.signal });
    await expect(call).rejects.toBe('enough');
    await reranker.rerank('q', ['fourth']);
    expect(state.asked).toEqual(['first', 'second', 'fourth']);
  });
});

test.each<[LlamaRerankerOptions, RegExp]>([
  [{}, /^modelPath is missing/],
  [{ modelPath: 'm.gguf', context: contextOf().context }, /^modelPath cannot be given together with context/],
  [{ context: {} as never }, /context.*LlamaRankingContext/],
])('options %o are refused', async (options, message) => {
  await expect(llamaReranker(options)).rejects.toThrow(message);
});

let isInstalled = true;
try {
  createRequire(import.meta.url).resolve('node-llama-cpp');
} catch {
  isInstalled = false;
}

// In continuous integration a missing engine fails the test; elsewhere the tests with it are reported as skipped.
test.runIf(mustHaveAll)('node-llama-cpp is installed', () => expect(isInstalled).toBe(true));

test.skipIf(isInstalled)('without the package, it is named with the command that installs it', async () => {
  const error = await llamaReranker({ modelPath: 'm.gguf' }).catch((thrown: unknown) => thrown);
  if (!ContextShapingError.isInstance(error)) return expect.unreachable(String(error));
  expect([error.kind, error.field]).toEqual(['missing-dependency', 'llamaReranker']);
  expect(error.message).toContain('Run: npm install node-llama-cpp');
});

describe.skipIf(!isInstalled)('llama.cpp in this process, with a tiny reranker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'context-shaping-test-'));
  const modelPath = join(folder, 'reranker.gguf');
  let reranker: InProcessReranker;
  beforeAll(async () => {
    writeFileSync(modelPath, tinyReranker());
    reranker = await llamaReranker({ modelPath, threads: 1 });
  });
  afterAll(async () => {
    await reranker?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const texts = ['berlin is the capital', 'the river', 'paris is a capital', 'who was where'];
  const query = 'what is the capital of paris';

  test.each(rerankerContract(() => reranker, { texts, query }))('$name', ({ run }) => run());

  test('a text that is longer than the context is ranked in parts; the file is the identity', async () => {
    const { scores, usage } = await reranker.rerank(query, [`${'the river '.repeat(200)}berlin`]);
    expect(scores[0]).toBeGreaterThan(0);
    expect(usage.tokens).toBeGreaterThan(400);
    expect(await reranker.identify()).toMatch(/^gguf:sha256:[0-9a-f]{64}$/);
    expect(reranker.modelId).toBe('reranker.gguf');
  });

  test('a language model is no reranker', async () => {
    const call = llamaReranker({ modelPath: 'test/fixtures/ecs-tiny/ecs-tiny-f16.gguf', threads: 1 });
    await expect(call).rejects.toThrow(/cannot create a ranking context.*Give a reranking model/);
  });
});
