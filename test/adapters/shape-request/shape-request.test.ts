import { type ContextShapingError, createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { fieldsAsWritten, readShapeRequest } from '../../../adapters/shape-request/index.js';

const chunks = [{ id: 'a', text: 'A text.' }];
const flag = (question?: string) => ({ name: '--query', question });

function refusal(action: () => unknown): ContextShapingError {
  try {
    action();
  } catch (error) {
    return error as ContextShapingError;
  }
  throw new Error('It was not refused.');
}

describe('readShapeRequest', () => {
  test.each([
    [{ query: 'q' }, { text: 'q' }, '$.query'],
    [{ query: { text: 'q', embedding: [1] } }, { text: 'q', embedding: [1] }, '$.query.text'],
  ])('takes %j apart', (body, query, path) => {
    expect(readShapeRequest({ ...body, chunks, options: { k: 2 } })).toEqual({
      query,
      chunks,
      options: { k: 2 },
      paths: { query: path },
    });
  });

  test('the conversation before the question goes along, also with a question from elsewhere', () => {
    const history = [{ role: 'user', text: 'Hello.' }];
    const body = { query: { text: 'q', history }, chunks };
    expect(readShapeRequest(body).query).toEqual({ text: 'q', history });
    expect(readShapeRequest(body, flag('r')).query).toEqual({ text: 'r', history });
    expect(readShapeRequest({ query: { text: 'q', history: null }, chunks }).query).toEqual({ text: 'q' });
  });

  test('null is absent', () => {
    const { query, options } = readShapeRequest({
      query: { text: 'q', embedding: null },
      chunks,
      options: null,
    });
    expect({ query, options }).toEqual({ query: { text: 'q' }, options: {} });
  });

  test('a question from elsewhere goes over that of the body', () => {
    const { query, paths } = readShapeRequest({ query: 'q', chunks }, flag('r'));
    expect({ query, paths: paths.query }).toEqual({ query: { text: 'r' }, paths: '--query' });
    expect(readShapeRequest({ query: 'q', chunks }, flag()).query).toEqual({ text: 'q' });
  });

  test('every host speaks in its own terms', () => {
    expect(refusal(() => readShapeRequest({ chunks })).message).toBe(
      '$.query must be a string (got undefined). Give the question there; an empty one is fine.',
    );
    expect(refusal(() => readShapeRequest({ chunks }, flag())).remedy).toContain('there or by --query');
    const other = { query: { text: 'q', embedding: [1] }, chunks };
    expect(refusal(() => readShapeRequest(other, flag('r'))).field).toBe('--query');
  });

  test.each([
    ['a string', '$'],
    [{ query: 'q', chunks, extra: 1 }, '$.extra'],
    [JSON.parse('{"query": "q", "chunks": [], "__proto__": {}}'), '$.__proto__'],
    [{ query: 'q' }, '$.chunks'],
    [{ query: 'q', chunks, options: [] }, '$.options'],
    [{ query: { text: 'q', vector: [1] }, chunks }, '$.query.vector'],
    [{ query: 'q', queryEmbedding: [1], chunks }, '$.queryEmbedding'],
  ])('refuses %j', (body, field) => {
    expect(refusal(() => readShapeRequest(body))).toMatchObject({ kind: 'invalid-input', field });
  });
});

describe('fieldsAsWritten', () => {
  const complaint = async (body: object, nameOf?: Map<string, string>) => {
    const { query, chunks, options, paths } = readShapeRequest(body);
    try {
      await createShaper(options).shape({ query, chunks });
    } catch (error) {
      return (fieldsAsWritten(error, paths, nameOf) as Error).message;
    }
    throw new Error('It was not refused.');
  };

  test('fields are JSON paths, in remedies too', async () => {
    expect(await complaint({ query: 'q', chunks: [...chunks, { id: 'a', text: 'B' }] })).toMatch(
      /^\$\.chunks\[1\]\.id is also the id of \$\.chunks\[0\]/,
    );
    expect(await complaint({ query: { text: 'q', embedding: [1, null] }, chunks })).toMatch(
      /^\$\.query\.embedding\[1\] must/,
    );
    expect(
      await complaint({ query: { text: 'q', history: [{ role: 'system', text: '' }] }, chunks }),
    ).toMatch(/^\$\.query\.history\[0\]\.role must be 'user' or 'assistant'/);
    expect(await complaint({ query: 'q', chunks, options: { k: 0 } })).toMatch(
      /^\$\.options\.k must be at least 1 .*Correct \$\.options\.k/,
    );
  });

  test('a value that was not in the body has the name that its host has for it', async () => {
    const body = { query: 'q', chunks, options: { k: 0 } };
    expect(await complaint(body, new Map([['k', '--k']]))).toMatch(/^--k must .*Correct --k/);
  });

  test('other errors stay as they are', () => {
    const error = new Error('chunks[0] is gone');
    expect(fieldsAsWritten(error, { query: '$.query' })).toBe(error);
  });
});
