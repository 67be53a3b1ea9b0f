/** The controls with vectors, beside the ones of LangChain. */
import { EmbeddingsFilter } from '@langchain/classic/retrievers/document_compressors/embeddings_filter';
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import { maximalMarginalRelevance } from '@langchain/core/utils/math';
import { evaluate } from 'context-shaping-devtools/evaluate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ControlledPool } from '../../src/evaluate/controls.js';
import { hasVectors, VECTOR_CONTROLS } from '../../src/evaluate/vector-controls.js';
import { bridgeCase } from './cases.js';

class GivenVectors extends Embeddings {
  constructor(
    readonly question: number[],
    readonly chunks: number[][],
  ) {
    super({});
  }
  embedDocuments = async () => this.chunks;
  embedQuery = async () => this.question;
}

/** Vectors of whole numbers, so that equal cosines are equal in any order of operations that is exact. */
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 })
  .filter((all) => all.some((each) => each !== 0));
const given = fc.record({ question: vector, chunks: fc.array(vector, { minLength: 1, maxLength: 12 }) });

/** Each chunk has one token, so a budget is a `k`. */
const poolOf = (question: number[], vectors: number[][]): ControlledPool => ({
  question: 'q',
  embedding: question,
  chunks: vectors.map((embedding, at) => ({ id: `${at}`, text: `${at}`, embedding })),
  tokens: vectors.map(() => 1),
  seed: 1,
  countTokens: () => 1,
});
const placesBy = (name: string, pool: ControlledPool, k: number) => {
  const control = VECTOR_CONTROLS.find((each) => each.name === name);
  return control
    ?.read(pool)(k, k)
    .map(({ place }) => place);
};

test("top k by cosine is LangChain's EmbeddingsFilter with k", async () => {
  await fc.assert(
    fc.asyncProperty(given, async ({ question, chunks }) => {
      for (let k = 1; k <= chunks.length; k++) {
        const filter = new EmbeddingsFilter({ embeddings: new GivenVectors(question, chunks), k });
        const documents = chunks.map((_, at) => new Document({ pageContent: `${at}` }));
        const kept = await filter.compressDocuments(documents, 'q');
        expect(placesBy('top k by cosine', poolOf(question, chunks), k)).toEqual(
          kept.map(({ pageContent }) => Number(pageContent)),
        );
      }
    }),
  );
});

test("MMR by cosine is LangChain's maximalMarginalRelevance", () => {
  fc.assert(
    fc.property(given, ({ question, chunks }) => {
      expect(placesBy('MMR by cosine', poolOf(question, chunks), chunks.length)).toEqual(
        maximalMarginalRelevance(question, chunks, undefined, chunks.length),
      );
    }),
  );
});

test('they are measured if all cases have vectors of one length, and only then', async () => {
  const withVectors = [5, 6, 7].map((number) => {
    const { query, chunks, ...rest } = bridgeCase(number);
    const embedding = (id: string) => (id === 'answer' ? [1, 0.1] : [0.1, 1]);
    const embedded = chunks.map((chunk) => ({ ...chunk, embedding: embedding(chunk.id) }));
    return { ...rest, query: { text: query, embedding: [1, 0] }, chunks: embedded };
  });
  const controlsOf = async (cases: readonly unknown[]) => {
    const { methods } = await evaluate({ cases, budgets: [45, 400] });
    return methods.filter(({ kind }) => kind === 'control');
  };
  const all = await controlsOf(withVectors);
  expect(all.map(({ name }) => name)).toEqual([
    ...['sentence BM25', 'top k', 'head and tail', 'random chunks', 'top k by cosine', 'MMR by cosine'],
  ]);
  // The vectors know the answer, and the order of the retriever does not.
  expect(all.map(({ budgets: [least] }) => least?.evidence.mean).slice(4)).toEqual([1, 1]);
  expect(all[1]?.budgets[0]?.evidence.mean).toBe(0);
  const plain = [...withVectors.slice(1), bridgeCase(9)];
  expect((await controlsOf(plain)).map(({ name }) => name)).not.toContain('top k by cosine');
});

test('a question without a vector, or a chunk with a shorter one, has none', () => {
  const chunk = (...embedding: number[]) => ({ id: 'a', text: 'a', embedding });
  const query = { text: 'q', embedding: [1, 0] };
  expect(hasVectors({ query, chunks: [chunk(1, 0)] })).toBe(true);
  expect(hasVectors({ query, chunks: [chunk(1, 0), chunk(1)] })).toBe(false);
  expect(hasVectors({ query: { text: 'q' }, chunks: [chunk(1, 0)] })).toBe(false);
});
