/** The loader rejects malformed models, and names the field and the remedy. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextShapingError } from 'context-shaping';
import { loadStaticEmbedder, type StaticModelFiles, staticEmbedder } from 'context-shaping/embeddings';
import { afterAll, describe, expect, test } from 'vitest';
import {
  safetensorsOf,
  type TensorSource,
  TINY,
  tokenizerOf,
  withHeader,
  writeModel,
} from './static-model.js';

function refused(work: () => unknown): ContextShapingError {
  try {
    work();
  } catch (error) {
    if (ContextShapingError.isInstance(error)) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
}

const files = (over: Partial<StaticModelFiles>): StaticModelFiles => ({ ...TINY, ...over });

describe('safetensors', () => {
  const entry = { dtype: 'F32', shape: [1, 2], data_offsets: [0, 8] };
  const header = (value: unknown, data = 8) => withHeader(JSON.stringify(value), new Uint8Array(data));
  const cut = TINY.safetensors.subarray(0, TINY.safetensors.length - 1);
  const cases: [what: string, bytes: unknown, field: string, problem: RegExp][] = [
    ['no bytes', 'text', 'model.safetensors', /must be a Uint8Array/],
    [
      'another file',
      Buffer.from('<!doctype html><html>'),
      'model.safetensors',
      /cut off, or not a safetensors/,
    ],
    ['cut off', cut, 'model.safetensors', /must have 120 bytes/],
    ['too long', Buffer.concat([TINY.safetensors, Buffer.alloc(1)]), 'model.safetensors', /too long/],
    [
      'a header that is no JSON',
      withHeader('{"a":', new Uint8Array(8)),
      'model.safetensors',
      /not a safetensors/,
    ],
    ['one offset', header({ a: { ...entry, data_offsets: [0] } }), 'model.safetensors', /not a safetensors/],
    [
      'a shape of other size',
      header({ embeddings: { ...entry, shape: [3] } }),
      'model.safetensors: embeddings.data_offsets',
      /12 bytes/,
    ],
    ['no embeddings', header({ a: entry }), 'model.safetensors: embeddings', /missing/],
    [
      'another type',
      header({ embeddings: { ...entry, dtype: 'F8_E4M3' } }),
      'model.safetensors: embeddings.dtype',
      /not supported/,
    ],
  ];
  test.each(cases)('%s', (_, safetensors, field, problem) => {
    const error = refused(() => staticEmbedder(files({ safetensors: safetensors as Uint8Array })));
    expect(error).toMatchObject({ kind: 'invalid-input', field, problem: expect.stringMatching(problem) });
    expect(error.remedy).toMatch(/hf download|bytes of the file|potion-base-8M|one of these types/);
  });
});

describe('tensors', () => {
  const tokenizer = tokenizerOf(['[UNK]', 'a', 'b']);
  const good: TensorSource = { dtype: 'F32', shape: [3, 1], values: [1, 2, 3] };
  const cases: [what: string, tensors: Record<string, TensorSource>, field: string, problem: RegExp][] = [
    ['one dimension', { embeddings: { ...good, shape: [3] } }, 'embeddings.shape', /\[rows, dimension\]/],
    [
      'too few rows',
      { embeddings: { dtype: 'F32', shape: [2, 1], values: [1, 2] } },
      'embeddings.shape',
      /3 rows/,
    ],
    [
      'no number',
      { embeddings: { dtype: 'F32', shape: [3, 1], values: [0, 0, Number.NaN] } },
      'embeddings[2]',
      /finite/,
    ],
    [
      'a quantised vocabulary',
      { embeddings: good, mapping: { dtype: 'F32', shape: [3], values: [0, 2, 1] } },
      'mapping',
      /quantised/,
    ],
  ];
  test.each(cases)('%s', (_, tensors, field, problem) => {
    const error = refused(() => staticEmbedder({ tokenizer, safetensors: safetensorsOf(tensors) }));
    expect(error).toMatchObject({
      kind: 'invalid-input',
      field: `model.safetensors: ${field}`,
      problem: expect.stringMatching(problem),
      remedy: expect.stringMatching(/hf download|minishlab/),
    });
  });
});

describe('tokenizer and configuration', () => {
  const tokenizer = tokenizerOf(['[UNK]', 'a']);
  const cases: [
    what: string,
    over: Partial<StaticModelFiles>,
    field: string,
    value: unknown,
    problem: RegExp,
  ][] = [
    ['none', { tokenizer: null }, 'tokenizer.json', null, /malformed/],
    [
      'Unigram',
      { tokenizer: { ...tokenizer, model: { type: 'Unigram', vocab: [['a', -1]] } } },
      'tokenizer.json: model.type',
      'Unigram',
      /not supported; WordPiece is/,
    ],
    [
      'another normaliser',
      { tokenizer: { ...tokenizer, normalizer: { type: 'Precompiled' } } },
      'tokenizer.json: normalizer.type',
      'Precompiled',
      /BertNormalizer is/,
    ],
    [
      'a cased one',
      { tokenizer: tokenizerOf(['[UNK]'], { normalizer: { lowercase: false } }) },
      'tokenizer.json: normalizer.lowercase',
      false,
      /not supported; true is/,
    ],
    [
      'no vocabulary',
      { tokenizer: tokenizerOf(['[UNK]'], { model: { vocab: undefined } }) },
      'tokenizer.json: model.vocab',
      undefined,
      /malformed/,
    ],
    [
      'an id that is no number',
      { tokenizer: tokenizerOf(['[UNK]'], { model: { vocab: { '[UNK]': 0, a: '1' } } }) },
      'tokenizer.json: model.vocab["a"]',
      '1',
      /whole number/,
    ],
    [
      'no unknown token',
      { tokenizer: tokenizerOf(['a'], { added: [] }) },
      'tokenizer.json: model.unk_token',
      '[UNK]',
      /in the vocabulary/,
    ],
    [
      'normalize in quotes',
      { config: { normalize: 'true' } },
      'config.json: normalize',
      'true',
      /true or false/,
    ],
  ];
  test.each(cases)('%s', (_, over, field, value, problem) => {
    const error = refused(() => staticEmbedder(files(over)));
    expect(error).toMatchObject({ kind: 'invalid-input', field, problem: expect.stringMatching(problem) });
    expect(error.value).toEqual(value);
    expect(error.remedy).toMatch(/hf download|minishlab/);
  });
});

describe('a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'context-shaping-static-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const folder = (name: string) => {
    writeModel(join(root, name), TINY);
    return join(root, name);
  };

  test('is read', async () => {
    const embedder = await loadStaticEmbedder(folder('good'), { maxTokens: 1 });
    const [vector] = await embedder.embedDocuments(['cat money']);
    expect(vector).toEqual([0, 1, 0]);
  });
  test('that is not there', async () => {
    const error = await loadStaticEmbedder(join(root, 'none')).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      kind: 'invalid-input',
      field: expect.stringMatching(/none.config\.json$/),
      value: 'ENOENT',
      remedy: expect.stringContaining('hf download OWNER/MODEL'),
    });
  });
  test.each(['config.json', 'tokenizer.json', 'model.safetensors'])('without %s', async (name) => {
    const there = folder(`without-${name}`);
    rmSync(join(there, name));
    await expect(loadStaticEmbedder(there)).rejects.toMatchObject({
      field: join(there, name),
      problem: 'does not exist',
    });
    mkdirSync(join(there, name));
    await expect(loadStaticEmbedder(there)).rejects.toMatchObject({
      field: join(there, name),
      value: 'EISDIR',
      problem: 'cannot be read',
    });
  });
  test('with JSON that is cut off', async () => {
    const there = folder('cut');
    writeFileSync(join(there, 'tokenizer.json'), '{"model": {');
    await expect(loadStaticEmbedder(there)).rejects.toMatchObject({
      field: join(there, 'tokenizer.json'),
      problem: expect.stringMatching(/^is not JSON/),
    });
  });
});
