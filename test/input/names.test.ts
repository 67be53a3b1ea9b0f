/** The answer to a wrong name: the name that was meant, also if another library uses the wrong one. */
import { createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../src/input/names.js';
import { optionsSchema } from '../../src/input/options.js';

const remedy = (options: unknown) => {
  try {
    createShaper(options as never);
  } catch (error) {
    return (error as { remedy: string }).remedy;
  }
  return expect.unreachable(`${JSON.stringify(options)} was accepted`);
};

describe('a misspelt option, at any depth', () => {
  test.each([
    [{ budgett: { maxTokens: 9 } }, 'budget'],
    [{ maxToken: 9 }, 'budget.maxTokens'],
    [{ budget: { maxToken: 9 } }, 'budget.maxTokens'],
    [{ budget: { max_tokens: 9 } }, 'budget.maxTokens'],
    [{ budget: { perSorce: 9 } }, 'budget.perSource'],
    [{ K: 3 }, 'k'],
    [{ tokeniser: 'estimate' }, 'tokenizer'],
    [{ sanitize: 'strip' }, 'sanitise'],
    [{ semantic_dedup: false }, 'semanticDedup'],
    [{ select: { lamda: 1 } }, 'select.lambda'],
    [{ lambda: 1 }, 'select.lambda'],
    [{ relevance: { wieghts: {} } }, 'relevance.weights'],
    [{ relevance: { weights: { bm52: 1 } } }, 'relevance.weights.bm25'],
    [{ fields: { titel: 'name' } }, 'fields.title'],
    [{ trust: [{ value: 'own', maxToken: 9 }] }, undefined],
  ])('%j', (options, meant) => {
    if (meant === undefined) expect(remedy(options)).toContain('maxTokens');
    else expect(remedy(options)).toBe(`Did you mean ${meant}?`);
  });
});

test('a name like none is answered with all names of its place', () => {
  expect(remedy({ colour: 'red' })).toBe(
    `Remove it or correct its name; known here: ${Object.keys(optionsSchema().shape).join(', ')}.`,
  );
  expect(remedy({ budget: { colour: 'red' } })).toBe(
    'Remove it or correct its name; known here: maxTokens, reserve, perSource, chunksPerSource.',
  );
});

test('distance counts inserted, left-out, replaced and exchanged letters', () => {
  const words = ['abcdef'];
  const within = (wrong: string, most: number) => nearest(wrong, words, () => most).length === 1;
  for (const [wrong, far] of [
    ['abcdef', 0],
    ['AB-C_DEF', 0],
    ['abcde', 1],
    ['xabcdef', 1],
    ['abXdef', 1],
    ['abdcef', 1],
    ['badcef', 2],
    ['', 6],
    ['uvwxyz', 6],
  ] as const) {
    expect(within(wrong, far), wrong).toBe(true);
    expect(within(wrong, far - 1), wrong).toBe(false);
  }
});
