/** The reader rejects files that are malformed, cut off or not supported, and names the field and the remedy. */
import { ContextShapingError } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Llama } from '../../../adapters/gguf/llama.js';
import { GgufFile } from '../../../adapters/gguf/reader.js';
import {
  ggufOf,
  metadataOf,
  SMALL,
  type TensorSource,
  tensorsOf,
  text,
  tokenizerOf,
  uint32,
  uint64,
  type Value,
} from './writer.js';

const METADATA = { ...metadataOf(SMALL), ...tokenizerOf() };
const TENSORS = tensorsOf(SMALL, 258, (_, place) => place / 100);
const model = (
  metadata: Record<string, Value | undefined> = {},
  tensors: Record<string, TensorSource | undefined> = {},
) => ggufOf(given({ ...METADATA, ...metadata }), given({ ...TENSORS, ...tensors }));

/** Without the entries that are undefined. */
function given<T>(entries: Record<string, T | undefined>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Record<
    string,
    T
  >;
}

function refused(bytes: unknown): ContextShapingError {
  try {
    Llama.parse(bytes as Uint8Array);
  } catch (error) {
    if (ContextShapingError.isInstance(error)) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
}

test('reads what was written', () => {
  const file = new GgufFile(
    ggufOf(
      { text: 'Zürich', whole: 7, broken: 0.5, yes: true, texts: ['a', 'b'], numbers: [1, 2], none: [] },
      { single: { sizes: [2, 1], values: [1.5, -2] }, half: { sizes: [6], type: 1, values: HALVES } },
    ),
  );
  expect(
    ['text', 'whole', 'broken', 'yes', 'texts', 'numbers', 'none', 'other'].map((key) => file.value(key)),
  ).toEqual(['Zürich', 7, 0.5, true, ['a', 'b'], [1, 2], [], undefined]);
  expect([...file.tensorNames]).toEqual(['single', 'half']);
  expect([...file.tensor('single', [2, 1])]).toEqual([1.5, -2]);
  expect([...file.tensor('half', [6])]).toEqual([1, -2, 65504, 2 ** -24, -(2 ** -14), 0]);
});

/** 1, -2, the largest, the smallest, the smallest normal number with a minus sign, 0. */
const HALVES = [0x3c00, 0xc000, 0x7bff, 0x0001, 0x8400, 0x0000];

test('reads every type of number, and a file that lies within a larger buffer', () => {
  const entry = (key: string, type: number, ...bytes: number[]) =>
    Buffer.concat([text(key), uint32(type), Buffer.from(bytes)]);
  const entries = [
    entry('0', 0, 255),
    entry('1', 1, 255),
    entry('2', 2, 255, 255),
    entry('3', 3, 255, 255),
    entry('5', 5, 254, 255, 255, 255),
    entry('10', 10, 1, 0, 0, 0, 1, 0, 0, 0),
    entry('11', 11, 255, 255, 255, 255, 255, 255, 255, 255),
    entry('12', 12, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f),
  ];
  const bytes = Buffer.concat([
    Buffer.from('...GGUF'),
    uint32(3),
    uint64(0),
    uint64(entries.length),
    ...entries,
  ]);
  const file = new GgufFile(bytes.subarray(3));
  expect([0, 1, 2, 3, 5, 10, 11, 12].map((key) => file.value(String(key)))).toEqual([
    255,
    -1,
    65535,
    -1,
    -2,
    2 ** 32 + 1,
    -1,
    1.5,
  ]);
});

describe('cut off', () => {
  const bytes = model();

  test('anywhere', () => {
    expect(Llama.parse(bytes).contextLength).toBe(16);
    // The padding of the last row of 32 bytes may be missing.
    const end = bytes.length - ((32 - ((258 * 4 * 4) % 32)) % 32);
    for (let length = 0; length < end; length += length < 400 ? 1 : 37) {
      const { kind, field, problem, remedy } = refused(bytes.subarray(0, length));
      expect([kind, field.startsWith('GGUF: '), remedy]).toEqual([
        'invalid-input',
        true,
        'Download or convert the model again.',
      ]);
      expect(problem).toMatch(/is cut off|more elements than the file has bytes for/);
    }
    expect(refused(bytes.subarray(0, end - 1)).field).toBe('GGUF: output.weight');
  });

  test('with any bytes changed, it is read or refused, and nothing else', () => {
    const change = fc.record({
      at: fc.oneof(fc.nat({ max: 600 }), fc.nat({ max: bytes.length - 1 })),
      to: fc.constantFrom(0, 1, 8, 9, 127, 128, 255),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = bytes.slice();
        for (const { at, to } of changes) changed[at] = to;
        try {
          Llama.parse(changed);
        } catch (error) {
          if (!ContextShapingError.isInstance(error)) throw error;
          expect(error.kind).toBe('invalid-input');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('refuses', () => {
  const head = (...parts: Buffer[]) => Buffer.concat([Buffer.from('GGUF'), uint32(3), ...parts]);
  const huge = uint64(2n ** 63n);
  const many = uint64(2n ** 40n);
  const one = uint64(1);
  const none = uint64(0);
  const tensor = (...parts: Buffer[]) => head(one, none, text('t'), ...parts);
  const copy = (name: string, over: Partial<TensorSource>) => ({
    [name]: { ...TENSORS[name], ...over } as TensorSource,
  });

  test.each<[what: string, bytes: unknown, field: string, problem: RegExp]>([
    ['no bytes', 'text', 'file', /must be a Uint8Array/],
    ['nothing', new Uint8Array(), 'magic', /is cut off/],
    ['another file', Buffer.from('<!doctype html>'), 'magic', /is not that of a GGUF file/],
    ['another version', Buffer.concat([Buffer.from('GGUF'), uint32(2)]), 'version', /must be 3/],
    ['numbers the other way round', Buffer.from('GGUF\0\0\0\x03'), 'version', /little-endian/],
    ['countless tensors', head(huge), 'tensor_count', /is too large/],
    ['countless entries', head(none, huge), 'metadata_kv_count', /is too large/],
    ['many tensors', head(many, none), 'tensor[0]', /is cut off/],
    ['many entries', head(none, many), 'metadata_kv[0]', /is cut off/],
    ['a key without end', head(none, one, huge), 'metadata_kv[0]', /is too large/],
    ['a long key', head(none, one, many), 'metadata_kv[0]', /has more than 16777216 bytes/],
    ['a key that is cut off', head(none, one, uint64(99)), 'metadata_kv[0]', /is cut off/],
    ['an unknown type', head(none, one, text('k'), uint32(13)), 'k', /an unknown type/],
    ['an array of arrays', head(none, one, text('k'), uint32(9), uint32(9)), 'k', /an unknown type/],
    ['a large array', head(none, one, text('k'), uint32(9), uint32(0), many), 'k', /more elements than/],
    [
      'many texts',
      head(none, one, text('k'), uint32(9), uint32(8), uint64(5), none),
      'k',
      /more elements than/,
    ],
    [
      'a key twice',
      head(none, uint64(2), ...twice(text('k'), uint32(0), Buffer.from([1]))),
      'k',
      /occurs twice/,
    ],
    [
      'a tensor twice',
      head(uint64(2), none, ...twice(text('t'), uint32(0), uint32(0), none)),
      't',
      /occurs twice/,
    ],
    ['five dimensions', tensor(uint32(5)), 't', /has more than 4 dimensions/],
    ['an endless row', tensor(uint32(1), huge), 't', /is too large/],
    ['a large tensor', tensor(uint32(2), many, many, uint32(0), none), 't', /is cut off: it ends at byte/],
    ['a tensor far away', tensor(uint32(1), one, uint32(0), many), 't', /is cut off/],
    ['no alignment', model({ 'general.alignment': 0 }), 'general.alignment', /at least 1/],
    ['tensors that overlap', overlapping(), 'b', /overlaps/],
    [
      'another architecture',
      model({ 'general.architecture': 'qwen3' }),
      'general.architecture',
      /must be llama/,
    ],
    [
      'no architecture',
      model({ 'general.architecture': undefined }),
      'general.architecture',
      /must be llama/,
    ],
    [
      'no width',
      model({ 'llama.embedding_length': undefined }),
      'llama.embedding_length',
      /must be a number/,
    ],
    ['no layers', model({ 'llama.block_count': 0 }), 'llama.block_count', /whole number, at least 1/],
    ['layers that are not there', model({ 'llama.block_count': 9 }), 'blk.1.attn_norm.weight', /is missing/],
    ['half a layer', model({ 'llama.block_count': 0.5 }), 'llama.block_count', /whole number/],
    [
      'a large width',
      model({ 'llama.embedding_length': 2 ** 31 }),
      'token_embd.weight',
      /must be 2147483648 x 258/,
    ],
    [
      'a large network',
      model({ 'llama.feed_forward_length': 2 ** 31 }),
      'blk.0.ffn_gate.weight',
      /must be 4 x/,
    ],
    [
      'heads that cannot share',
      model({ 'llama.attention.head_count_kv': 3 }),
      'llama.attention.head_count_kv',
      /divide/,
    ],
    [
      'odd rotations',
      model({ 'llama.rope.dimension_count': 1 }),
      'llama.rope.dimension_count',
      /must be even/,
    ],
    [
      'no epsilon',
      model({ 'llama.attention.layer_norm_rms_epsilon': 0 }),
      'llama.attention.layer_norm_rms_epsilon',
      /more than 0/,
    ],
    [
      'stretched rotations',
      model({ 'llama.rope.scaling.type': 'yarn' }),
      'llama.rope.scaling.type',
      /not supported/,
    ],
    ['experts', model({ 'llama.expert_count': 8 }), 'llama.expert_count', /not supported/],
    [
      'quantised numbers',
      model({}, copy('blk.0.attn_q.weight', { type: 8 })),
      'blk.0.attn_q.weight',
      /is quantised/,
    ],
    ['a missing tensor', model({}, { 'output_norm.weight': undefined }), 'output_norm.weight', /is missing/],
    [
      'a tensor too many',
      model({}, { 'blk.0.attn_q.bias': { sizes: [1], values: [1] } }),
      'blk.0.attn_q.bias',
      /not supported/,
    ],
    [
      'other sizes',
      model({}, copy('blk.0.ffn_up.weight', { sizes: [3, 4] })),
      'blk.0.ffn_up.weight',
      /must be 4 x 3/,
    ],
    [
      'no number',
      model({}, copy('output_norm.weight', { values: [1, Number.NaN, 1, 1] })),
      'output_norm.weight[1]',
      /must be finite/,
    ],
    [
      'infinity',
      model({}, copy('output_norm.weight', { type: 1, values: [0, 0, 0, 0x7c00] })),
      'output_norm.weight[3]',
      /finite/,
    ],
  ])('%s', (_, bytes, field, problem) => {
    const error = refused(bytes);
    expect([error.kind, error.field]).toEqual(['invalid-input', `GGUF: ${field}`]);
    expect(error.problem).toMatch(problem);
  });

  test.each([
    model({ 'general.architecture': 'qwen3' }),
    model({ 'tokenizer.ggml.pre': 'qwen2' }),
    model({}, copy('blk.0.attn_q.weight', { type: 8 })),
  ])('says what else runs a sound model (%#)', (bytes) => {
    expect(refused(bytes).remedy).toBe('Use node-llama-cpp or a server such as llama-server for this model.');
  });

  function twice(...parts: Buffer[]): Buffer[] {
    return [...parts, ...parts];
  }

  function overlapping(): Buffer {
    const entry = (name: string) => [text(name), uint32(1), uint64(4), uint32(0), none];
    return head(uint64(2), none, ...entry('a'), ...entry('b'), Buffer.alloc(99));
  }
});
