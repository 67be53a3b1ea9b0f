/** Runs texts through an encoder, in batches of texts of similar length. */
import type { Encoding, Outputs } from './engine.js';
import type { OpenModel } from './open-model.js';

/** The tokens of a text, or of a pair of texts. */
export interface Tokens {
  readonly ids: readonly number[];
  /** 1 for tokens of the second text. */
  readonly segments: readonly number[];
}

/**
 * The tokens of a text, with those that the tokenizer adds, such as `[CLS]` and `[SEP]`. Their names in the text are
 * plain text.
 */
export function tokensOf({ tokenizer, plain }: OpenModel, text: string, pair?: string): Tokens {
  const { input_ids, token_type_ids }: Encoding = tokenizer(plain(text), {
    // The tokenizer takes an empty second text for none.
    ...(pair === undefined ? {} : { text_pair: pair === '' ? ' ' : plain(pair) }),
    return_token_type_ids: true,
    return_tensor: false,
  });
  return { ids: input_ids, segments: token_type_ids ?? input_ids.map(() => 0) };
}

/** Cuts the end of the text off, so that at most `most` tokens are left. The tokens that end every text stay. */
export function truncated({ tokenizer }: OpenModel, { ids, segments }: Tokens, most: number): Tokens {
  if (ids.length <= most) return { ids, segments };
  const special = new Set(tokenizer.all_special_ids);
  let end = ids.length;
  while (end > 0 && special.has(ids[end - 1] as number)) end--;
  const cut = (values: readonly number[]) => [
    ...values.slice(0, most - (values.length - end)),
    ...values.slice(end),
  ];
  return { ids: cut(ids), segments: cut(segments) };
}

/** The outputs of a batch, and the places of its texts. */
export interface Batch {
  readonly places: readonly number[];
  readonly outputs: Outputs;
  /** The number of tokens of the longest text of the batch: shorter ones are padded at their end. */
  readonly length: number;
}

/**
 * Runs all texts, longest first, so that batches have little padding, and one that does not fit into memory fails at once.
 *
 * @param onBatch gets the outputs of each batch. They are freed afterwards.
 */
export async function inBatches(
  { engine, tokenizer, model }: OpenModel,
  texts: readonly Tokens[],
  batchSize: number,
  signal: AbortSignal | undefined,
  onBatch: (batch: Batch) => void,
): Promise<{ batches: number; tokens: number }> {
  // Texts of one length by their tokens: the batches do not depend on the order of the texts.
  const order = [...texts.keys()].sort((a, b) => {
    const [one, other] = [(texts[a] as Tokens).ids, (texts[b] as Tokens).ids];
    if (one.length !== other.length) return other.length - one.length;
    const at = one.findIndex((id, place) => id !== other[place]);
    return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
  });
  const padding = tokenizer.pad_token_id ?? 0;
  let batches = 0;
  for (let from = 0; from < order.length; from += batchSize) {
    signal?.throwIfAborted();
    const places = order.slice(from, from + batchSize);
    const batch = places.map((place) => texts[place] as Tokens);
    const length = (batch[0] as Tokens).ids.length;
    const tensor = (row: (tokens: Tokens, at: number) => number) => {
      const data = batch.flatMap((tokens) => Array.from({ length }, (_, at) => BigInt(row(tokens, at))));
      return new engine.Tensor('int64', BigInt64Array.from(data), [batch.length, length]);
    };
    const outputs = await model({
      input_ids: tensor(({ ids }, at) => ids[at] ?? padding),
      attention_mask: tensor(({ ids }, at) => (at < ids.length ? 1 : 0)),
      token_type_ids: tensor(({ segments }, at) => segments[at] ?? 0),
    });
    onBatch({ places, outputs, length });
    for (const output of Object.values(outputs)) if (output.location !== 'cpu') output.dispose();
    batches++;
  }
  return { batches, tokens: texts.reduce((sum, { ids }) => sum + ids.length, 0) };
}
