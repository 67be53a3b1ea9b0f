import { describe, expect, test } from 'vitest';
import { cli, ROOT, type Setting } from './harness.js';

const chunk = { id: 'a', text: 'A text.' };
const body = (over: object) => JSON.stringify({ query: 'q', chunks: [chunk], ...over });

/** The fault, the input, flags, and the expected message. */
const CASES: [what: string, stdin: string, flags: string[], ...parts: string[]][] = [
  ['nothing', '', [], 'standard input is not JSON: Unexpected end of JSON input'],
  ['no JSON', 'hello', [], 'standard input is not JSON: Unexpected token', '"hello"'],
  ['no comma', '{\n  "query": "q"\n  "chunks": []\n}', [], "Expected ','", 'position 19'],
  ['a trailing comma', '{"query": "q", "chunks": [],}', [], 'double-quoted property name'],
  ['NaN', '{"query": "q", "chunks": [{"score": NaN}]}', [], 'Unexpected token', '{"score": NaN}]}'],
  ['a line break in a string', '{"query": "a\nb"}', [], 'control character'],
  ['two values', `${body({})} {}`, [], 'after JSON'],
  ['an array', '[]', [], '$ must be an object', 'array of 0', '"chunks"'],
  [
    'an unknown key',
    body({ chunk: [] }),
    [],
    '$.chunk is not a known key',
    'Did you mean "chunks"? The keys',
  ],
  ['no chunks', '{"query": "q"}', [], '$.chunks must be an array', 'undefined'],
  ['no query', JSON.stringify({ chunks: [] }), [], '$.query must be a string', '--query'],
  ['a query without text', body({ query: { embedding: [1] } }), [], '$.query.text must be a string'],
  ['an unknown key of the query', body({ query: { text: 'q', vector: [1] } }), [], '$.query.vector is not a'],
  [
    'a vector of another question',
    body({ query: { text: 'q', embedding: [1] } }),
    ['--query', 'r'],
    '--query differs from',
  ],
  // The core checks the rest; the message names fields as the input has them.
  [
    'a bad score',
    body({ chunks: [{ ...chunk, score: '3' }] }),
    [],
    '$.chunks[0].score must be a finite number',
  ],
  ['a document', body({ chunks: [chunk, { id: 'b', pageContent: 't' }] }), [], 'Documents of LangChain'],
  [
    'one id',
    body({ chunks: [chunk, { id: 'a', text: 'B' }] }),
    [],
    '$.chunks[1].id is also the id of $.chunks[0]',
  ],
  [
    'a bad vector',
    body({ query: { text: 'q', embedding: [1, null] } }),
    [],
    '$.query.embedding[1] must be a finite number',
  ],
  ['no vector', body({ query: { text: 'q', embedding: [] } }), [], '$.query.embedding must be'],
  [
    'vectors of two dimensions',
    body({ query: { text: 'q', embedding: [1, 2, 3] }, chunks: [{ ...chunk, embedding: [1, 2] }] }),
    [],
    '$.chunks[0].embedding has another dimension than $.query.embedding, which has 3',
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
    'Correct $.options.select.lambda',
  ],
  ['a flag out of range', body({}), ['--k', '0'], '--k must be at least 1 (got 0)', 'Correct --k'],
  ['a reserve of all', body({}), ['--budget', '5', '--reserve', '5'], '--reserve must be less than budget.'],
  ['a broken option', body({ options: { budget: 1500 } }), ['--budget', '5'], '$.options.budget must be an'],
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
    expect(stderr).toContain('biome.json.missing: ENOENT');
    expect((await cli(['shape', ROOT])).stderr).toContain('EISDIR');
    expect((await cli(['shape', `${ROOT}/vitest.config.ts`])).stderr).toContain(
      'vitest.config.ts is not JSON: ',
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
      expect(outcome.stderr).toContain('[cause]');
    }
  });

  test('a foreign text cannot steer the terminal', async () => {
    const { stderr } = await cli(['shape'], { stdin: body({ 'a\u001b[2Jb': 1 }) });
    expect(stderr).not.toContain('\u001b');
  });
});
