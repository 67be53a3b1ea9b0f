/** The published JSON Schema of options says of JSON what createShaper says of it. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createShaper, type ShapingOptions } from 'context-shaping';
import { expect, test } from 'vitest';

const validate = new Ajv2020({ strictTypes: false }).compile(
  JSON.parse(readFileSync('options.schema.json', 'utf8')),
);
const isTaken = (options: object) => {
  try {
    createShaper(options as ShapingOptions);
    return true;
  } catch {
    return false;
  }
};

test.each([
  {},
  { k: 5, budget: { maxTokens: 400, reserve: 20 }, tokenizer: 'o200k_base' },
  { pin: ['a'], trust: [{ value: 'own', k: 2 }], fields: { source: ['url', 'loc.file'] }, order: false },
  { cluster: { linkage: 'ward' }, extract: false, relevance: { weights: { bm25: 2 }, floor: 0.1 } },
])('createShaper takes every value that the schema takes: %j', (options) => {
  expect(validate(options), JSON.stringify(validate.errors)).toBe(true);
  expect(isTaken(options)).toBe(true);
});

test.each([
  { k: 0 },
  { k: 1.5 },
  { budget: { maxTokens: '400' } },
  { select: { lambda: 2 } },
  { order: 'random' },
  { unknown: true },
  { cluster: true },
  { fields: { source: '' } },
])('what createShaper refuses, it refuses: %j', (options) => {
  expect(validate(options)).toBe(false);
  expect(isTaken(options)).toBe(false);
});

test('it has no functions and services', () => {
  for (const name of ['embedder', 'stages', 'onReport', 'onEvict', 'onStage']) {
    expect(validate({ [name]: {} })).toBe(false);
  }
});

test('every list has a greatest length', () => {
  const lists: unknown[] = [];
  JSON.stringify(JSON.parse(readFileSync('options.schema.json', 'utf8')), (_, value) => {
    if (value?.type === 'array') lists.push(value.maxItems);
    return value;
  });
  expect(lists.length).toBeGreaterThanOrEqual(8);
  expect(lists).toEqual(lists.map(() => expect.any(Number)));
});
