/**
 * Where the tokens of a continuation begin among those of its prompt and itself together; -1, if it has none.
 * That may be before the prompt ends: its end and the beginning of the continuation may make one token.
 */
export const continuationStart = (whole: readonly number[], prompt: readonly number[]): number =>
  whole.findIndex((id, place) => id !== prompt[place]);
