/**
 * BERT's tokenizer: white space separates words, punctuation marks are words of their own, and WordPiece cuts
 * words into tokens.
 *
 * Source: J. Devlin et al., "BERT", 2019; in the form of `BertPreTokenizer` of Hugging Face tokenizers.
 */
import { addedTokenCutter } from './added-tokens.js';
import { bertNormalizer } from './bert-normalizer.js';
import { malformed } from './malformed.js';
import { checkTokenizerFile } from './tokenizer-file.js';
import { characters, wordPiece } from './word-piece.js';

export interface Tokenizer {
  /** One more than the highest id. */
  idCount: number;
  /** Median length of the tokens, in characters (code points), rounded down. */
  medianLength: number;
  /** Ids of the tokens of a text, in order, without the unknown. */
  ids(text: string): number[];
}

/** White space as Unicode has it, spelled out: several times as fast as `\p{White_Space}`. */
const SPACES = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const PUNCTUATION = /([\p{P}!-/:-@[-`{-~])/u;

/** Words worth remembering, and the longest of them. When full the cache starts anew: some 10 MB at most. */
const CACHE_SIZE = 50_000;
const LONGEST = 40;

/**
 * @param file a `tokenizer.json`, parsed.
 * @throws ContextShapingError `invalid-input`, if it is malformed or of a kind that is not supported.
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
  // A token that the vocabulary has keeps the id it has there.
  const added = added_tokens.map((token) => ({ ...token, id: vocabulary.get(token.content) ?? token.id }));
  const cutVerbatim = addedTokenCutter(added.filter(({ normalized }) => !normalized));
  const cutNormalised = addedTokenCutter(
    added
      .filter(({ normalized }) => normalized)
      .map((token) => ({ ...token, content: normalise(token.content) })),
  );

  const cache = new Map<string, readonly number[]>();
  /** Of what stands between two spaces: a word and the punctuation marks about it. */
  function idsOf(run: string): readonly number[] {
    const known = cache.get(run);
    if (known !== undefined) return known;
    const ids = run.split(PUNCTUATION).flatMap((word) => (word === '' ? [] : pieces(word)));
    if (run.length > LONGEST) return ids;
    if (cache.size >= CACHE_SIZE) cache.clear();
    // A piece of a text keeps all of the text alive, a copy of its characters does not.
    cache.set(String.fromCodePoint(...Array.from(run, (each) => each.codePointAt(0) as number)), ids);
    return ids;
  }

  const tokens = new Map([...vocabulary, ...added.map(({ content, id }) => [content, id] as const)]);
  return {
    idCount: 1 + [...tokens.values()].reduce((highest, id) => Math.max(highest, id), 0),
    medianLength: Math.floor(median([...tokens.keys()].map(characters))),
    ids: (text) =>
      cutVerbatim(text)
        .flatMap((part) => (typeof part === 'number' ? part : cutNormalised(normalise(part))))
        .flatMap((part) => (typeof part === 'number' ? part : part.split(SPACES).flatMap(idsOf)))
        .filter((id) => id !== unknown),
  };
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
