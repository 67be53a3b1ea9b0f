/** Retrieval, correction and generation in one graph. */
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { FakeListChatModel, FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { Command, isInterrupted, MemorySaver } from '@langchain/langgraph';
import type { ShapingReport } from 'context-shaping';
import {
  type AnswerGraphFields,
  createAnswerGraph,
  type ReviewRequest,
  type Verdict,
} from 'context-shaping/langgraph';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { schemaErrors } from './support.js';

const question = 'When was the harbour bridge opened?';
const texts = ['The harbour bridge was opened in 1932.', 'Cats sleep all day.', 'Dogs bark at night.'];
const retriever = BM25Retriever.fromDocuments(
  texts.map((pageContent, nth) => new Document({ id: `text-${nth}`, pageContent, metadata: {} })),
  { k: 10 },
);
const thread = { configurable: { thread_id: 't' } };

/** Replies with its prompt. */
class Echo extends FakeListChatModel {
  prompts: string[] = [];
  constructor() {
    super({ responses: [''] });
  }
  override async _generate(messages: BaseMessage[]) {
    const text = messages.map((message) => message.text).join('\n');
    this.prompts.push(text);
    return { generations: [{ text, message: new AIMessage(text) }] };
  }
}
const graphOf = (fields: Partial<AnswerGraphFields> = {}) =>
  createAnswerGraph({ retriever, model: new Echo(), ...fields });

describe('an answer', () => {
  test('comes with the documents that the model saw, the verdict and the report', async () => {
    const model = new Echo();
    const output = await graphOf({ model }).invoke({ question });
    expectTypeOf(output).toMatchObjectType<{
      question: string;
      documents: DocumentInterface[];
      generation: string;
      verdict: Verdict;
      report: ShapingReport;
    }>();
    expect(model.prompts).toHaveLength(1);
    expect(output.generation).toContain(`[id: text-0]\n${texts[0]}`);
    expect(output.generation).toContain(question);
    expect(output.generation).not.toContain('Cats');
    expect(output.verdict).toBe('correct');
    expect(output.documents.map(({ id }) => id)).toEqual(['text-0']);
    expect(output.report.input).toHaveLength(3);
    expect(schemaErrors(output.report)).toEqual([]);
  });

  test('is written for the given prompt, from documents as `render` shows them', async () => {
    const prompt = ChatPromptTemplate.fromTemplate('{question} {context}');
    const render = ({ pageContent }: DocumentInterface) => `<${pageContent}>`;
    const { generation, report } = await graphOf({ prompt, render }).invoke({ question });
    expect(generation).toBe(`${question} <${texts[0]}>`);
    expect(report.kept[0]?.tokens).toBeGreaterThan(0);
  });

  test('uses what a search finds', async () => {
    const found = { pageContent: 'The tunnel was opened to traffic in 1992.', metadata: {} };
    const webSearch = async () => [found];
    const { generation, documents } = await graphOf({ webSearch }).invoke({
      question: 'When was the tunnel opened?',
    });
    expect(documents).toContainEqual(found);
    expect(generation).toContain('1992');
  });

  test('streams its tokens', async () => {
    const model = new FakeStreamingChatModel({ responses: [new AIMessage('In 1932.')], sleep: 1 });
    const stream = await graphOf({ model }).stream({ question }, { streamMode: 'messages' });
    const tokens: string[] = [];
    for await (const [chunk, metadata] of stream) {
      if (metadata.langgraph_node === 'generate') tokens.push(chunk.text);
    }
    expect(tokens.length).toBeGreaterThan(1);
    expect(tokens.join('')).toBe('In 1932.');
  });

  test('leaves out what a model thinks', async () => {
    const model = new FakeListChatModel({ responses: ['<think>A bridge?</think>In 1932.'] });
    expect((await graphOf({ model }).invoke({ question })).generation).toBe('In 1932.');
  });
});

describe('a person', () => {
  const asked = async (answer: unknown, fields: Partial<AnswerGraphFields> = {}) => {
    const model = new Echo();
    const checkpointer = new MemorySaver();
    const graph = graphOf({ model, review: true, checkpointer, ...fields });
    const paused: unknown = await graph.invoke({ question: 'How tall is the tower?' }, thread);
    if (!isInterrupted<ReviewRequest>(paused)) throw new Error('nobody was asked');
    expect(model.prompts).toEqual([]);
    return { ...(await graph.invoke(new Command({ resume: answer }), thread)), prompts: model.prompts };
  };

  test('a refusing person’s refusal is the answer, and the model is not asked', async () => {
    const { generation, verdict, documents, prompts } = await asked('refuse', { refusal: 'No.' });
    expect([generation, verdict, documents, prompts]).toEqual(['No.', 'refused', [], []]);
  });

  test('a person’s answer is quoted to the model', async () => {
    const { generation, verdict } = await asked({ action: 'answer', answer: 'It is 300 m tall.' });
    expect(generation).toContain('It is 300 m tall.');
    expect(verdict).toBe('answered');
  });

  test('a person’s new question is the one that is answered', async () => {
    const { generation, question: kept } = await asked({ action: 'edit', query: question });
    expect(generation).toContain(question);
    expect(generation).not.toContain('tower');
    expect(kept).toBe('How tall is the tower?');
  });
});

describe('without a context', () => {
  test('the refusal is the answer', async () => {
    const model = new Echo();
    const nothing = { invoke: async () => [] };
    const { generation, verdict } = await graphOf({ model, retriever: nothing }).invoke({ question });
    expect([generation, verdict]).toEqual([
      'I cannot answer this question: I have no documents for it.',
      'incorrect',
    ]);
    expect(model.prompts).toEqual([]);
  });
});

describe('a run', () => {
  test('ends with its signal', async () => {
    const stop = new AbortController();
    const model = {
      invoke: async (_: unknown, config?: { signal?: AbortSignal }) => {
        stop.abort(new Error('not needed any more'));
        config?.signal?.throwIfAborted();
        return new AIMessage('late');
      },
    };
    await expect(graphOf({ model }).invoke({ question }, { signal: stop.signal })).rejects.toThrow(
      'not needed any more',
    );
  });

  test.each([undefined, '', ' ', 7])('without a question is refused: %j', async (wrong) => {
    await expect(graphOf().invoke({ question: wrong as never })).rejects.toMatchObject({
      kind: 'invalid-input',
      field: 'question',
    });
  });

  test.each<[string, object]>([
    ['retriever', { retriever: undefined }],
    ['model', { model: {} }],
    ['prompt', { prompt: 'Answer.' }],
    ['refusal', { refusal: '' }],
    ['keys', { keys: { query: 'q' } }],
    ['maxAttempts', { maxAttempts: -1 }],
  ])('with a wrong %s is not made', (field, fields) => {
    expect(() => graphOf(fields)).toThrow(expect.objectContaining({ kind: 'invalid-options', field }));
  });
});
