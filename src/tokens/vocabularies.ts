/**
 * The vocabularies of the exact encodings, 1 to 2.4 MB each. A build with the condition `context-shaping-small` has
 * `no-vocabularies.ts` in the place of this file. It imports nothing of the core, because Node has the core in one copy
 * elsewhere.
 */
export interface Vocabulary {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  /** Splits a text into the pieces within which the encoding merges. */
  pattern: RegExp;
}

// The specifiers are literals, so that bundlers find them and put each vocabulary into its own chunk.
export const vocabularies = {
  async o200k_base(): Promise<Vocabulary> {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const { O200K_TOKEN_SPLIT_REGEX: pattern } = await import('gpt-tokenizer/encodingParams/constants');
    return { countTokens, pattern };
  },
  async cl100k_base(): Promise<Vocabulary> {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
    const { CL100K_TOKEN_SPLIT_REGEX: pattern } = await import('gpt-tokenizer/encodingParams/constants');
    return { countTokens, pattern };
  },
};

export type Encoding = keyof typeof vocabularies;
