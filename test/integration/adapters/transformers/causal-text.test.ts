/** The tokens and bytes of vocabularies, with a stand-in for the tokenizer. */
import { describe, expect, test } from 'vitest';
import { CausalText } from '../../../../adapters/transformers/causal-text.js';
import type { Tokenizer } from '../../../../adapters/transformers/engine.js';

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A tokenizer with one token per character. */
function tokenizerOf(
  names: readonly string[],
  decoder: object,
  { marks = [] as number[], begin = [] as number[], end = [] as number[] } = {},
): Tokenizer {
  const encode = (text: string, { add_special_tokens = true }: { add_special_tokens?: boolean }) => {
    const ids = Array.from(text, (character) => names.indexOf(character));
    return { input_ids: add_special_tokens ? [...begin, ...ids, ...end] : ids };
  };
  return Object.assign(encode, {
    model_max_length: 10,
    all_special_ids: marks,
    all_special_tokens: marks.map((id) => names[id] as string),
    chat_template: null,
    get_vocab: () => new Map(names.map((name, id) => [name, id])),
    apply_chat_template: () => '',
    _tokenizerJSON: {
      decoder,
      added_tokens: marks.map((id) => ({ id, content: names[id] as string, special: true })),
    },
  });
}

const RAW = { chatTemplate: false, parseSpecial: false };

describe('the bytes of tokens', () => {
  test('of a vocabulary of bytes', () => {
    const text = new CausalText(tokenizerOf(['Ġa', 'Ã', '¼', 'Ċ', '東'], { type: 'ByteLevel' }), RAW);
    expect([0, 3].map((id) => decoded(text.pieceOf(id)))).toEqual([' a', '\n']);
    expect(decoded(Uint8Array.of(...text.pieceOf(1), ...text.pieceOf(2)))).toBe('ü');
    // A word that was added later need not be written in letters of bytes.
    expect(decoded(text.pieceOf(4))).toBe('東');
  });

  test('of a vocabulary of SentencePiece', () => {
    const decoder = { type: 'Sequence', decoders: [{ type: 'ByteFallback' }] };
    const text = new CausalText(tokenizerOf(['▁a', '<0xC3>', '<0xBC>', '<s>'], decoder, { marks: [3] }), RAW);
    expect(decoded(text.pieceOf(0))).toBe(' a');
    expect(decoded(Uint8Array.of(...text.pieceOf(1), ...text.pieceOf(2)))).toBe('ü');
    expect(text.pieceOf(3)).toHaveLength(0);
    expect(text.pieceOf(99)).toHaveLength(0);
  });
});

test('a text begins as the tokenizer begins it, and is not ended', () => {
  const names = ['a', 'b', '<s>', '</s>'];
  const text = new CausalText(tokenizerOf(names, {}, { marks: [2, 3], begin: [2], end: [3] }), RAW);
  expect(text.encode('ab')).toEqual([2, 0, 1]);
  expect(text.encode('a', 'b')).toEqual([2, 0, 1]);
  expect(text.encode('')).toEqual([2]);
  const none = new CausalText(tokenizerOf(names, {}), RAW);
  expect(none.encode('ab')).toEqual([0, 1]);
});
