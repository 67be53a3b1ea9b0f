import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { structureOfJson } from '../../../adapters/structures/index.js';

const valid = (schema: object, value: unknown) => new Ajv2020({ strict: false }).compile(schema)(value);

interface Described {
  schema: object;
  value: unknown;
}

/** A schema and a value that keeps to it. */
const { described } = fc.letrec<{
  described: Described;
  list: Described;
  tuple: Described;
  record: Described;
  map: Described;
  text: Described;
  scalar: Described;
  choice: Described;
  unique: Described;
}>((tie) => ({
  described: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    tie('scalar'),
    tie('text'),
    tie('list'),
    tie('tuple'),
    tie('record'),
    tie('map'),
    tie('choice'),
    tie('unique'),
  ),
  scalar: fc.oneof(
    fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
    fc.constantFrom('open', 'closed').map((value) => ({ schema: { enum: ['open', 'closed'] }, value })),
    fc.constant({ schema: {}, value: null }),
  ),
  text: fc
    .tuple(
      fc.array(fc.lorem({ maxCount: 12, mode: 'sentences' }), { minLength: 8, maxLength: 10 }),
      fc.constantFrom({}, { minLength: 500 }, { maxLength: 9000 }, { pattern: '\\.$' }),
    )
    .filter(([texts]) => texts.join('\n\n').length > 500 && texts.join('\n\n').length < 9000)
    .map(([texts, limits]) => ({ schema: { type: 'string', ...limits }, value: texts.join('\n\n') })),
  list: fc
    .tuple(tie('described'), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5 }))
    .map(([{ schema, value }, length, least]) => ({
      schema: { type: 'array', items: schema, minItems: Math.min(length, least) },
      value: Array.from({ length }, () => value),
    })),
  unique: fc
    .uniqueArray(fc.integer(), { maxLength: 200 })
    .map((value) => ({ schema: { type: 'array', uniqueItems: true, items: { type: 'integer' } }, value })),
  tuple: fc
    .tuple(
      fc.array(tie('described'), { minLength: 1, maxLength: 4 }),
      tie('described'),
      fc.integer({ min: 0, max: 60 }),
    )
    .map(([first, rest, length]) => ({
      schema: {
        type: 'array',
        prefixItems: first.map(({ schema }) => schema),
        items: rest.schema,
        minItems: first.length,
      },
      value: [...first.map(({ value }) => value), ...Array.from({ length }, () => rest.value)],
    })),
  record: fc
    .uniqueArray(fc.tuple(fc.stringMatching(/^[a-d]$/), tie('described')), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((fields) => ({
      schema: {
        type: 'object',
        additionalProperties: false,
        required: fields.map(([name]) => name),
        properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
      },
      value: Object.fromEntries(fields.map(([name, { value }]) => [name, value])),
    })),
  map: fc
    .tuple(tie('described'), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 40 }))
    .map(([{ schema, value }, size, least]) => ({
      schema: {
        type: 'object',
        properties: { k1: schema },
        ...(size > 2 ? { required: ['k2'] } : {}),
        additionalProperties: schema,
        minProperties: Math.min(size, least),
      },
      value: Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, value])),
    })),
  choice: fc
    .tuple(tie('described'), fc.constantFrom('anyOf', 'oneOf', 'allOf', '$ref'))
    .map(([{ schema, value }, name]) => ({
      schema:
        name === 'allOf'
          ? { allOf: [schema, {}] }
          : name === '$ref'
            ? { $defs: { it: schema }, allOf: [schema] }
            : name === 'anyOf'
              ? { anyOf: [schema, { type: 'array', minItems: 3 }, { type: 'null' }] }
              : { oneOf: [schema, { type: 'array', maxItems: 0, minItems: 1 }] },
      value,
    })),
}));

test('a value that keeps to its schema keeps to it with any blocks left out', () => {
  let taken = 0;
  fc.assert(
    fc.property(
      described,
      fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
      ({ schema, value }, bits) => {
        fc.pre(valid(schema, value));
        const structure = structureOfJson(value, { schema });
        taken += Number(structure.blocks.length > 0);
        for (const kept of [
          [],
          structure.blocks.flatMap((_, index) => (bits[index % bits.length] ? [{ index }] : [])),
        ])
          expect(valid(schema, structure.rebuild(kept).value)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(0);
});

const records = Array.from({ length: 40 }, (_, id) => ({ id, note: `note ${id} of some length` }));
const ITEM = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

test.each([
  ['no element goes that a tuple names', { prefixItems: [ITEM, ITEM], items: ITEM }, 2],
  ['a tuple of older drafts', { items: [ITEM, ITEM, ITEM], additionalItems: ITEM }, 3],
  ['so many elements stay as must', { items: ITEM, minItems: 7 }, 7],
  ['elements go from a list with unique elements', { items: ITEM, uniqueItems: true }, 0],
  ['a reference', { $ref: '#/$defs/list', $defs: { list: { items: ITEM, minItems: 4 } } }, 4],
  ['a union with null', { anyOf: [{ type: 'array', items: ITEM, minItems: 2 }, { type: 'null' }] }, 2],
  ['alternatives that both may be meant', { oneOf: [{ items: ITEM }, { minItems: 50 }] }, 40],
  ['an element that must be there', { contains: { required: ['note'] } }, 40],
  ['a condition', { if: { minItems: 3 }, else: { maxItems: 0 } }, 40],
  ['a constant', { const: records }, 40],
  ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }, 40],
  ['a reference in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 40],
])('%s', (_, schema, stay) => {
  expect(structureOfJson(records, { schema }).rebuild([]).value).toHaveLength(stay);
});

test('fields that a schema names stay, and other entries of a map go', () => {
  const map = Object.fromEntries(records.map((record) => [`r${record.id}`, record]));
  const keys = (schema: object) =>
    Object.keys(structureOfJson(map, { schema }).rebuild([{ index: 0 }]).value as object);
  expect(keys({ additionalProperties: ITEM })).toEqual(['r0']);
  expect(keys({ properties: Object.fromEntries(records.map(({ id }) => [`r${id}`, ITEM])) })).toHaveLength(
    40,
  );
});
