/** Tests of rerankers of LangChain. */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors';
import { ContextShapingError } from 'context-shaping';
import { langChainReranker } from 'context-shaping/langchain';
import { fakeReranker } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { rerankerContract } from '../../contract/contracts.js';

const QUERY = 'Who built the bridge?';
const TEXTS = ['Ferries cross the bay.', 'Ann built the bridge.', 'The bay is wide.'];

async function ranked(query: string, texts: readonly string[]) {
  const { scores } = await fakeReranker().rerank(query, texts);
  return [...texts.keys()]
    .map((index) => ({ index, score: scores[index] as number }))
    .sort((a, b) => b.score - a.score);
}
const kindOf = (error: unknown) => (ContextShapingError.isInstance(error) ? error.kind : String(error));

describe('LangChain', () => {
  /** As `CohereRerank`: it writes into the metadata of the documents that it got, and returns the best `topN`. */
  class Reranking extends BaseDocumentCompressor {
    model = 'rerank-v4.0-pro';
    topN = 2;
    asked: number[] = [];
    async compressDocuments(documents: DocumentInterface[], query: string): Promise<DocumentInterface[]> {
      this.asked.push(this.topN);
      const texts = documents.map(({ pageContent }) => pageContent);
      return (await ranked(query, texts)).slice(0, this.topN).map(({ index, score }) => {
        const document = documents[index] as DocumentInterface;
        document.metadata.relevanceScore = score;
        return document;
      });
    }
  }
  /** Returns what the function makes of the documents. */
  class Scripted extends BaseDocumentCompressor {
    constructor(readonly answer: (documents: DocumentInterface[]) => unknown) {
      super();
    }
    async compressDocuments(documents: DocumentInterface[]): Promise<DocumentInterface[]> {
      return this.answer(documents) as DocumentInterface[];
    }
  }
  const scored = (document: DocumentInterface, score: unknown) =>
    new Document({ ...document, metadata: { ...document.metadata, relevanceScore: score } });

  test.each(rerankerContract(() => langChainReranker(new Reranking())))('$name', ({ run }) => run());

  test('asks for all texts, and leaves the object of the caller as it is', async () => {
    const compressor = new Reranking();
    const reranker = langChainReranker(compressor);
    const { scores, usage } = await reranker.rerank(QUERY, TEXTS);
    expect([scores, usage]).toEqual([[0.25, 0.75, 0.25], { requests: 1 }]);
    expect(compressor.asked).toEqual([3]);
    expect(compressor.topN).toBe(2);
    expect(await reranker.identify()).toBe('langchain:Reranking:rerank-v4.0-pro');
  });

  test('a text that does not come back has no score', async () => {
    const some = new Scripted((documents) => [scored(documents[1] as DocumentInterface, 0.75)]);
    const { scores } = await langChainReranker(some).rerank(QUERY, TEXTS);
    const left = { failure: 'The reranker reports no score for this text.' };
    expect(scores).toEqual([left, 0.75, left]);
  });

  test('another key, and log-odds', async () => {
    const other = new Scripted((documents) =>
      documents.map((each) => new Document({ ...each, metadata: { ...each.metadata, score: 3 } })),
    );
    const { scores, scale } = await langChainReranker(other, { scoreKey: 'score', scale: 'logit' }).rerank(
      QUERY,
      TEXTS,
    );
    expect([scores, scale]).toEqual([[3, 3, 3], 'logit']);
    const names = [langChainReranker(other), langChainReranker(other, { scale: 'logit' })];
    expect(await Promise.all(names.map((each) => each.identify()))).toEqual([
      'langchain:Scripted',
      'langchain:Scripted:logit',
    ]);
  });

  test.each<[string, (documents: DocumentInterface[]) => unknown, RegExp]>([
    ['no scores', (documents) => documents, /writes no score to the metadata key relevanceScore.*scoreKey/],
    ['no documents', () => [], /returns no documents/],
    ['nothing', () => undefined, /returns no documents/],
    ['documents of its own', () => [new Document({ pageContent: 'x' })], /was not given/],
    [
      'one document twice',
      ([first]) => [first, first].map((each) => scored(each as DocumentInterface, 0.5)),
      /once/,
    ],
    ['log-odds', (documents) => documents.map((each) => scored(each, 9)), /option scale to "logit"/],
    ['a score of NaN', (documents) => documents.map((each) => scored(each, Number.NaN)), /finite/],
  ])('an answer with %s is an error', async (_, answer, message) => {
    const error = await langChainReranker(new Scripted(answer))
      .rerank(QUERY, TEXTS)
      .catch((thrown: unknown) => thrown);
    expect(kindOf(error)).toBe('service');
    expect(String(error)).toMatch(message);
  });

  test('an error that may pass is asked again; one of the key is not; an abort is thrown as it is', async () => {
    let count = 0;
    const busy = new Scripted((documents) => {
      if (count++ === 0) throw Object.assign(new Error('slow down'), { statusCode: 429 });
      return documents.map((each) => scored(each, 0.5));
    });
    expect((await langChainReranker(busy).rerank(QUERY, TEXTS)).usage).toEqual({ requests: 2 });
    let asked = 0;
    const closed = new Scripted(() => {
      asked++;
      throw Object.assign(new Error('invalid key'), { statusCode: 401 });
    });
    const error = await langChainReranker(closed)
      .rerank(QUERY, TEXTS)
      .catch((thrown: unknown) => thrown);
    expect([kindOf(error), asked]).toEqual(['service', 1]);
    const controller = new AbortController();
    const deaf = new Scripted(() => new Promise(() => {}));
    const call = langChainReranker(deaf).rerank(QUERY, TEXTS, { signal: controller.signal });
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
    const late = langChainReranker(deaf, { timeoutMs: 20 }).rerank(QUERY, TEXTS);
    expect(kindOf(await late.catch((thrown: unknown) => thrown))).toBe('service');
  });

  test('an object that compresses nothing is refused', () => {
    expect(() => langChainReranker({} as never)).toThrow(
      /^compressor must have the method compressDocuments/,
    );
  });
});
