/**
 * BERT's uncased tokenizer, from a `tokenizer.json` of Hugging Face: white space separates words, each punctuation mark is a word,
 * and WordPiece splits words into tokens. The names of added tokens, such as `[CLS]`, are plain text. `truncation` and
 * `padding` of the file are ignored: a vector must not depend on other texts of the same call, and the length limit is an
 * option of the embedder.
 *
 * Source: J. Devlin et al., "BERT", 2019; in the form of `BertNormalizer` and `BertPreTokenizer` of Hugging Face
 * tokenizers, https://github.com/huggingface/tokenizers (the files' own names are kept).
 */
import * as z from 'zod';
import { malformed } from './model-files.js';

export interface Tokenizer {
  /** One more than the highest id. */
  idCount: number;
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
  const { added_tokens, model } = checkTokenizerFile(file);
  const vocabulary = readVocabulary(model.vocab);
  const unknown = vocabulary.get(model.unk_token);
  if (unknown === undefined) {
    throw malformed('tokenizer.json: model.unk_token', model.unk_token, 'must be in the vocabulary');
  }
  const normalise = bertNormalizer();
  const pieces = wordPiece(vocabulary, model);

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

  // A token that was added keeps its id from the vocabulary if it is there.
  const tokens = new Map([...added_tokens.map(({ content, id }) => [content, id] as const), ...vocabulary]);
  return {
    idCount: 1 + [...tokens.values()].reduce((highest, id) => Math.max(highest, id), 0),
    ids: (text) =>
      normalise(text)
        .split(SPACES)
        .flatMap(idsOf)
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

const only = <T extends string | boolean>(value: T) =>
  z.literal(value, { error: `is not supported; ${value} is` as const });

const schema = z.object({
  added_tokens: z.array(z.object({ id: z.int().min(0), content: z.string() })).default([]),
  normalizer: z.object({
    type: only('BertNormalizer'),
    clean_text: only(true),
    handle_chinese_chars: only(true),
    strip_accents: only(true).nullish(),
    lowercase: only(true),
  }),
  pre_tokenizer: z.object({ type: only('BertPreTokenizer') }),
  model: z.object({
    type: only('WordPiece'),
    unk_token: z.string(),
    continuing_subword_prefix: z.string(),
    max_input_chars_per_word: z.int().min(0),
    // Checked where it is read: it has tens of thousands of tokens.
    vocab: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
  }),
});

type TokenizerFile = z.output<typeof schema>;

/** @throws ContextShapingError `invalid-input`, naming the first field that is malformed or not supported. */
function checkTokenizerFile(file: unknown): TokenizerFile {
  const parsed = schema.safeParse(file);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues;
  // A Unigram model lacks many fields of WordPiece, but the useful message is that Unigram is not supported.
  const issue = issues.find(({ path }) => path.at(-1) === 'type') ?? (issues[0] as z.core.$ZodIssue);
  throw malformed(
    ['tokenizer.json', issue.path.join('.')].filter(Boolean).join(': '),
    issue.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], file),
    /^is /.test(issue.message) ? issue.message : 'is malformed',
    'Use a model with a BERT tokenizer (WordPiece), such as minishlab/potion-base-8M.',
  );
}

/** Printable ASCII: only lower-casing changes it. Most texts are, and this way is by far the fastest. */
const PLAIN = /^[ -~]*$/;
/** Tab, line feed, carriage return, and the white space that is no control character. */
const SPACE = /[\t\n\r\p{Z}]/u;
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/u;
/** The "Chinese characters" of BERT: ideographs, without kana and hangul. */
const IDEOGRAPH =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;

/**
 * The normaliser of BERT's uncased tokenizers. It drops control characters, makes every white space a space, puts spaces
 * around ideographs, decomposes, drops nonspacing marks, and lower-cases.
 *
 * Each of its steps depends on one character. (Decomposition would also reorder marks, but this normaliser drops them.) So
 * it is a table from characters to texts, which is filled on demand and takes linear time.
 */
function bertNormalizer(): (text: string) => string {
  const table: string[] = [];

  function compute(character: string): string {
    if (SPACE.test(character)) return ' ';
    if (CONTROL.test(character)) return '';
    const text = IDEOGRAPH.test(character) ? ` ${character} ` : character;
    return text
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase();
  }

  return (text) => {
    if (PLAIN.test(text)) return text.toLowerCase();
    let normalised = '';
    for (const character of text) {
      // A text of one character has no final sigma, so its lower case does not depend on its position.
      const code = character.codePointAt(0) as number;
      if (code > 0xffff) normalised += compute(character);
      else normalised += table[code] ??= compute(character);
    }
    return normalised;
  };
}

/**
 * WordPiece: splits a word from left to right into the longest pieces of the vocabulary. A word that cannot be split
 * this way, or is too long, is the unknown token.
 *
 * Source: Y. Wu et al., "Google's Neural Machine Translation System", 2016.
 *
 * @returns a function from a word to the ids of its pieces, or the id of `unk_token`.
 */
function wordPiece(
  vocabulary: ReadonlyMap<string, number>,
  options: Omit<TokenizerFile['model'], 'vocab'>,
): (word: string) => number[] {
  const { unk_token, continuing_subword_prefix: prefix, max_input_chars_per_word: most } = options;
  const unknown = [vocabulary.get(unk_token) as number];
  const continuing = new Map<string, number>();
  let longest = 0;
  for (const [token, id] of vocabulary) {
    longest = Math.max(longest, token.length);
    if (token.startsWith(prefix)) continuing.set(token.slice(prefix.length), id);
  }
  return (word) => {
    if (word.length > most && Array.from(word).length > most) return unknown;
    const ids: number[] = [];
    for (let start = 0; start < word.length; ) {
      const known = start === 0 ? vocabulary : continuing;
      let end = Math.min(word.length, start + longest);
      while (end > start && !known.has(word.slice(start, end))) end -= 1;
      if (end === start) return unknown;
      ids.push(known.get(word.slice(start, end)) as number);
      start = end;
    }
    return ids;
  };
}
