import { describe, expect, test } from 'vitest';
import { cli, ROOT, type Setting } from './harness.js';

const chunk = { id: 'a', text: 'A text.' };
const body = (over: object) => JSON.stringify({ query: 'q', chunks: [chunk], ...over });

/** The fault, the input, flags, and the expected message. */
const CASES: [what: string, stdin: string, flags: string[], ...parts: string[]][] = [
  ['nothing', '', [], 'standard input, line 1, column 1', 'expected a value', 'the end of the text'],
  ['no JSON', 'hello', [], 'line 1, column 1', '"hello"'],
  [
    'a missing comma',
    '{\n  "query": "q"\n  "chunks": []\n}',
    [],
    'line 3, column 3',
    'character 20',
    'a comma',
  ],
  ['a trailing comma', '{"query": "q", "chunks": [],}', [], 'column 29', 'a key in double quotes'],
  ['single quotes', "{'query': 'q'}", [], 'column 2', 'a key in double quotes'],
  ['NaN', '{"query": "q", "chunks": [{"score": NaN}]}', [], 'column 37', 'expected a value', '"NaN}]}"'],
  ['a line break in a string', '{"query": "a\nb"}', [], 'line 1, column 13', 'control character'],
  ['two values', `${body({})} {}`, [], 'expected nothing more'],
  ['an array', '[]', [], '$ must be an object', 'array of 0', '"chunks"'],
  ['null', 'null', [], '$ must be an object', 'null'],
  [
    'an unknown key',
    body({ chunk: [] }),
    [],
    '$.chunk is not a known key',
    'query, queryEmbedding, chunks, options',
  ],
  ['no chunks', '{"query": "q"}', [], '$.chunks must be an array', 'undefined'],
  ['chunks of another type', body({ chunks: { a: 1 } }), [], '$.chunks must be an array', '{"a":1}'],
  ['a chunk that is a string', body({ chunks: [chunk, 'b'] }), [], '$.chunks[1] must be an object', '"b"'],
  ['no id', body({ chunks: [{ text: 't' }] }), [], '$.chunks[0].id must be a non-empty string'],
  [
    'no text',
    body({ chunks: [chunk, { id: 'b', pageContent: 't' }] }),
    [],
    '$.chunks[1] is a LangChain document',
  ],
  [
    'a score in quotes',
    body({ chunks: [{ ...chunk, score: '3' }] }),
    [],
    '$.chunks[0].score must be a finite number',
    '"3"',
  ],
  [
    'an infinite score',
    '{"query":"q","chunks":[{"id":"a","text":"t","score":1e999}]}',
    [],
    '$.chunks[0].score',
    'Infinity',
  ],
  [
    'metadata that is an array',
    body({ chunks: [{ ...chunk, metadata: [] }] }),
    [],
    '$.chunks[0].metadata must be an object',
  ],
  [
    'two texts of one id',
    body({ chunks: [chunk, { id: 'a', text: 'B' }] }),
    [],
    '$.chunks[1].id is also the id of $.chunks[0]',
  ],
  [
    'a component that is null',
    body({ queryEmbedding: [1, null] }),
    [],
    '$.queryEmbedding[1] must be a finite number',
  ],
  [
    'an empty vector inside the query',
    body({ query: { text: 'q', embedding: [] } }),
    [],
    '$.query.embedding must be',
  ],
  [
    'vectors of two dimensions',
    body({ queryEmbedding: [1, 2, 3], chunks: [{ ...chunk, embedding: [1, 2] }] }),
    [],
    '$.chunks[0].embedding has another dimension than $.queryEmbedding, which has 3',
  ],
  ['no query', JSON.stringify({ chunks: [] }), [], '$.query must be a string', '--query'],
  ['a query that is a number', body({ query: 7 }), [], '$.query must be a string (got 7)'],
  ['a query without text', body({ query: { embedding: [1] } }), [], '$.query.text must be a string'],
  [
    'an unknown key of the query',
    body({ query: { text: 'q', vector: [1] } }),
    [],
    '$.query.vector is not a known key',
  ],
  [
    'two vectors of the query',
    body({ query: { text: 'q', embedding: [1] }, queryEmbedding: [1] }),
    [],
    '$.queryEmbedding',
  ],
  [
    'a vector of another question',
    body({ queryEmbedding: [1] }),
    ['--query', 'r'],
    '--query differs from the question that $.queryEmbedding',
  ],
  ['options that are no object', body({ options: 5 }), [], '$.options must be an object (got 5)'],
  [
    'an unknown option',
    body({ options: { budgets: 5 } }),
    [],
    '$.options.budgets is not an option',
    'budget',
  ],
  [
    'an option out of range',
    body({ options: { select: { lambda: 2 } } }),
    [],
    '$.options.select.lambda must be at most 1',
    'Give $.options.select.lambda',
  ],
  [
    'an embedder',
    body({ options: { embedder: { model: 'm' } } }),
    [],
    '$.options.embedder must be an object with an embed',
  ],
  ['a function', body({ options: { onEvict: 'log' } }), [], '$.options.onEvict must be a function'],
  [
    'a flag out of range',
    body({}),
    ['--k', '0'],
    '--k must be at least 1 (got 0)',
    'Give --k a larger value',
  ],
  [
    'a budget of nothing',
    body({ options: { k: 0 } }),
    ['--budget', '0', '--k', '3'],
    '--budget must be at least 1',
  ],
  [
    'a reserve that leaves nothing',
    body({}),
    ['--budget', '5', '--reserve', '5'],
    '--reserve must be less than budget.maxTokens',
  ],
  [
    'a flag over a broken option',
    body({ options: { budget: 1500 } }),
    ['--budget', '5'],
    '$.options.budget must be an object',
  ],
];

describe('bad input', () => {
  test.each(CASES)('%s', async (_what, stdin, flags, ...parts) => {
    const { code, stdout, stderr } = await cli(['shape', ...flags], { stdin });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const part of parts) expect(stderr).toContain(part);
    expect(stderr).toMatch(/^context-shaping: [^\n]*\n$/);
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
  });

  test('the message names the file', async () => {
    const { code, stderr } = await cli(['shape', `${ROOT}/biome.json.missing`]);
    expect(code).toBe(2);
    expect(stderr).toContain('biome.json.missing: no such file');
    expect((await cli(['shape', ROOT])).stderr).toContain('it is a folder');
    expect((await cli(['shape', `${ROOT}/vitest.config.ts`])).stderr).toContain(
      'vitest.config.ts, line 1, column 1',
    );
  });

  test('UTF-16 is named, not misread', async () => {
    const { code, stderr } = await cli(['shape'], { stdin: Buffer.from(`\ufeff${body({})}`, 'utf16le') });
    expect(code).toBe(2);
    expect(stderr).toContain('is not UTF-8');
  });

  test('a terminal with nothing to read gets help, not a wait', async () => {
    const { code, stderr } = await cli(['shape'], { terminal: 80 });
    expect(code).toBe(2);
    expect(stderr).toContain('context-shaping shape < input.json');
  });

  test.each([
    [['shape', '--budget', 'many'], '--budget <tokens>', 'Give a whole number'],
    [['shape', '--budget', '1.5'], 'Give a whole number'],
    [['shape', '--format', 'xml'], 'Allowed choices are table, json, text, jsonl'],
    [['shape', '--bugdet', '5'], 'unknown option', '--budget'],
    [['shape', 'a', 'b'], 'too many arguments'],
    [['shrink'], 'unknown command'],
  ])('the call %j', async (args, ...parts) => {
    const { code, stdout, stderr } = await cli(args as string[], { stdin: body({}) });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const part of parts) expect(stderr).toContain(part);
    expect(stderr).toMatch(/^context-shaping: /);
  });

  test('--verbose and DEBUG show stacks and causes', async () => {
    const setting: Setting = { stdin: '{' };
    for (const outcome of [
      await cli(['shape', '--verbose'], setting),
      await cli(['shape'], { ...setting, env: { DEBUG: '1' } }),
    ]) {
      expect(outcome.code).toBe(2);
      expect(outcome.stderr).toMatch(/\n\s+at /);
      expect(outcome.stderr).toContain('caused by');
    }
  });

  test('a foreign text cannot steer the terminal', async () => {
    const { stderr } = await cli(['shape'], { stdin: body({ 'a\u001b[2Jb': 1 }) });
    expect(stderr).not.toContain('\u001b');
  });
});
