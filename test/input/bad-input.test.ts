/** Malformed input: each case has a typed error that names the field, the value and a remedy. */
import { ContextShapingError, createShaper } from 'context-shaping';
import { formatReport, reportLines } from 'context-shaping/explain';
import { describe, expect, test, vi } from 'vitest';

type Case = [what: string, run: () => unknown, field: string, value: unknown];

const good = { id: 'a', text: 'one' };
const make = (options: unknown) => () => createShaper(options as never);
const shape =
  (input: unknown, options: unknown = {}) =>
  () =>
    createShaper(options as never).shape(input as never);
const chunks = (...given: unknown[]) => shape({ query: 'q', chunks: given });

const turn = { role: 'user', text: 'Hello.' };
const history = (given: unknown) => shape({ query: { text: 'q', history: given }, chunks: [] });

const LONG = 'x'.repeat(257);
const DEEP = Array(17).fill('x').join('.');
const PATHS = Array(33).fill('x');

const malformedOptions: Case[] = [
  ['options that are null', make(null), 'options', null],
  ['options that are an array', make([]), 'options', []],
  ['an unknown option', make({ budgett: { maxTokens: 9 } }), 'budgett', { maxTokens: 9 }],
  ['an unknown nested option', make({ budget: { max: 9 } }), 'budget.max', 9],
  ['k of zero', make({ k: 0 }), 'k', 0],
  ['k as a string', make({ k: '3' }), 'k', '3'],
  ['half a chunk', make({ k: 1.5 }), 'k', 1.5],
  ['k without select', make({ k: 3, select: false }), 'k', 3],
  ['a negative budget', make({ budget: { maxTokens: -1 } }), 'budget.maxTokens', -1],
  [
    'an infinite budget',
    make({ budget: { maxTokens: Number.POSITIVE_INFINITY } }),
    'budget.maxTokens',
    Number.POSITIVE_INFINITY,
  ],
  ['a reserve that leaves nothing', make({ budget: { maxTokens: 10, reserve: 10 } }), 'budget.reserve', 10],
  ['an unknown tokenizer', make({ tokenizer: 'gpt' }), 'tokenizer', 'gpt'],
  ['an embedder that cannot embed', make({ embedder: {} }), 'embedder', {}],
  ['a lambda that is not a number', make({ select: { lambda: Number.NaN } }), 'select.lambda', Number.NaN],
  ['a lambda above one', make({ select: { lambda: 2 } }), 'select.lambda', 2],
  ['an unknown linkage', make({ cluster: { linkage: 'wards' } }), 'cluster.linkage', 'wards'],
  ['a stage that is true', make({ cluster: true }), 'cluster', true],
  ['an unknown order', make({ order: 'best' }), 'order', 'best'],
  ['a negative weight', make({ relevance: { weights: { bm25: -1 } } }), 'relevance.weights.bm25', -1],
  ['a deadline of zero', make({ deadlineMs: 0 }), 'deadlineMs', 0],
  ['an observer that is no function', make({ onEvict: 'log' }), 'onEvict', 'log'],
  ['an observer of stages that is no function', make({ onStage: true }), 'onStage', true],
  ['a pin that is no list', make({ pin: 'a' }), 'pin', 'a'],
  ['an empty path', make({ namespace: '' }), 'namespace', ''],
  ['a path that is too long', make({ namespace: LONG }), 'namespace', LONG],
  ['a path with too many steps', make({ namespace: DEEP }), 'namespace', DEEP],
  ['a field that is too long', make({ fields: { source: LONG } }), 'fields.source', LONG],
  ['a field with too many steps', make({ fields: { date: DEEP } }), 'fields.date', DEEP],
  ['one of several that is too long', make({ fields: { title: ['a', LONG] } }), 'fields.title.1', LONG],
  ['one of several with too many steps', make({ fields: { title: ['a', DEEP] } }), 'fields.title.1', DEEP],
  ['too many paths', make({ fields: { speaker: PATHS } }), 'fields.speaker', PATHS],
];

const malformedInput: Case[] = [
  [
    'a pin that answers later',
    shape({ query: 'q', chunks: [good] }, { pin: async () => false }),
    'pin',
    expect.any(Promise),
  ],
  ['no input', shape(undefined), 'input', undefined],
  ['no query', shape({ chunks: [] }), 'query', undefined],
  ['a query that is a number', shape({ query: 3, chunks: [] }), 'query', 3],
  ['a query without text', shape({ query: { embedding: [1] }, chunks: [] }), 'query.text', undefined],
  [
    'a query with a broken vector',
    shape({ query: { text: 'q', embedding: [1, Number.NaN] }, chunks: [] }),
    'query.embedding[1]',
    Number.NaN,
  ],
  ['a history that is a string', history('Hello.'), 'query.history', 'Hello.'],
  ['a turn that is a string', history([turn, 'Hello.']), 'query.history[1]', 'Hello.'],
  ['a hole in the history', history(new Array(1)), 'query.history[0]', undefined],
  ['a turn of a tool', history([{ ...turn, role: 'tool' }]), 'query.history[0].role', 'tool'],
  ['a turn without text', history([turn, turn, turn, { role: 'user' }]), 'query.history[3].text', undefined],
  ['chunks that are no array', shape({ query: 'q', chunks: 'text' }), 'chunks', 'text'],
  ['a chunk that is a string', chunks(good, 'text'), 'chunks[1]', 'text'],
  ['a hole in the array', shape({ query: 'q', chunks: new Array(1) }), 'chunks[0]', undefined],
  ['a chunk without id', chunks({ text: 'one' }), 'chunks[0].id', undefined],
  ['an empty id', chunks({ id: '', text: 'one' }), 'chunks[0].id', ''],
  ['one id for two texts', chunks(good, { id: 'a', text: 'two' }), 'chunks[1].id', 'a'],
  ['a chunk without text', chunks({ id: 'a' }), 'chunks[0].text', undefined],
  ['a text that is a number', chunks({ id: 'a', text: 5 }), 'chunks[0].text', 5],
  ['a score that is NaN', chunks({ ...good, score: Number.NaN }), 'chunks[0].score', Number.NaN],
  ['a score that is a string', chunks({ ...good, score: '0.9' }), 'chunks[0].score', '0.9'],
  ['metadata that is an array', chunks({ ...good, metadata: [] }), 'chunks[0].metadata', []],
  ['a rendering that is a number', chunks({ ...good, rendered: 4 }), 'chunks[0].rendered', 4],
  ['an empty vector', chunks({ ...good, embedding: [] }), 'chunks[0].embedding', []],
  ['a vector that is a string', chunks({ ...good, embedding: '[1,2]' }), 'chunks[0].embedding', '[1,2]'],
  ['a vector with a string in it', chunks({ ...good, embedding: [1, '2'] }), 'chunks[0].embedding[1]', '2'],
  [
    'a vector with an infinite component',
    chunks({ ...good, embedding: [Number.POSITIVE_INFINITY] }),
    'chunks[0].embedding[0]',
    Number.POSITIVE_INFINITY,
  ],
  [
    'vectors of two lengths',
    chunks({ ...good, embedding: [1, 0] }, { id: 'b', text: 'two', embedding: [1, 0, 0] }),
    'chunks[1].embedding',
    3,
  ],
  [
    'a chunk of another dimension than the query',
    shape({ query: { text: 'q', embedding: [1, 0] }, chunks: [{ ...good, embedding: [1] }] }),
    'chunks[0].embedding',
    1,
  ],
  [
    'a tokenizer that returns NaN',
    shape({ query: 'q', chunks: [good] }, { tokenizer: () => Number.NaN }),
    'tokenizer',
    Number.NaN,
  ],
  ['a signal that is none', shape({ query: 'q', chunks: [good], signal: {} }), 'signal', {}],
  [
    'a vector of negative length',
    chunks({ ...good, embedding: { length: -1 } }),
    'chunks[0].embedding',
    { length: -1 },
  ],
  [
    'a tokenizer that returns a promise',
    shape({ query: 'q', chunks: [good] }, { tokenizer: async () => 3 }),
    'tokenizer',
    expect.any(Promise),
  ],
  [
    'a tokenizer that returns less than nothing',
    shape({ query: 'q', chunks: [good] }, { tokenizer: () => -1 }),
    'tokenizer',
    -1,
  ],
];

describe.each([
  ['options', 'invalid-options', malformedOptions],
  ['input', undefined, malformedInput],
] as const)('malformed %s', (_, kind, cases) => {
  test.each(cases)('%s', async (_, run, field, value) => {
    const error = await Promise.resolve()
      .then(run)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(ContextShapingError.isInstance(error)).toBe(true);
    const { kind: found, field: named, value: shown, remedy, message } = error as ContextShapingError;
    expect(found).toBe(kind ?? (['tokenizer', 'pin'].includes(field) ? 'invalid-options' : 'invalid-input'));
    expect(named).toBe(field);
    expect(shown).toEqual(value);
    expect(remedy).toMatch(/^[A-Z].{10,}[.?]$/s);
    expect(message).toContain(field);
    expect(message).toContain(remedy);
  });
});

test('an option in the wrong place is sent to its own', () => {
  expect(() => createShaper({ maxTokens: 9 } as never)).toThrow('Did you mean budget.maxTokens?');
  expect(() => createShaper({ budget: 9 } as never)).toThrow(
    'budget must be an object (got 9). Give an object with maxTokens, reserve, perSource, chunksPerSource, or leave it out.',
  );
  expect(() => createShaper({ budget: { lambda: 1 } } as never)).toThrow('Did you mean select.lambda?');
});

test('what may be written instead is listed in full', () => {
  const wrong = (options: unknown) => () => createShaper(options as never);
  expect(wrong({ order: 'best' })).toThrow(
    'must be false, or "relevance", "input", "source", "edges-first" (got',
  );
  expect(wrong({ tokenizer: 'gpt' })).toThrow('"cl100k_base", or a function from text to a number');
  expect(wrong({ embedder: { embedDocuments() {} } })).toThrow('fromLangChainEmbeddings');
});

test('limits of paths are reported in their units', () => {
  const wrong = (options: unknown) => () => createShaper(options as never);
  expect(wrong({ fields: { source: LONG } })).toThrow('fields.source must be at most 256 characters long');
  expect(wrong({ fields: { source: DEEP } })).toThrow('fields.source must have at most 16 steps');
  expect(wrong({ fields: { source: PATHS } })).toThrow('fields.source must be at most 32 entries long');
  expect(wrong({ namespace: LONG })).toThrow('namespace must be at most 256 characters long');
});

test('lists of tiers and pins have a greatest length', () => {
  const wrong = (options: unknown) => () => createShaper(options as never);
  const trust = Array.from({ length: 33 }, (_, at) => ({ value: `tier ${at}` }));
  expect(wrong({ trust })).toThrow(/^trust must be at most 32 entries long \(got .*Correct trust/);
  expect(wrong({ trust: trust.slice(1) })).not.toThrow();
  const pin = Array.from({ length: 10_001 }, (_, at) => `${at}`);
  expect(wrong({ pin })).toThrow('pin must be at most 10000 entries long');
  expect(wrong({ pin: pin.slice(1) })).not.toThrow();
});

test('paths are split once a call, not once a chunk', async () => {
  const options = { fields: { source: 'far.away.source' }, namespace: 'far.away.tenant' };
  const shaper = createShaper(options);
  const split = vi.spyOn(String.prototype, 'split');
  const chunks = Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, text: `text ${at}`, metadata: {} }));
  try {
    await shaper.shape({ query: 'q', chunks });
    const paths = split.mock.contexts.filter((text) => String(text).startsWith('far.away'));
    expect(paths.map(String).toSorted()).toEqual([options.fields.source, options.namespace]);
  } finally {
    split.mockRestore();
  }
});

test('a key that would change a prototype is refused like any other', () => {
  const options: unknown = JSON.parse('{ "__proto__": { "k": 0 } }');
  expect(() => createShaper(options as never)).toThrow('__proto__ is not an option');
});

test('an error is recognised across copies of the package, and nothing else is', () => {
  const foreign = Object.assign(new Error('x'), { [Symbol.for('context-shaping.error')]: true });
  expect(ContextShapingError.isInstance(foreign)).toBe(true);
  expect(ContextShapingError.isInstance(new Error('x'))).toBe(false);
  expect(ContextShapingError.isInstance(null)).toBe(false);
});

describe('what belongs elsewhere is sent there', () => {
  test('documents of LangChain, and lists under their name', async () => {
    const document = { id: 'a', pageContent: 'one', metadata: {} };
    await expect(chunks(document)()).rejects.toThrow('go to their adapters');
    await expect(shape({ query: 'q', documents: [document] })()).rejects.toThrow('go to their adapters');
  });

  test('options that were given to shape', async () => {
    await expect(shape({ query: 'q', chunks: [good], k: 1 })()).rejects.toMatchObject({
      field: 'k',
      value: 1,
      remedy: 'Give it to createShaper, or to shaper.with for one call.',
    });
  });

  test.each([formatReport, reportLines])('a whole result that was given to %o', async (format) => {
    const result = await createShaper().shape({ query: 'q', chunks: [good] });
    expect(() => format(result as never)).toThrow('Give its field `report`: formatReport(result.report).');
    for (const nothing of [undefined, null, 'text', [], {}])
      expect(() => format(nothing as never)).toThrow(
        expect.objectContaining({ kind: 'invalid-input', field: 'report' }),
      );
  });
});

test('values of any kind can be shown', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  for (const value of [
    cyclic,
    10n,
    Symbol('s'),
    () => 1,
    new Map(),
    'x'.repeat(1e6),
    -0,
    { toJSON: () => undefined },
  ]) {
    const error = new ContextShapingError('invalid-input', { field: 'f', value, is: 'is', remedy: 'Do.' });
    expect(error.message.length).toBeLessThan(200);
  }
});
