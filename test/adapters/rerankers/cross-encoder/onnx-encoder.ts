/**
 * Encoders of BERT's architecture with random weights: as an ONNX graph, and in plain arithmetic of double precision.
 *
 *   x = norm(word + position + segment)
 *   x = norm(x + attention(x)),  attention = softmax(q · k / sqrt(head size)) v
 *   x = norm(x + W₂ gelu(W₁ x)),  gelu(z) = z (1 + erf(z / sqrt 2)) / 2
 *
 * Source: J. Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding", 2019.
 */
import { seededRandom } from '../../../random.js';
import type { Graph, Linear } from './onnx-graph.js';

export interface EncoderSize {
  vocabulary: number;
  positions: number;
  width: number;
  layers: number;
  heads: number;
  hidden: number;
}

interface Norm {
  scale: Float32Array;
  shift: Float32Array;
}

interface EncoderLayer {
  queries: Linear;
  keys: Linear;
  values: Linear;
  out: Linear;
  attentionNorm: Norm;
  up: Linear;
  down: Linear;
  networkNorm: Norm;
}

export interface Encoder {
  size: EncoderSize;
  words: Float32Array;
  positions: Float32Array;
  segments: Float32Array;
  norm: Norm;
  layers: EncoderLayer[];
}

const EPSILON = 1e-6;
const MASKED = -10_000;

/** Makes random matrices, the same for the same seed. */
export function randomWeights(seed: number) {
  const random = seededRandom(seed);
  const numbers = (count: number, scale: number) =>
    Float32Array.from({ length: count }, () => (2 * random() - 1) * scale);
  const linear = (inputs: number, outputs: number, gain = 1): Linear => ({
    weight: numbers(inputs * outputs, gain * Math.sqrt(3 / inputs)),
    bias: numbers(outputs, 0.1),
    inputs,
    outputs,
  });
  return { numbers, linear };
}

/** An encoder with random weights, the same for the same seed. */
export function randomEncoder(size: EncoderSize, seed: number): Encoder {
  const { width, vocabulary, hidden } = size;
  const { numbers, linear } = randomWeights(seed);
  const norm = (): Norm => ({
    scale: numbers(width, 0.2).map((value) => 1 + value),
    shift: numbers(width, 0.1),
  });
  return {
    size,
    words: numbers(vocabulary * width, 1),
    positions: numbers(size.positions * width, 0.3),
    segments: numbers(2 * width, 0.3),
    norm: norm(),
    layers: Array.from({ length: size.layers }, () => ({
      // Attention that is far from even shows mistakes in masks and positions.
      queries: linear(width, width, 1.5),
      keys: linear(width, width, 1.5),
      values: linear(width, width),
      out: linear(width, width),
      attentionNorm: norm(),
      up: linear(width, hidden),
      down: linear(hidden, width),
      networkNorm: norm(),
    })),
  };
}

/**
 * Adds the encoder to a graph, with its inputs `input_ids`, `attention_mask` and `token_type_ids`.
 *
 * @returns the name of the value with the states of all tokens: [batch, length, width].
 */
export function encoderGraph(graph: Graph, encoder: Encoder): string {
  const { width, heads, vocabulary, positions } = encoder.size;
  const dims = ['batch', 'length'];
  const ids = graph.input('input_ids', 'int64', dims);
  const mask = graph.input('attention_mask', 'int64', dims);
  const segments = graph.input('token_type_ids', 'int64', dims);
  const length = graph.apply('Gather', [graph.apply('Shape', [ids]), graph.integers([1], [])]);
  const places = graph.apply('Range', [graph.integers([0], []), length, graph.integers([1], [])]);
  const add = (a: string, b: string) => graph.apply('Add', [a, b]);
  const normalised = (value: string, { scale, shift }: Norm) =>
    graph.apply('LayerNormalization', [value, graph.weights(scale, [width]), graph.weights(shift, [width])], {
      axis: -1,
      epsilon: EPSILON,
    });
  const words = graph.apply('Gather', [graph.weights(encoder.words, [vocabulary, width]), ids]);
  const kinds = graph.apply('Gather', [graph.weights(encoder.segments, [2, width]), segments]);
  const placed = graph.apply('Gather', [graph.weights(encoder.positions, [positions, width]), places]);
  let states = normalised(add(add(words, kinds), placed), encoder.norm);
  const present = graph.apply('Unsqueeze', [graph.apply('Cast', [mask], { to: 1 }), graph.integers([1, 2])]);
  const bias = graph.apply('Mul', [graph.apply('Sub', [graph.number(1), present]), graph.number(MASKED)]);
  const split = graph.integers([0, 0, heads, width / heads]);
  const joined = graph.integers([0, 0, width]);
  for (const layer of encoder.layers) {
    const inHeads = (linear: Linear, perm: number[]) =>
      graph.apply('Transpose', [graph.apply('Reshape', [graph.linear(states, linear), split])], { perm });
    const product = graph.apply('MatMul', [
      inHeads(layer.queries, [0, 2, 1, 3]),
      inHeads(layer.keys, [0, 2, 3, 1]),
    ]);
    const scaled = graph.apply('Mul', [product, graph.number(1 / Math.sqrt(width / heads))]);
    const attention = graph.apply('Softmax', [add(scaled, bias)], { axis: -1 });
    const attended = graph.apply(
      'Transpose',
      [graph.apply('MatMul', [attention, inHeads(layer.values, [0, 2, 1, 3])])],
      { perm: [0, 2, 1, 3] },
    );
    const out = graph.linear(graph.apply('Reshape', [attended, joined]), layer.out);
    states = normalised(add(states, out), layer.attentionNorm);
    const up = graph.linear(states, layer.up);
    const erf = graph.apply('Erf', [graph.apply('Mul', [up, graph.number(Math.SQRT1_2)])]);
    const half = graph.apply('Mul', [up, graph.number(0.5)]);
    const activated = graph.apply('Mul', [half, add(erf, graph.number(1))]);
    states = normalised(add(states, graph.linear(activated, layer.down)), layer.networkNorm);
  }
  return states;
}

/** The value of the first token: [batch, width]. */
export const firstToken = (graph: Graph, states: string): string =>
  graph.apply('Gather', [states, graph.integers([0], [])], { axis: 1 });

/** The states of all tokens of one text, in plain arithmetic. */
export function encode(
  encoder: Encoder,
  ids: readonly number[],
  segments: readonly number[] = ids.map(() => 0),
): Float64Array[] {
  const { width, heads } = encoder.size;
  const row = (matrix: Float32Array, at: number) => matrix.subarray(at * width, (at + 1) * width);
  let states = ids.map((id, place) => {
    const [word, segment, position] = [
      row(encoder.words, id),
      row(encoder.segments, segments[place] as number),
      row(encoder.positions, place),
    ];
    const sum = Float64Array.from(word, (value, at) => value + segment[at]! + position[at]!);
    return normalise(sum, encoder.norm);
  });
  const size = width / heads;
  for (const layer of encoder.layers) {
    const queries = states.map((state) => apply(layer.queries, state));
    const keys = states.map((state) => apply(layer.keys, state));
    const values = states.map((state) => apply(layer.values, state));
    states = states.map((state, place) => {
      const attended = new Float64Array(width);
      for (let head = 0; head < heads; head++) {
        const from = head * size;
        const scores = keys.map((key) => {
          let sum = 0;
          for (let at = from; at < from + size; at++) sum += queries[place]![at]! * key[at]!;
          return sum / Math.sqrt(size);
        });
        const shares = softmax(scores);
        for (const [other, share] of shares.entries()) {
          for (let at = from; at < from + size; at++) attended[at]! += share * values[other]![at]!;
        }
      }
      const out = apply(layer.out, attended);
      const between = normalise(
        state.map((value, at) => value + out[at]!),
        layer.attentionNorm,
      );
      const up = apply(layer.up, between).map((z) => (z * (1 + erf(z * Math.SQRT1_2))) / 2);
      const down = apply(layer.down, up);
      return normalise(
        between.map((value, at) => value + down[at]!),
        layer.networkNorm,
      );
    });
  }
  return states;
}

/** x W + b. */
export function apply({ weight, bias, inputs, outputs }: Linear, input: ArrayLike<number>): Float64Array {
  const result = Float64Array.from({ length: outputs }, (_, at) => bias?.[at] ?? 0);
  for (let from = 0; from < inputs; from++) {
    for (let at = 0; at < outputs; at++) result[at]! += input[from]! * weight[from * outputs + at]!;
  }
  return result;
}

function normalise(values: Float64Array, { scale, shift }: Norm): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map(
    (value, at) => ((value - mean) / Math.sqrt(variance + EPSILON)) * scale[at]! + shift[at]!,
  );
}

export function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** The error function, by its Taylor series: exact enough for values of small models. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
