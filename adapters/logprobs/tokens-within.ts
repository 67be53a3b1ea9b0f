/**
 * The tokens inside a generated text. Servers also list the token that ends the text, and the tokens of a stop text.
 *
 * @param isStopped the text ended before the largest number of tokens was reached.
 */
export function tokensWithin<T extends { text: string }>(
  text: string,
  tokens: readonly T[],
  isStopped: boolean,
): T[] {
  let read = '';
  for (const [index, token] of tokens.entries()) {
    if (read.length >= text.length && read.startsWith(text)) return tokens.slice(0, index);
    read += token.text;
  }
  const last = tokens.at(-1)?.text ?? '';
  const endsInAToken = isStopped && !read.startsWith(text) && !text.endsWith(last);
  return tokens.slice(0, tokens.length - (endsInAToken ? 1 : 0));
}
