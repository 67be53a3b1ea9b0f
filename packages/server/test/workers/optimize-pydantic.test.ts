/** How bodies are read. The expected values are those of pydantic 2.13, unless a test says otherwise. */
import { describe, expect, it, test } from 'vitest';
import { createOptimize } from '../../src/workers/optimize/optimize.js';
import { readRequest } from '../../src/workers/optimize/read-request.js';

interface Detail {
  type: string;
  loc: (string | number)[];
  msg: string;
  input?: unknown;
  ctx?: unknown;
}

const optimize = await createOptimize({});
const bytes = (body: string | Uint8Array) =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

async function post(body: string | Uint8Array, isJson = true) {
  const done = await optimize({ body: bytes(body), isJson });
  return { ...done, ...(JSON.parse(done.body) as { detail: Detail[]; chunks: object[] }) };
}

/** A request with one field as it is written. */
const withField = (field: string, json: string) => `{"chunks":[{"id":"a","text":"x"}],"${field}":${json}}`;
const withChunk = (rest: string) => `{"chunks":[{"id":"a","text":"x",${rest}}]}`;

/** The value of a field, or the errors in it. */
function read(field: string, body: string): unknown {
  const found = readRequest({ body: bytes(body), isJson: true });
  if ('errors' in found) return found.errors.map(({ type, loc }) => `${type} ${loc.slice(1).join('.')}`);
  const { request } = found;
  const holder = { ...request.chunks[0], ...request };
  return holder[field as keyof typeof holder];
}

const refused = (type: string) => (field: string) => [`${type} ${field}`];
type Row = [json: string, expected: unknown];

describe('whole numbers', () => {
  const parsing = refused('int_parsing');
  const rows: Row[] = [
    ['3', 3],
    ['3.0', 3],
    ['2e1', 20],
    ['true', 1],
    ['"3"', 3],
    ['" 3\\n"', 3],
    ['"+3"', 3],
    ['"03"', 3],
    ['"3.0"', 3],
    ['"1_000"', 1000],
    ['"3."', parsing],
    ['"3.5"', parsing],
    ['"1__0"', parsing],
    ['"_1"', parsing],
    ['"1_"', parsing],
    ['"1e2"', parsing],
    ['"0x3"', parsing],
    ['"٣"', parsing],
    ['"--3"', parsing],
    ['"- 3"', parsing],
    ['""', parsing],
    ['"three"', parsing],
    ['3.5', refused('int_from_float')],
    ['null', refused('int_type')],
    ['[3]', refused('int_type')],
    ['{}', refused('int_type')],
    ['1e999', refused('finite_number')],
    ['0', refused('greater_than_equal')],
    ['false', refused('greater_than_equal')],
    ['"-3"', refused('greater_than_equal')],
    // pydantic counts further than JavaScript does.
    ['1e300', refused('less_than_equal')],
    ['"99999999999999999999"', refused('less_than_equal')],
  ];
  it.each(rows)('%s', (json, expected) => {
    expect(read('target_k', withField('target_k', json))).toEqual(resolve(expected, 'target_k'));
  });

  test('null where it means that there is none', () => {
    expect(read('token_budget', withField('token_budget', 'null'))).toBeNull();
    expect(read('token_budget', withField('token_budget', '"12"'))).toBe(12);
    expect(read('token_budget', withField('token_budget', '[]'))).toEqual(['int_type token_budget']);
  });
});

describe('numbers', () => {
  const parsing = refused('float_parsing');
  const rows: Row[] = [
    ['0.25', 0.25],
    ['1', 1],
    ['true', 1],
    ['false', 0],
    ['"0.25"', 0.25],
    ['" .5 "', 0.5],
    ['"1."', 1],
    ['"+.5"', 0.5],
    ['"5e-1"', 0.5],
    ['"1e-400"', 0],
    ['"0.2_5"', 0.25],
    ['"1__0e-2"', parsing],
    ['"_1"', parsing],
    ['"1_"', parsing],
    ['"0x1"', parsing],
    ['"0b1"', parsing],
    ['"1,5"', parsing],
    ['"."', parsing],
    ['"1e"', parsing],
    ['"0.5f"', parsing],
    ['""', parsing],
    ['" "', parsing],
    ['"half"', parsing],
    ['null', refused('float_type')],
    ['[0.5]', refused('float_type')],
    ['{}', refused('float_type')],
    ['-0.1', refused('greater_than_equal')],
    ['"1.1"', refused('less_than_equal')],
    // pydantic compares these with the bounds, and lets them be scores.
    ['NaN', refused('finite_number')],
    ['Infinity', refused('finite_number')],
    ['-Infinity', refused('finite_number')],
    ['1e999', refused('finite_number')],
    ['"1e999"', refused('finite_number')],
    ['"nan"', parsing],
    ['"inf"', parsing],
  ];
  it.each(rows)('%s', (json, expected) => {
    expect(read('mmr_lambda', withField('mmr_lambda', json))).toEqual(resolve(expected, 'mmr_lambda'));
  });

  test('bounds', () => {
    for (const field of ['dedup_threshold', 'semantic_dedup_threshold', 'cluster_threshold']) {
      expect(read(field, withField(field, '2'))).toBe(2);
      expect(read(field, withField(field, '2.0000001'))).toEqual([`less_than_equal ${field}`]);
      expect(read(field, withField(field, '0'))).toEqual([`greater_than ${field}`]);
      expect(read(field, withField(field, '-0.0'))).toEqual([`greater_than ${field}`]);
      expect(read(field, withField(field, '1e-400'))).toEqual([`greater_than ${field}`]);
    }
    for (const field of ['target_k', 'token_budget', 'max_per_cluster'])
      expect(read(field, withField(field, '0'))).toEqual([`greater_than_equal ${field}`]);
    expect(read('cluster_threshold', withField('cluster_threshold', 'null'))).toBeNull();
  });
});

describe('yes and no', () => {
  const yes = ['true', '1', '1.0', '"1"', '"true"', '"TRUE"', '"tRuE"', '"t"', '"yes"', '"Y"', '"on"'];
  const no = ['false', '0', '0.0', '-0.0', '"0"', '"False"', '"F"', '"no"', '"n"', '"off"'];
  it.each(yes)('%s is yes', (json) => expect(read('report', withField('report', json))).toBe(true));
  it.each(no)('%s is no', (json) => expect(read('compress', withField('compress', json))).toBe(false));
  it.each(['"true "', '""', '"2"', '"1.0"', '"enabled"', '2', '-1'])('%s cannot be read', (json) =>
    expect(read('compress', withField('compress', json))).toEqual(['bool_parsing compress']),
  );
  it.each(['null', '[]', '{}', '0.5', '1e999'])('%s is neither', (json) =>
    expect(read('compress', withField('compress', json))).toEqual(['bool_type compress']),
  );
});

describe('texts and choices', () => {
  test('nothing becomes a text that is none', () => {
    for (const json of ['1', '1.5', 'true', '[]', '{}'])
      expect(read('query', withField('query', json))).toEqual(['string_type query']);
    expect(read('chunks', '{"chunks":[{"id":1,"text":null}]}')).toEqual([
      'string_type chunks.0.id',
      'string_type chunks.0.text',
    ]);
  });

  test('a query may be null, or empty', () => {
    expect(read('query', withField('query', 'null'))).toBeNull();
    expect(read('query', withField('query', '""'))).toBe('');
  });

  test('half of a surrogate pair is a text', async () => {
    const { status, chunks } = await post('{"chunks":[{"id":"\\ud800","text":"half \\udfff"}]}');
    expect(status).toBe(200);
    expect(chunks).toMatchObject([{ id: '\ud800', text: 'half \udfff' }]);
  });

  test('a choice is one of the words, to the letter', () => {
    expect(read('cluster_linkage', withField('cluster_linkage', '"single"'))).toBe('single');
    for (const json of ['"Single"', '" single"', '"ward"', '1', 'null', 'true', '["single"]', '{}'])
      expect(read('cluster_linkage', withField('cluster_linkage', json))).toEqual([
        'literal_error cluster_linkage',
      ]);
  });

  test('a namespace must not be blank', () => {
    expect(read('query', withField('namespace', '" tenant "'))).toBeNull();
    for (const json of ['""', '" \\n"'])
      expect(read('query', withField('namespace', json))).toEqual(['value_error namespace']);
    expect(read('query', withField('namespace', 'null'))).toEqual(['string_type namespace']);
  });
});

describe('lists and objects', () => {
  const rows: [field: string, json: string, expected: unknown][] = [
    ['query_embedding', 'null', null],
    ['query_embedding', '[]', []],
    ['query_embedding', '[1,"2",true]', [1, 2, 1]],
    ['query_embedding', '["x",0,null,[1]]', ['float_parsing .0', 'float_type .2', 'float_type .3']],
    ['query_embedding', '"12"', ['list_type ']],
    ['query_embedding', '{}', ['list_type ']],
    ['chunks', 'null', ['list_type ']],
    ['chunks', '{}', ['list_type ']],
    ['chunks', '[]', ['too_short ']],
    ['chunks', '[1]', ['model_attributes_type .0']],
    ['chunks', '[null]', ['model_attributes_type .0']],
    ['chunks', '[[]]', ['model_attributes_type .0']],
    ['chunks', '[{}]', ['missing .0.id', 'missing .0.text']],
  ];
  it.each(rows)('%s: %s', (field, json, expected) => {
    const wrong = (entries: string[]) => entries.map((entry) => entry.replace(' ', ` ${field}`));
    const isWrong = Array.isArray(expected) && typeof expected[0] === 'string';
    expect(read(field, `{"chunks":[{"id":"a","text":"x"}],"${field}":${json}}`)).toEqual(
      isWrong ? wrong(expected) : expected,
    );
  });

  test('fields of a chunk', () => {
    expect(read('score', withChunk('"score":"1.5"'))).toBe(1.5);
    expect(read('score', withChunk('"score":true'))).toBe(1);
    expect(read('score', withChunk('"score":-1e308'))).toBe(-1e308);
    expect(read('score', withChunk('"score":null'))).toEqual(['float_type chunks.0.score']);
    expect(read('score', withChunk('"score":NaN'))).toEqual(['finite_number chunks.0.score']);
    expect(read('embedding', withChunk('"embedding":null'))).toBeNull();
    expect(read('embedding', withChunk('"embedding":["1",2]'))).toEqual([1, 2]);
    expect(read('embedding', withChunk('"embedding":[[1]]'))).toEqual(['float_type chunks.0.embedding.0']);
    expect(read('metadata', withChunk('"metadata":{"":1,"a":null}'))).toEqual({ '': 1, a: null });
    for (const json of ['null', '[]', '"x"', '1'])
      expect(read('metadata', withChunk(`"metadata":${json}`))).toEqual(['dict_type chunks.0.metadata']);
  });

  test('500 chunks and no more', () => {
    const chunks = (n: number) => `{"chunks":[${Array(n).fill('{"id":"a","text":"x"}').join(',')}]}`;
    expect(read('target_k', chunks(500))).toBe(8);
    expect(read('target_k', chunks(501))).toEqual(['too_long chunks']);
  });

  test('defaults', () => {
    const found = readRequest({ body: bytes('{"chunks":[{"id":"a","text":"x"}]}'), isJson: true });
    expect(found).toEqual({
      request: {
        query: null,
        query_embedding: null,
        chunks: [{ id: 'a', text: 'x', embedding: null, score: 0, metadata: {} }],
        namespace: 'default',
        target_k: 8,
        token_budget: null,
        dedup_threshold: 0.15,
        semantic_dedup_threshold: 0.001,
        cluster_threshold: null,
        cluster_linkage: 'average',
        max_per_cluster: 1,
        enable_mmr: true,
        mmr_lambda: 0.5,
        representative_strategy: 'auto',
        compress: true,
        report: false,
      },
    });
  });

  test('names of the prototype are data like any others, or unknown', async () => {
    const { status, body } = await post(
      '{"__proto__":{"target_k":0},"constructor":1,"chunks":[{"__proto__":{"text":"y"},"id":"a","text":"x","metadata":{"__proto__":{"b":1}}}]}',
    );
    expect(status).toBe(200);
    expect(body).toContain('"text":"x"');
    expect(body).toContain('"metadata":{"__proto__":{"b":1}}');
    expect(read('text', '{"__proto__":{"chunks":[]}}')).toEqual(['missing chunks']);
    expect({}).not.toHaveProperty('b');
  });
});

describe('the messages of errors', () => {
  test('all of them, in the order of the fields, in pydantic’s words', async () => {
    const { status, detail } = await post(
      '{"mmr_lambda":2,"target_k":"0","namespace":" ","chunks":[],"cluster_linkage":"ward","enable_mmr":"maybe","dedup_threshold":0}',
    );
    expect(status).toBe(422);
    expect(detail).toEqual([
      {
        type: 'too_short',
        loc: ['body', 'chunks'],
        msg: 'List should have at least 1 item after validation, not 0',
        input: [],
        ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
      },
      {
        type: 'value_error',
        loc: ['body', 'namespace'],
        msg: 'Value error, namespace must be a non-empty string.',
        input: ' ',
        ctx: { error: {} },
      },
      {
        type: 'greater_than_equal',
        loc: ['body', 'target_k'],
        msg: 'Input should be greater than or equal to 1',
        input: '0',
        ctx: { ge: 1 },
      },
      {
        type: 'greater_than',
        loc: ['body', 'dedup_threshold'],
        msg: 'Input should be greater than 0',
        input: 0,
        ctx: { gt: 0 },
      },
      {
        type: 'literal_error',
        loc: ['body', 'cluster_linkage'],
        msg: "Input should be 'single', 'complete' or 'average'",
        input: 'ward',
        ctx: { expected: "'single', 'complete' or 'average'" },
      },
      {
        type: 'bool_parsing',
        loc: ['body', 'enable_mmr'],
        msg: 'Input should be a valid boolean, unable to interpret input',
        input: 'maybe',
      },
      {
        type: 'less_than_equal',
        loc: ['body', 'mmr_lambda'],
        msg: 'Input should be less than or equal to 1',
        input: 2,
        ctx: { le: 1 },
      },
    ]);
  });

  test('nothing long comes back, nor anything within', async () => {
    const secret = 'passage '.repeat(20);
    const bodies = [
      withField('target_k', JSON.stringify(secret)),
      withField('namespace', JSON.stringify(' '.repeat(1000))),
      withField('cluster_linkage', JSON.stringify([secret])),
      withField('compress', JSON.stringify({ secret })),
      `{"chunks":[{"text":${JSON.stringify(secret)}}]}`,
      JSON.stringify(secret),
      JSON.stringify([secret]),
      `{"chunks":${JSON.stringify(Array(501).fill({ id: 'a', text: secret }))}}`,
    ];
    for (const body of bodies) {
      const answer = await post(body);
      expect(answer.status).toBe(422);
      expect(answer.detail).toHaveLength(1);
      expect(answer.detail[0]).not.toHaveProperty('input');
      expect(answer.body).not.toContain('passage');
    }
    const { detail } = await post(withField('target_k', JSON.stringify('x'.repeat(100))));
    expect(detail).toMatchObject([{ input: 'x'.repeat(100) }]);
  });

  test('a hundred errors at most', async () => {
    const { status, detail } = await post(
      withField('query_embedding', JSON.stringify(Array(5000).fill('x'))),
    );
    expect(status).toBe(422);
    expect(detail).toHaveLength(100);
    expect(detail.at(-1)?.loc).toEqual(['body', 'query_embedding', 99]);
  });
});

describe('bodies', () => {
  test.each(['[]', 'null', '1', '"x"', 'true', '[{"chunks":[]}]'])('%s is no object', async (body) => {
    const { status, detail } = await post(body);
    expect(status).toBe(422);
    expect(detail).toMatchObject([{ type: 'model_attributes_type', loc: ['body'] }]);
  });

  test('none', async () => {
    const expected = [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }];
    expect(await post('')).toMatchObject({ status: 422, detail: expected });
    expect(await post('', false)).toMatchObject({ status: 422, detail: expected });
  });

  test('of another type than JSON', async () => {
    const { status, detail } = await post(withField('query', '"x"'), false);
    expect(status).toBe(422);
    expect(detail).toMatchObject([{ type: 'model_attributes_type', loc: ['body'] }]);
  });

  test.each([
    '{"chunks": [',
    '{"chunks":[{"id":"a","text":"x}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":01}',
    ' ',
    '{"a":+NaN}',
  ])('%s is no JSON', async (body) => {
    const { status, detail } = await post(body);
    expect(status).toBe(422);
    expect(detail).toMatchObject([
      { type: 'json_invalid', loc: ['body', expect.any(Number)], msg: 'JSON decode error', input: {} },
    ]);
  });

  test('the place of the error, where the body ends too early', async () => {
    expect((await post('{"chunks": [')).detail[0]?.loc).toEqual(['body', 12]);
  });

  test('a byte order mark is no part of it', async () => {
    expect((await post(`\ufeff${withField('query', '"x"')}`)).status).toBe(200);
  });

  test('bytes that are no UTF-8', async () => {
    const body = bytes(withField('query', '"x"')).map((byte) => (byte === 0x78 ? 0xff : byte));
    expect(await post(body)).toMatchObject({ status: 400, detail: 'There was an error parsing the body' });
  });

  test('NaN is refused as a number, and left alone in texts', async () => {
    const { status, detail } = await post('{"chunks":[{"id":"NaN","text":"a \\"NaN\\\\","score":NaN}]}');
    expect(status).toBe(422);
    expect(detail.map(({ type, loc, input }) => ({ type, loc, input }))).toEqual([
      { type: 'finite_number', loc: ['body', 'chunks', 0, 'score'], input: undefined },
    ]);
    const odd =
      '{"unknown":[NaN,-Infinity],"chunks":[{"id":"a","text":"\\"NaN\\\\","score":1}],"query":"-Infinity"}';
    expect(read('text', odd)).toBe('"NaN\\');
    expect(read('query', odd)).toBe('-Infinity');
    expect(read('query', '{"query":"\\\\","chunks":[],"target_k":NaN}')).toEqual([
      'too_short chunks',
      'finite_number target_k',
    ]);
  });

  test.each(['[NaN,0]', '[0,-Infinity]', '[1e999,0]'])('a vector of %s', async (embedding) => {
    const { status, detail } = await post(withChunk(`"embedding":${embedding}`));
    expect(status).toBe(400);
    expect(detail).toMatch(/^chunks\[0\]\.embedding\[[01]\] must be a finite number/);
  });

  test('nesting: vectors and unknown fields at will, metadata to a thousand levels', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect((await post(withField('unknown', nested(100_000)))).status).toBe(200);
    expect((await post(nested(100_000))).status).toBe(422);
    expect((await post('['.repeat(100_000))).status).toBe(422);
    expect((await post(withChunk(`"embedding":${nested(100_000)}`))).detail).toMatchObject([
      { type: 'float_type', loc: ['body', 'chunks', 0, 'embedding', 0] },
    ]);
    const { chunks } = await post(withChunk(`"metadata":{"a":${nested(990)}}`));
    expect(JSON.stringify(chunks)).toContain(nested(990));
    expect(await post(withChunk(`"metadata":{"a":${nested(100_000)}}`))).toMatchObject({
      status: 400,
      detail: 'There was an error parsing the body',
    });
  });

  test('long and hostile ones are answered, too', async () => {
    const bodies = [
      `{"${'\\"'.repeat(500_000)}`,
      `["${'\\n'.repeat(2_000_000)}"`,
      withField('target_k', `"${'1'.repeat(500_000)}x"`),
      withField('mmr_lambda', `"${'1'.repeat(500_000)}x"`),
      withField('mmr_lambda', `"${'1_'.repeat(500_000)}x"`),
      withField('target_k', `"${' '.repeat(500_000)}x"`),
    ];
    for (const body of bodies) expect((await post(body)).status).toBe(422);
  });
});

function resolve(expected: unknown, field: string): unknown {
  return typeof expected === 'function' ? expected(field) : expected;
}
