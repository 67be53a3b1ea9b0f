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
    ...{ id: 7, query: { text: 'When?', embedding: [1, 0], answer: null }, group: null, ranked: 'reranked' },
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

/** The mistake, the field that the message names, a part of the problem, and a part of the remedy if it has its own. */
const MISTAKES: readonly (readonly [change: unknown, field: string, problem: string, remedy?: string])[] = [
  ['text', '', 'must be an object'],
  [{ query: undefined }, '.query', 'must be a text'],
  [{ query: '  ' }, '.query', 'must not be blank'],
  [{ query: {} }, '.query.text', 'must be a string'],
  [{ query: { text: 'q', historie: [] } }, '.query.historie', 'not a known field', 'Did you mean "history"?'],
  [{ query: { text: 'q', history: 'no' } }, '.query.history', 'must be an array'],
  [
    { query: { text: 'q', history: [{ role: 'bot', text: 'x' }] } },
    '.query.history[0].role',
    'must be "user"',
  ],
  [{ query: { text: 'q', embedding: ['a'] } }, '.query.embedding[0]', 'must be a finite number'],
  [{ query: { text: 'q', embedding: [] } }, '.query.embedding', 'must not be empty'],
  [{ query: undefined, question: 'q' }, '.question', 'not a known field', 'a case is {'],
  [{ chunks: undefined, chunk: [] }, '.chunk', 'not a known field', 'Did you mean "chunks"?'],
  [{ something: 1 }, '.something', 'not a known field', 'a case is {'],
  [{ chunks: null }, '.chunks', 'must be an array'],
  [{ chunks: ['a', ['b']] }, '.chunks[1]', 'must be a string or an object'],
  [{ chunks: [{ id: 'a' }] }, '.chunks[0].text', 'must be a string'],
  [{ chunks: [{ id: '', text: 'x' }] }, '.chunks[0].id', 'must not be empty'],
  [one('x', { score: '0.5' }), '.chunks[0].score', 'must be a finite number'],
  [one('x', { metadata: 'm' }), '.chunks[0].metadata', 'must be an object'],
  [{ chunks: [...chunks, { id: 'a', text: 'other' }] }, '.chunks[2].id', 'an earlier chunk', 'id of its own'],
  [{ ranked: 2 }, '.ranked', 'must be true, false'],
  [{ id: {} }, '.id', 'must be a text or a number'],
  [{ evidence: undefined }, '.evidence', 'must be an object'],
  [{ evidence: { ids: [] } }, '.evidence', 'names no evidence', 'Write the evidence as'],
  [{ evidence: { answer: ['1932'] } }, '.evidence.answer', 'not a known field', 'mean "answers"?'],
  [{ evidence: { answers: [1932] } }, '.evidence.answers[0]', 'must be a text, or a list of texts'],
  [{ evidence: { answers: [[]] } }, '.evidence.answers[0]', 'must not be empty'],
];

describe('a mistake has its place, the problem and the remedy', () => {
  test.each(MISTAKES)('%j', (change, field, problem, remedy = 'Correct it') => {
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
