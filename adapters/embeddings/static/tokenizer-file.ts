/**
 * Checks the fields of `tokenizer.json` that this package uses. It ignores `truncation` and `padding`: a vector must not
 * depend on other texts of the same call, and the length limit is an option of the embedder.
 *
 * Source: Hugging Face tokenizers, https://github.com/huggingface/tokenizers (the files' own names are kept).
 */
import * as z from 'zod';
import { malformed } from './errors.js';

const only = (type: string) => z.literal(type, { error: `is not supported; ${type} is` as const });

const schema = z.object({
  added_tokens: z
    .array(
      z.object({
        id: z.int().min(0),
        content: z.string(),
        normalized: z.boolean(),
        single_word: z.literal(false, { error: 'is not supported unless it is false' }),
      }),
    )
    .default([]),
  normalizer: z.object({
    type: only('BertNormalizer'),
    clean_text: z.boolean(),
    handle_chinese_chars: z.boolean(),
    strip_accents: z.boolean().nullish(),
    lowercase: z.boolean(),
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

export type TokenizerFile = z.output<typeof schema>;

/** @throws ContextShapingError `invalid-input`, naming the first field that is malformed or not supported. */
export function checkTokenizerFile(file: unknown): TokenizerFile {
  const parsed = schema.safeParse(file);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues;
  // A Unigram model lacks many fields of WordPiece, but the useful message is that Unigram is not supported.
  const issue = issues.find(({ path }) => path.at(-1) === 'type') ?? (issues[0] as z.core.$ZodIssue);
  const value = issue.path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    file,
  );
  throw malformed(
    ['tokenizer.json', issue.path.join('.')].filter(Boolean).join(': '),
    value,
    /^is /.test(issue.message) ? issue.message : 'is malformed',
    'Use a model with a BERT tokenizer (WordPiece), such as minishlab/potion-base-8M.',
  );
}
