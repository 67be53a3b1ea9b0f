import type { Llama } from '../../../gguf/llama.js';

/**
 * A model that always generates the same text, then the token that ends a text. All other tokens are equally probable, and
 * the generated token has the rest of the probability.
 *
 * @param other probability of each other token. Default: .1 for all of them together.
 */
export function scripted(
  llama: Llama,
  text: string,
  other = 0.1 / (llama.tokenizer.pieces.length - 1),
): Llama {
  const { tokenizer } = llama;
  const vocabulary = tokenizer.pieces.length;
  const script = [...tokenizer.encode(text), tokenizer.eos];
  const said = (tokens: readonly number[]) => {
    let most = script.length - 1;
    while (most > 0 && script.slice(0, most).join() !== tokens.slice(-most).join()) most--;
    return most;
  };
  return Object.create(llama, {
    logprobs: {
      value: (tokens: readonly number[]) => {
        const logprobs = new Float64Array(vocabulary).fill(Math.log(other));
        logprobs[script[said(tokens)] as number] = Math.log1p(-other * (vocabulary - 1));
        return logprobs;
      },
    },
    tokenizer: { value: tokenizer },
    dimensions: { value: llama.dimensions },
    contextLength: { value: llama.contextLength },
    known: { value: () => 0 },
  });
}
