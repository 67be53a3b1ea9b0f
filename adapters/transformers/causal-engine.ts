import type { NextToken, TokenEngine } from '../model-calls/index.js';
import type { CausalText } from './causal-text.js';
import type { Tensor } from './engine.js';
import { nextTokenOf } from './next-token.js';
import type { OpenModel } from './open-model.js';
import { PrefixCache } from './prefix-cache.js';

/** The tokens of a model, and its memory of prefixes. */
export function causalEngine(open: OpenModel, text: CausalText): TokenEngine {
  const { engine, model, session, tokenizer, maxLength } = open;
  const cache = new PrefixCache(engine, session);
  const ends = [
    model.generation_config?.eos_token_id,
    model.config.eos_token_id,
    tokenizer.eos_token_id,
  ].flat();
  const integers = (values: readonly number[], dims: readonly number[]) =>
    new engine.Tensor('int64', BigInt64Array.from(values, BigInt), dims);
  return {
    contextLength: maxLength,
    reserve: 0,
    encode: (prompt, continuation) => text.encode(prompt, continuation),
    pieceOf: (id) => text.pieceOf(id),
    isEnd: (id) => ends.includes(id),
    clear: () => cache.clear(),
    keep: (tokens, most) => cache.keep(tokens, most),
    async run(tokens, kept, { length: rows }) {
      const added = tokens.slice(kept);
      const outputs = await model({
        input_ids: integers(added, [1, added.length]),
        attention_mask: integers(new Array(tokens.length).fill(1), [1, tokens.length]),
        // Not all graphs have this input. The others compute the logits of all tokens.
        num_logits_to_keep: integers([rows], []),
        ...cache.inputs,
      });
      cache.add(added, outputs);
      const output = outputs.logits as Tensor;
      const logits = output.to('float32');
      const [vocabulary, count] = [logits.dims.at(-1) as number, logits.dims.at(-2) as number];
      const data = logits.data as Float32Array;
      const next = Array.from({ length: rows }, (_, row): NextToken => {
        const from = (count - rows + row) * vocabulary;
        return nextTokenOf(data.subarray(from, from + vocabulary));
      });
      if (output.location !== 'cpu') output.dispose();
      return next;
    },
  };
}
