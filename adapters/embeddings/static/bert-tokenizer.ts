/**
 * BERT's tokenizer: white space separates words, each punctuation mark is a word, and WordPiece splits words into
 * tokens.
 *
 * Source: J. Devlin et al., "BERT", 2019; in the form of `BertPreTokenizer` of Hugging Face tokenizers.
 */
import { bertNormalizer } from './bert-normalizer.js';
import { malformed } from './errors.js';
import { checkTokenizerFile, type TokenizerFile } from './tokenizer-file.js';
import { characters, wordPiece } from './word-piece.js';

export interface Tokenizer {
  /** One more than the highest id. */
  idCount: number;
  /** Median length of the tokens, in characters (code points), rounded down. */
  medianLength: number;
  /** Ids of the tokens of a text, in order, without the unknown token. */
  ids(text: string): number[];
}

/** The white space of Unicode, listed: several times as fast as `\p{White_Space}`. */
const SPACES = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const PUNCTUATION = /([\p{P}!-/:-@[-`{-~])/u;

/** The largest number of words in the cache, and their largest length. A full cache is emptied; at most 10 MB. */
const CACHE_SIZE = 50_000;
const LONGEST = 40;

/**
 * @param file a `tokenizer.json`, parsed.
 * @throws ContextShapingError `invalid-input`, if it is malformed, or its kind is not supported.
 */
export function bertTokenizer(file: unknown): Tokenizer {
  const { added_tokens, normalizer, model } = checkTokenizerFile(file);
  const vocabulary = readVocabulary(model.vocab);
  const unknown = vocabulary.get(model.unk_token);
  if (unknown === undefined) {
    throw malformed('tokenizer.json: model.unk_token', model.unk_token, 'must be in the vocabulary');
  }
  const normalise = bertNormalizer(normalizer);
  const pieces = wordPiece(vocabulary, model);
  // An added token that is in the vocabulary keeps its id from there.
  const added = added_tokens.map((token) => ({ ...token, id: vocabulary.get(token.content) ?? token.id }));
  const splitVerbatim = addedTokenSplitter(added.filter(({ normalized }) => !normalized));
  const splitNormalised = addedTokenSplitter(
    added
      .filter(({ normalized }) => normalized)
      .map((token) => ({ ...token, content: normalise(token.content) })),
  );

  const cache = new Map<string, readonly number[]>();
  /** The ids of a run without spaces: a word and the punctuation marks around it. */
  function idsOf(run: string): readonly number[] {
    const known = cache.get(run);
    if (known !== undefined) return known;
    const ids = run.split(PUNCTUATION).flatMap((word) => (word === '' ? [] : pieces(word)));
    if (run.length > LONGEST) return ids;
    if (cache.size >= CACHE_SIZE) cache.clear();
    // A substring keeps the whole text in memory, a copy of its characters does not.
    cache.set(String.fromCodePoint(...Array.from(run, (each) => each.codePointAt(0) as number)), ids);
    return ids;
  }

  const tokens = new Map([...vocabulary, ...added.map(({ content, id }) => [content, id] as const)]);
  return {
    idCount: 1 + [...tokens.values()].reduce((highest, id) => Math.max(highest, id), 0),
    medianLength: Math.floor(median([...tokens.keys()].map(characters))),
    ids: (text) =>
      splitVerbatim(text)
        .flatMap((part) => (typeof part === 'number' ? part : splitNormalised(normalise(part))))
        .flatMap((part) => (typeof part === 'number' ? part : part.split(SPACES).flatMap(idsOf)))
        .filter((id) => id !== unknown),
  };
}

/**
 * Splits a text at its added tokens: the leftmost first, and the longest at each position.
 *
 * @returns a function from a text to its parts in order: ids of added tokens, and the texts between them.
 */
function addedTokenSplitter(tokens: TokenizerFile['added_tokens']): (text: string) => (string | number)[] {
  const ids = new Map(tokens.map(({ content, id }) => [content, id]));
  ids.delete('');
  if (ids.size === 0) return (text) => [text];
  const alternatives = [...ids.keys()]
    .sort((a, b) => b.length - a.length)
    .map((content) => content.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`(${alternatives.join('|')})`, 'u');
  // Splitting by a group leaves its matches at the odd indexes.
  return (text) =>
    text.split(pattern).map((part, index) => (index % 2 === 1 ? (ids.get(part) as number) : part));
}

function readVocabulary(vocab: Record<string, unknown>): Map<string, number> {
  const vocabulary = new Map<string, number>();
  for (const [token, id] of Object.entries(vocab)) {
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) {
      const field = `tokenizer.json: model.vocab[${JSON.stringify(token)}]`;
      throw malformed(field, id, 'must be a whole number of at least 0');
    }
    vocabulary.set(token, id);
  }
  return vocabulary;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}
