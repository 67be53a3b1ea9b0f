/** How bodies are read: as SlimContext does, but for the words of errors. */
import { describe, expect, it, test } from 'vitest';
import { createOptimize } from '../../src/workers/optimize/optimize.js';
import { readRequest } from '../../src/workers/optimize/read-request.js';

interface Detail {
  type: string;
  loc: (string | number)[];
  msg: string;
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

/** The value of a field, or the places of the errors in it. */
function read(field: string, body: string): unknown {
  const found = readRequest({ body: bytes(body), isJson: true });
  if ('errors' in found) return found.errors.map(({ loc }) => loc.slice(1).join('.'));
  const { request } = found;
  const holder = { ...request.chunks[0], ...request };
  return holder[field as keyof typeof holder];
}

const refused = (field: string) => [field];
type Row = [json: string, expected: unknown];

describe('whole numbers', () => {
  const rows: Row[] = [
    ['3', 3],
    ['3.0', 3],
    ['2e1', 20],
    ['true', 1],
    ['"3.0"', 3],
    ['"3.5"', refused],
    ['"٣"', refused],
    ['null', refused],
    ['3.5', refused],
    ['0', refused],
    ['1e300', refused],
    ['"99999999999999999999"', refused],
  ];
  it.each(rows)('%s', (json, expected) => {
    expect(read('target_k', withField('target_k', json))).toEqual(resolve(expected, 'target_k'));
  });

  test('null where it means that there is none', () => {
    expect(read('token_budget', withField('token_budget', 'null'))).toBeNull();
    expect(read('token_budget', withField('token_budget', '"12"'))).toBe(12);
    expect(read('token_budget', withField('token_budget', '[]'))).toEqual(['token_budget']);
  });
});

describe('numbers', () => {
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
    ['"1__0e-2"', refused],
    ['"_1"', refused],
    ['"1_"', refused],
    ['"0x1"', refused],
    ['"0b1"', refused],
    ['"1,5"', refused],
    ['"."', refused],
    ['"1e"', refused],
    ['"0.5f"', refused],
    ['""', refused],
    ['" "', refused],
    ['"half"', refused],
    ['null', refused],
    ['[0.5]', refused],
    ['{}', refused],
    ['-0.1', refused],
    ['"1.1"', refused],
    ['NaN', refused],
    ['Infinity', refused],
    ['-Infinity', refused],
    ['1e999', refused],
    ['"1e999"', refused],
    ['"nan"', refused],
    ['"inf"', refused],
  ];
  it.each(rows)('%s', (json, expected) => {
    expect(read('mmr_lambda', withField('mmr_lambda', json))).toEqual(resolve(expected, 'mmr_lambda'));
  });

  test('bounds', () => {
    for (const field of ['dedup_threshold', 'semantic_dedup_threshold', 'cluster_threshold']) {
      expect(read(field, withField(field, '2'))).toBe(2);
      expect(read(field, withField(field, '2.0000001'))).toEqual([field]);
      expect(read(field, withField(field, '0'))).toEqual([field]);
      expect(read(field, withField(field, '-0.0'))).toEqual([field]);
      expect(read(field, withField(field, '1e-400'))).toEqual([field]);
    }
    for (const field of ['target_k', 'token_budget', 'max_per_cluster'])
      expect(read(field, withField(field, '0'))).toEqual([field]);
    expect(read('cluster_threshold', withField('cluster_threshold', 'null'))).toBeNull();
  });
});

describe('yes and no', () => {
  const yes = ['true', '1', '1.0', '"1"', '"true"', '"TRUE"', '"tRuE"', '"t"', '"yes"', '"Y"', '"on"'];
  const no = ['false', '0', '0.0', '-0.0', '"0"', '"False"', '"F"', '"no"', '"n"', '"off"'];
  it.each(yes)('%s is yes', (json) => expect(read('enable_mmr', withField('enable_mmr', json))).toBe(true));
  it.each(no)('%s is no', (json) => expect(read('compress', withField('compress', json))).toBe(false));
  it.each(['"true "', '""', '"2"', '"1.0"', '"enabled"', '2', '-1'])('%s cannot be read', (json) =>
    expect(read('compress', withField('compress', json))).toEqual(['compress']),
  );
  it.each(['null', '[]', '{}', '0.5', '1e999'])('%s is neither', (json) =>
    expect(read('compress', withField('compress', json))).toEqual(['compress']),
  );
});

describe('texts and choices', () => {
  test('nothing becomes a text that is none', () => {
    for (const json of ['1', '1.5', 'true', '[]', '{}'])
      expect(read('query', withField('query', json))).toEqual(['query']);
    expect(read('chunks', '{"chunks":[{"id":1,"text":null}]}')).toEqual(['chunks.0.id', 'chunks.0.text']);
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
      expect(read('cluster_linkage', withField('cluster_linkage', json))).toEqual(['cluster_linkage']);
  });

  test('a namespace must not be blank', () => {
    expect(read('query', withField('namespace', '" tenant "'))).toBeNull();
    for (const json of ['""', '" \\n"'])
      expect(read('query', withField('namespace', json))).toEqual(['namespace']);
    expect(read('query', withField('namespace', 'null'))).toEqual(['namespace']);
  });
});

describe('lists and objects', () => {
  const rows: [field: string, json: string, expected: unknown][] = [
    ['query_embedding', 'null', null],
    ['query_embedding', '[]', []],
    ['query_embedding', '[1,2]', [1, 2]],
    ['query_embedding', '["x",0,null,[1]]', ['']],
    ['query_embedding', '"12"', ['']],
    ['query_embedding', '{}', ['']],
    ['chunks', 'null', ['']],
    ['chunks', '{}', ['']],
    ['chunks', '[]', ['']],
    ['chunks', '[1]', ['.0']],
    ['chunks', '[null]', ['.0']],
    ['chunks', '[[]]', ['.0']],
    ['chunks', '[{}]', ['.0.id', '.0.text']],
  ];
  it.each(rows)('%s: %s', (field, json, expected) => {
    const wrong = (entries: string[]) => entries.map((entry) => field + entry);
    const isWrong = Array.isArray(expected) && typeof expected[0] === 'string';
    expect(read(field, `{"chunks":[{"id":"a","text":"x"}],"${field}":${json}}`)).toEqual(
      isWrong ? wrong(expected) : expected,
    );
  });

  test('fields of a chunk', () => {
    expect(read('score', withChunk('"score":"1.5"'))).toBe(1.5);
    expect(read('score', withChunk('"score":true'))).toBe(1);
    expect(read('score', withChunk('"score":-1e308'))).toBe(-1e308);
    expect(read('score', withChunk('"score":null'))).toEqual(['chunks.0.score']);
    expect(read('score', withChunk('"score":NaN'))).toEqual(['chunks.0.score']);
    expect(read('embedding', withChunk('"embedding":null'))).toBeNull();
    expect(read('embedding', withChunk('"embedding":[[1]]'))).toEqual(['chunks.0.embedding']);
    expect(read('metadata', withChunk('"metadata":{"":1,"a":null}'))).toEqual({ '': 1, a: null });
    for (const json of ['null', '[]', '"x"', '1'])
      expect(read('metadata', withChunk(`"metadata":${json}`))).toEqual(['chunks.0.metadata']);
  });

  test('500 chunks and no more', () => {
    const chunks = (n: number) => `{"chunks":[${Array(n).fill('{"id":"a","text":"x"}').join(',')}]}`;
    expect(read('target_k', chunks(500))).toBe(8);
    expect(read('target_k', chunks(501))).toEqual(['chunks']);
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
    expect(read('text', '{"__proto__":{"chunks":[]}}')).toEqual(['chunks']);
    expect({}).not.toHaveProperty('b');
  });
});

describe('the errors', () => {
  test('all of them, in the order of the fields, each with its place and a reason', async () => {
    const { status, detail } = await post(
      '{"mmr_lambda":2,"target_k":"0","namespace":" ","chunks":[],"cluster_linkage":"ward","enable_mmr":"maybe"}',
    );
    expect(status).toBe(422);
    const fields = ['chunks', 'namespace', 'target_k', 'cluster_linkage', 'enable_mmr', 'mmr_lambda'];
    expect(detail).toEqual(
      fields.map((field) => ({
        type: expect.stringMatching(/^\w+$/),
        loc: ['body', field],
        msg: expect.stringMatching(/^(?:Invalid|Too) /),
      })),
    );
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
      expect(answer.body).not.toContain('passage');
    }
  });

  test('a hundred errors at most', async () => {
    const { status, detail } = await post(JSON.stringify({ chunks: Array(300).fill({ id: 'a', text: 1 }) }));
    expect(status).toBe(422);
    expect(detail).toHaveLength(100);
    expect(detail.at(-1)?.loc).toEqual(['body', 'chunks', 99, 'text']);
  });
});

describe('bodies', () => {
  test.each(['[]', 'null', '1', '"x"', 'true', '[{"chunks":[]}]'])('%s is no object', async (body) => {
    const { status, detail } = await post(body);
    expect(status).toBe(422);
    expect(detail).toMatchObject([{ loc: ['body'] }]);
  });

  test('none', async () => {
    const expected = [{ type: 'missing', loc: ['body'], msg: 'Field required' }];
    expect(await post('')).toMatchObject({ status: 422, detail: expected });
    expect(await post('', false)).toMatchObject({ status: 422, detail: expected });
  });

  test('of another type than JSON', async () => {
    const { status, detail } = await post(withField('query', '"x"'), false);
    expect(status).toBe(422);
    expect(detail).toMatchObject([{ loc: ['body'] }]);
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
      { type: 'json_invalid', loc: ['body', expect.any(Number)], msg: 'JSON decode error' },
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
    expect(detail).toMatchObject([{ loc: ['body', 'chunks', 0, 'score'] }]);
    const odd =
      '{"unknown":[NaN,-Infinity],"chunks":[{"id":"a","text":"\\"NaN\\\\","score":1}],"query":"-Infinity"}';
    expect(read('text', odd)).toBe('"NaN\\');
    expect(read('query', odd)).toBe('-Infinity');
    expect(read('query', '{"query":"\\\\","chunks":[],"target_k":NaN}')).toEqual(['chunks', 'target_k']);
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
      { loc: ['body', 'chunks', 0, 'embedding'] },
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
