import type { Failed, ScoreRequest } from '../../../src/index.js';

export const NOTHING_BEFORE: Failed = { failure: 'Ollama generates nothing after an empty prompt.' };
const WITHIN_A_WORD: Failed = {
  failure:
    'The prompt ends within a word that the continuation goes on with: Ollama does not tell its tokens.',
};

/** All of them at the end: the first is after something else. Line breaks seldom begin what follows. */
const SPACES_AT_END = /(?<![ \t])[ \t]*$/;
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{N}]/u;

/**
 * A request with the spaces apart that its prompt ends with. They and the continuation may begin with one token,
 * which a model that is asked after the spaces can no longer take; the same holds within a word, which only a
 * tokenizer could take apart.
 */
export function partsOf({ prompt, continuation }: ScoreRequest) {
  if (ENDS_IN_WORD.test(prompt) && BEGINS_IN_WORD.test(continuation)) return WITHIN_A_WORD;
  const spaces = SPACES_AT_END.exec(prompt)?.[0] as string;
  const before = prompt.slice(0, prompt.length - spaces.length);
  return before === '' ? NOTHING_BEFORE : { before, spaces, continuation };
}
