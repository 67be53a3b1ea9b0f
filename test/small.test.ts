import * as full from 'context-shaping';
import { expect, test } from 'vitest';
import * as small from '../src/small.js';

const input = { query: 'Where is the cat?', chunks: [{ id: 'a', text: 'The cat sat on the mat.' }] };

test('has every name of the package, and the same ones but for createShaper', () => {
  const { createShaper: _, ...others } = full;
  expect(small).toMatchObject(others);
  expect(Object.keys(small).sort()).toEqual(Object.keys(full).sort());
});

test('shapes as the package does', async () => {
  const [ours, theirs] = await Promise.all(
    [small, full].map(({ createShaper }) => createShaper({ budget: { maxTokens: 20 } }).shape(input)),
  );
  expect(ours?.report.digest).toBe(theirs?.report.digest);
});

test.each(['o200k_base', 'cl100k_base'] as const)('refuses %s, with a remedy', async (tokenizer) => {
  // A shaper with vocabularies may have loaded this one already.
  await full.createShaper({ tokenizer }).shape(input);
  for (const shaper of [small.createShaper({ tokenizer }), small.createShaper().with({ tokenizer })]) {
    const error = await shaper.shape(input).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(full.ContextShapingError);
    expect(error).toMatchObject({ kind: 'missing-dependency', field: 'tokenizer', value: tokenizer });
    expect((error as full.ContextShapingError).remedy).toContain('context-shaping-small');
  }
});
