/** Tokens and texts, for models that report the numbers of their tokens. */
import type { Failed, TokenProbability } from '../../src/index.js';
import { defined } from '../../src/internal.js';

/**
 * The letter of each byte in the vocabularies of byte-level tokenizers: the character itself if it is visible, else
 * one from U+0100 on.
 *
 * Source: A. Radford et al., "Language Models are Unsupervised Multitask Learners", 2019.
 */
export const LETTERS: readonly string[] = lettersOfBytes();
export const BYTES: ReadonlyMap<string, number> = new Map(LETTERS.map((letter, byte) => [letter, byte]));

function lettersOfBytes(): string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
    return String.fromCharCode(isVisible ? byte : next++);
  });
}

const encoder = new TextEncoder();

/**
 * The bytes of a token by its name in the vocabulary. Vocabularies of bytes write each byte as a letter; those of
 * SentencePiece write a space as U+2581 and a byte as `<0xC3>`. Words that were added later are written as they are.
 */
export function bytesOfName(name: string, isOfBytes: boolean): Uint8Array {
  if (isOfBytes) {
    const bytes = Array.from(name, (letter) => BYTES.get(letter));
    return bytes.includes(undefined) ? encoder.encode(name) : Uint8Array.from(bytes as number[]);
  }
  const byte = /^<0x([0-9A-F]{2})>$/.exec(name)?.[1];
  return byte === undefined
    ? encoder.encode(name.replaceAll('▁', ' '))
    : Uint8Array.of(Number.parseInt(byte, 16));
}

/**
 * The index of the first token of a continuation, in the tokens of prompt and continuation together; -1, if the
 * continuation has no token. That token may begin inside the prompt: the end of the prompt and the start of the
 * continuation can form one token.
 */
export const continuationStart = (whole: readonly number[], prompt: readonly number[]): number =>
  whole.findIndex((id, index) => id !== prompt[index]);

/** A token with the bytes that it adds to a text, and the natural logarithm of its probability. */
export interface Piece {
  id?: number;
  bytes: Uint8Array;
  logprob: number;
}

/**
 * The tokens of a text. A token with a part of a character adds no text; the token that completes the character adds all
 * of it.
 */
export function tokensOf(pieces: readonly Piece[]): TokenProbability[] {
  const decoder = utf8();
  const tokens = pieces.map(({ bytes, ...other }) => tokenOf(decoder.decode(bytes, { stream: true }), other));
  const last = tokens.at(-1);
  if (last !== undefined) last.text += decoder.decode();
  return tokens;
}

/** Tokens that may stand at one place, in their order. */
export const alternativesOf = (pieces: readonly Piece[]): TokenProbability[] =>
  pieces.map(({ bytes, ...other }) => tokenOf(utf8().decode(bytes), other));

export const EMPTY_PROMPT: Failed = {
  failure: 'The prompt is empty, and the model has no token that begins a text.',
};

/** The largest number of alternatives that are asked for. vLLM and Ollama report no more. */
export const LISTED = 20;

const tokenOf = (
  text: string,
  { id, logprob }: { id?: number | undefined; logprob: number },
): TokenProbability => defined({ text, id, logprob });

const utf8 = () => new TextDecoder('utf-8', { ignoreBOM: true });
