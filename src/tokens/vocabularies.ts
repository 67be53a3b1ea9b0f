import type { Ranks } from './merges.js';

/** The vocabularies of the exact encodings, 1 to 2.4 MB each: the optional package `gpt-tokenizer`. */
export interface Vocabulary {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  /** The expressions that split a text into the pieces within which an encoding merges. */
  constants: Record<'O200K_TOKEN_SPLIT_REGEX' | 'CL100K_TOKEN_SPLIT_REGEX', RegExp>;
  ranks: Ranks;
}

export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * Loads a vocabulary from the package where it is installed. The names are computed, so that bundlers, whose users may not
 * have the package, do not look for it.
 */
export async function loadVocabulary(encoding: Encoding): Promise<Vocabulary> {
  const load = (file: string) =>
    import(/* webpackIgnore: true */ /* @vite-ignore */ `gpt-tokenizer/${file}`) as Promise<unknown>;
  const { countTokens } = (await load(`encoding/${encoding}`)) as Vocabulary;
  return {
    countTokens,
    constants: (await load('encodingParams/constants')) as Vocabulary['constants'],
    // The module that the encoding itself has loaded.
    ranks: ((await load(`bpeRanks/${encoding}`)) as { default: Ranks }).default,
  };
}
