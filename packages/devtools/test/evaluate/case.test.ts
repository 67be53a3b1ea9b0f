import { ContextShapingError } from 'context-shaping';
import { parseEvaluationCase } from 'context-shaping-devtools/evaluate';
import { describe, expect, test } from 'vitest';

const chunks = [
  { id: 'a', text: 'The bridge opened in 1932.\nIt has eight lanes.' },
  { id: 'b', text: 'A ferry crossed the harbour.' },
];
const right = { query: 'When did it open?', chunks, evidence: { answers: ['1932'] } };

test('texts become objects, absent ids numbers, and null counts as absent', () => {
  const given = {
    ...{ id: 7, query: 'When?', queryEmbedding: [1, 0], group: null, ranked: 'reranked' },
    chunks: ['The first.', { text: 'The second.', id: null, score: 0.5, metadata: { page: null } }],
    evidence: { answers: [['1932', 'in thirty-two'], 'Sydney'], ids: null },
  };
  const copy = structuredClone(given);
  expect(parseEvaluationCase(given)).toEqual({
    ...{ id: '7', group: '7', ranked: 'reranked', query: { text: 'When?', embedding: [1, 0] } },
    chunks: [
      { id: '1', text: 'The first.' },
      { id: '2', text: 'The second.', score: 0.5, metadata: { page: null } },
    ],
    evidence: { answers: [['1932', 'in thirty-two'], 'Sydney'] },
  });
  expect(given).toEqual(copy);
  expect(parseEvaluationCase(right, 'case', 3)).toMatchObject({ id: '3', group: '3' });
});

const one = (text: string, more = {}) => ({ chunks: [{ id: 'a', text, ...more }] });
const spans = (form: string, ...all: object[]) => ({ evidence: { [form]: all } });

/** The mistake, the field that the message names, a part of the problem, and a part of the remedy. */
const MISTAKES: readonly (readonly [change: unknown, field: string, problem: string, remedy: string])[] = [
  ['text', '', 'must be an object', 'Write {'],
  [[], '', 'must be an object', 'Write {'],
  [{ query: undefined }, '.query', 'must be a text', 'Write the question'],
  [{ query: '' }, '.query', 'must not be blank', 'Write the question'],
  [{ query: '  ' }, '.query', 'must not be blank', 'Write the question'],
  [{ query: 5 }, '.query', 'must be a text', 'Write the question'],
  [{ query: {} }, '.query.text', 'must be a string', 'Write the text'],
  [{ query: { text: ' ' } }, '.query.text', 'must not be blank', 'Write the text'],
  [
    { query: { text: 'q', historie: [] } },
    '.query.historie',
    'is not a known field',
    'Did you mean "history"?',
  ],
  [{ query: { text: 'q', history: 'no' } }, '.query.history', 'must be an array', 'oldest turn first'],
  [
    { query: { text: 'q', history: [{ role: 'bot', text: 'x' }] } },
    '.query.history[0].role',
    'must be "user"',
    'Write "user"',
  ],
  [
    { query: { text: 'q', history: [{ role: 'user' }] } },
    '.query.history[0].text',
    'must be a string',
    'Write the text',
  ],
  [{ query: { text: 'q', embedding: ['a'] } }, '.query.embedding[0]', 'must be a finite number', 'vector'],
  [
    { query: { text: 'q', embedding: [1] }, queryEmbedding: [1] },
    '.queryEmbedding',
    'repeats query.embedding',
    'only once',
  ],
  [{ queryEmbedding: [] }, '.queryEmbedding', 'must not be empty', 'vector'],
  [{ query: undefined, question: 'q' }, '.query', 'must be a text', 'Rename the field "question" to "query"'],
  [{ qery: 'q' }, '.qery', 'is not a known field', 'Did you mean "query"?'],
  [
    { chunks: undefined, documents: [] },
    '.chunks',
    'must be an array',
    'Rename the field "documents" to "chunks"',
  ],
  [{ documents: [] }, '.documents', 'is not a known field', 'Did you mean "chunks"?'],
  [{ something: 1 }, '.something', 'is not a known field', 'The fields are id, group, query'],
  [{ chunks: undefined }, '.chunks', 'must be an array', 'in the order of the retriever'],
  [{ chunks: 'text' }, '.chunks', 'must be an array', 'in the order of the retriever'],
  [{ chunks: null }, '.chunks', 'must be an array', 'in the order of the retriever'],
  [{ chunks: [5] }, '.chunks[0]', 'must be a string or an object', 'in the order of the retriever'],
  [{ chunks: ['a', ['b']] }, '.chunks[1]', 'must be a string or an object', 'in the order of the retriever'],
  [{ chunks: [{ id: 'a' }] }, '.chunks[0].text', 'must be a string', 'Write the text'],
  [{ chunks: [{ id: 'a', text: 5 }] }, '.chunks[0].text', 'must be a string', 'Write the text'],
  [
    { chunks: [{ id: 'a', pageContent: 'x' }] },
    '.chunks[0].text',
    'must be a string',
    'Rename the field "pageContent" to "text"',
  ],
  [{ chunks: [{ id: 5, text: 'x' }] }, '.chunks[0].id', 'must be a string', 'Give an id'],
  [{ chunks: [{ id: '', text: 'x' }] }, '.chunks[0].id', 'must not be empty', 'Give an id'],
  [one('x', { score: '0.5' }), '.chunks[0].score', 'must be a finite number', 'score of the retriever'],
  [one('x', { embedding: 'v' }), '.chunks[0].embedding', 'must be an array', 'vector'],
  [one('x', { embedding: [] }), '.chunks[0].embedding', 'must not be empty', 'vector'],
  [one('x', { metadata: 'm' }), '.chunks[0].metadata', 'must be an object', 'Write an object'],
  [one('x', { vector: [1] }), '.chunks[0].vector', 'is not a known field', 'Did you mean "embedding"?'],
  [
    { chunks: [...chunks, { id: 'a', text: 'other' }] },
    '.chunks[2].id',
    'is the id of an earlier chunk',
    'id of its own',
  ],
  [{ ranked: 'yes' }, '.ranked', 'must be true, false', 'how far the order'],
  [{ ranked: 2 }, '.ranked', 'must be true, false', 'how far the order'],
  [{ id: {} }, '.id', 'must be a text or a number', 'Give an id'],
  [{ group: 5 }, '.group', 'must be a string', 'name of the group'],
  [{ evidence: undefined }, '.evidence', 'must be an object', 'Write the evidence as'],
  [{ evidence: ['1932'] }, '.evidence', 'must be an object', 'Write the evidence as'],
  [{ evidence: {} }, '.evidence', 'names no evidence', 'Write the evidence as'],
  [{ evidence: { ids: [] } }, '.evidence', 'names no evidence', 'Write the evidence as'],
  [{ evidence: { answer: ['1932'] } }, '.evidence.answer', 'is not a known field', 'Did you mean "answers"?'],
  [{ evidence: { answers: '1932' } }, '.evidence.answers', 'must be an array', 'alternatives'],
  [
    { evidence: { answers: [1932] } },
    '.evidence.answers[0]',
    'must be a text, or a list of texts',
    'alternatives',
  ],
  [{ evidence: { answers: [' '] } }, '.evidence.answers[0]', 'must not be blank', 'alternatives'],
  [{ evidence: { answers: [[]] } }, '.evidence.answers[0]', 'must not be empty', 'alternatives'],
  [{ evidence: { passages: [''] } }, '.evidence.passages[0]', 'must not be blank', 'word for word'],
  [{ evidence: { ids: [3] } }, '.evidence.ids[0]', 'must be a string', 'ids of the chunks'],
  [spans('lines', { id: 'a', from: 0, to: 1 }), '.evidence.lines[0].from', 'must be at least 1', 'begins'],
  [
    spans('lines', { id: 'a', from: 2, to: 1 }),
    '.evidence.lines[0].to',
    'must be at least 2',
    'last one is included',
  ],
  [
    spans('lines', { id: 'a', from: 1, to: 3 }),
    '.evidence.lines[0].to',
    'the chunk "a" has 2 lines',
    'last one is included',
  ],
  [
    spans('lines', { id: 'bb', from: 1, to: 1 }),
    '.evidence.lines[0].id',
    'is the id of no chunk',
    'Did you mean',
  ],
  [
    spans('lines', { id: 'a', start: 1, to: 1 }),
    '.evidence.lines[0].from',
    'must be a whole number',
    'Rename the field "start" to "from"',
  ],
  [
    spans('characters', { id: 'a', from: 1.5, to: 3 }),
    '.evidence.characters[0].from',
    'must be a whole number',
    'begins',
  ],
  [
    spans('characters', { id: 'a', from: 3, to: 3 }),
    '.evidence.characters[0].to',
    'must be at least 4',
    'not included',
  ],
  [
    spans('characters', { id: 'b', from: 0, to: 99 }),
    '.evidence.characters[0].to',
    'has 28 characters',
    'not included',
  ],
  [
    spans('characters', { id: 'a', from: 3, to: 4 }),
    '.evidence.characters[0]',
    'has no text',
    'span with text',
  ],
];

describe('a mistake has its place, the problem and the remedy', () => {
  test.each(MISTAKES)('%j', (change, field, problem, remedy) => {
    const given =
      typeof change === 'object' && !Array.isArray(change) ? { ...right, ...(change as object) } : change;
    try {
      parseEvaluationCase(given, 'line 4');
    } catch (error) {
      expect(ContextShapingError.isInstance(error)).toBe(true);
      const { kind, field: place, problem: is, remedy: help } = error as ContextShapingError;
      expect({ kind, place }).toEqual({ kind: 'invalid-input', place: `line 4${field}` });
      expect(is).toContain(problem);
      expect(help).toContain(remedy);
      return;
    }
    expect.unreachable('must be refused');
  });
});
