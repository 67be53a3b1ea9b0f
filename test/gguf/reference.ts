/**
 * A second implementation of the llama architecture, as an oracle: all positions at once, no memory, rotation by complex
 * numbers, each line a formula of the papers.
 */
import type { Shape, TensorSource } from './writer.js';

type Vector = number[];

const dot = (a: Vector, b: Vector) => a.reduce((sum, value, place) => sum + value * (b[place] as number), 0);
const plus = (a: Vector, b: Vector) => a.map((value, place) => value + (b[place] as number));
const silu = (z: number) => z / (1 + Math.exp(-z));

/** Log-probabilities of all possible next tokens. */
export function referenceLogprobs(
  { width, heads, sharedHeads, headSize, layers }: Shape,
  tensors: Record<string, TensorSource>,
  rotationBase: number,
  tokens: readonly number[],
): Vector {
  const rows = (name: string): Vector[] => {
    const { sizes, values } = tensors[`${name}.weight`] as TensorSource;
    const length = sizes[0] as number;
    return Array.from({ length: values.length / length }, (_, row) =>
      values.slice(row * length, (row + 1) * length).map(Math.fround),
    );
  };
  const times = (name: string, x: Vector) => rows(name).map((row) => dot(row, x));
  const norm = (name: string, x: Vector) => {
    const scale = Math.sqrt(dot(x, x) / width + Math.fround(1e-5));
    return x.map((value, place) => (value / scale) * (rows(name)[0]?.[place] as number));
  };
  const factors = tensors['rope_freqs.weight']?.values;
  /** One head, rotated by its position: each pair as a complex number times e^(i · position · frequency). */
  const turned = (head: Vector, place: number) =>
    head.map((value, at) => {
      const pair = Math.floor(at / 2);
      const angle = (place * rotationBase ** ((-2 * pair) / headSize)) / (factors?.[pair] ?? 1);
      const other = head[at ^ 1] as number;
      return value * Math.cos(angle) + (at % 2 === 0 ? -1 : 1) * other * Math.sin(angle);
    });
  const headOf = (x: Vector, head: number) => x.slice(head * headSize, (head + 1) * headSize);

  let states = tokens.map((token) => rows('token_embd')[token] as Vector);
  for (let layer = 0; layer < layers; layer++) {
    const inputs = states.map((x) => norm(`blk.${layer}.attn_norm`, x));
    const [queries, keys, values] = ['q', 'k', 'v'].map((which) =>
      inputs.map((x) => times(`blk.${layer}.attn_${which}`, x)),
    ) as [Vector[], Vector[], Vector[]];
    states = states.map((x, place) => {
      const attended = Array.from({ length: heads }, (_, head) => {
        const shared = Math.floor(head / (heads / sharedHeads));
        const query = turned(headOf(queries[place] as Vector, head), place);
        const weights = keys
          .slice(0, place + 1)
          .map((key, at) => Math.exp(dot(query, turned(headOf(key, shared), at)) / Math.sqrt(headSize)));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        return weights
          .map((weight, at) => headOf(values[at] as Vector, shared).map((value) => (value * weight) / total))
          .reduce(plus);
      }).flat();
      return plus(x, times(`blk.${layer}.attn_output`, attended));
    });
    states = states.map((x) => {
      const input = norm(`blk.${layer}.ffn_norm`, x);
      const gate = times(`blk.${layer}.ffn_gate`, input).map(silu);
      const up = times(`blk.${layer}.ffn_up`, input);
      const inner = gate.map((value, place) => value * (up[place] as number));
      return plus(x, times(`blk.${layer}.ffn_down`, inner));
    });
  }
  const logits = times('output', norm('output_norm', states.at(-1) as Vector));
  const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return logits.map((logit) => logit - total);
}
