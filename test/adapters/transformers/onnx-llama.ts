/**
 * A GGUF model of the llama architecture as an ONNX graph with the inputs and outputs of a language model: tokens,
 * positions, keys and values of earlier tokens, and the number of rows of logits to compute.
 *
 * GGUF rotates neighbouring values of a head by position, and graphs rotate value i with value i + half: the rows of
 * queries and keys change places, which leaves their products as they are.
 *
 * Source: J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021; the layers are those of
 * `test/gguf/layers.ts`.
 */
import type { Llama } from '../../gguf/llama.js';
import { Graph } from './onnx-graph.js';

const MASKED = -1e9;
const LAST = 2 ** 40;

export interface LlamaGraphOptions {
  /** Whether the graph can compute the last rows of logits only. */
  numLogitsToKeep?: boolean;
  /** Whether the graph takes and returns keys and values. */
  cache?: boolean;
}

export function llamaGraph(
  { dimensions, weights }: Llama,
  { numLogitsToKeep = true, cache = true }: LlamaGraphOptions = {},
): Uint8Array {
  const { width, heads, sharedHeads, headSize, hidden, vocabulary, contextLength } = dimensions;
  const graph = new Graph();
  const binary = (operator: string) => (a: string, b: string) => graph.apply(operator, [a, b]);
  const [add, multiply, product] = [binary('Add'), binary('Mul'), binary('MatMul')];
  const matrix = (rows: Float32Array, inputs: number, outputs: number) =>
    graph.weights(transposed(rows, inputs, outputs), [inputs, outputs]);
  const unsqueezed = (value: string, axis: number) =>
    graph.apply('Unsqueeze', [value, graph.integers([axis])]);

  const ids = graph.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
  const mask = graph.input('attention_mask', 'int64', ['batch_size', 'total_sequence_length']);
  const places = graph.input('position_ids', 'int64', ['batch_size', 'sequence_length']);
  const kept = numLogitsToKeep ? graph.input('num_logits_to_keep', 'int64', []) : undefined;

  const norm = (value: string, scale: Float32Array) => {
    const mean = graph.apply('ReduceMean', [multiply(value, value)], { axes: [-1], keepdims: 1 });
    const root = graph.apply('Sqrt', [add(mean, graph.number(dimensions.epsilon))]);
    return multiply(graph.apply('Div', [value, root]), graph.weights(scale, [width]));
  };
  const angles = (turn: (angle: number) => number) => {
    const table = new Float32Array(contextLength * headSize);
    for (let at = 0; at < table.length; at++) {
      const pair = (at % headSize) % (headSize / 2);
      table[at] = turn(Math.floor(at / headSize) * (weights.frequencies[pair] as number));
    }
    return unsqueezed(graph.apply('Gather', [graph.weights(table, [contextLength, headSize]), places]), 1);
  };
  const [cosines, sines] = [angles(Math.cos), angles(Math.sin)];
  const part = (value: string, from: number, to: number) =>
    graph.apply('Slice', [value, graph.integers([from]), graph.integers([to]), graph.integers([3])]);
  const rotated = (value: string) => {
    const half = headSize / 2;
    const turned = graph.apply('Neg', [part(value, half, headSize)]);
    const swapped = graph.apply('Concat', [turned, part(value, 0, half)], { axis: -1 });
    return add(multiply(value, cosines), multiply(swapped, sines));
  };
  const inHeads = (value: string, count: number) =>
    graph.apply('Transpose', [graph.apply('Reshape', [value, graph.integers([0, 0, count, headSize])])], {
      perm: [0, 2, 1, 3],
    });
  const sharing = graph.integers(
    Array.from({ length: heads }, (_, head) => Math.floor((head * sharedHeads) / heads)),
  );

  // A token sees the tokens up to its own position that the mask has.
  const zero = graph.integers([0], []);
  const total = graph.apply('Gather', [graph.apply('Shape', [mask]), graph.integers([1], [])]);
  const seen = graph.apply('LessOrEqual', [
    graph.apply('Range', [zero, total, graph.integers([1], [])]),
    unsqueezed(places, 2),
  ]);
  const there = unsqueezed(graph.apply('Cast', [mask], { to: 9 }), 1);
  const bias = unsqueezed(
    graph.apply('Where', [graph.apply('And', [seen, there]), graph.number(0), graph.number(MASKED)]),
    1,
  );

  let states = graph.apply('Gather', [graph.weights(weights.embeddings, [vocabulary, width]), ids]);
  for (const [index, layer] of weights.layers.entries()) {
    const input = norm(states, layer.attentionNorm);
    const queries = rotated(
      inHeads(product(input, matrix(halves(layer.queries, width, headSize), width, heads * headSize)), heads),
    );
    const remembered = (kind: string, value: string) => {
      const dims = ['batch_size', sharedHeads, `past_${kind}`, headSize];
      if (!cache) return value;
      const past = graph.input(`past_key_values.${index}.${kind}`, 'float32', dims);
      const all = graph.apply('Concat', [past, value], { axis: 2 });
      graph.output(`present.${index}.${kind}`, all, dims);
      return all;
    };
    const size = sharedHeads * headSize;
    const keys = remembered(
      'key',
      rotated(inHeads(product(input, matrix(halves(layer.keys, width, headSize), width, size)), sharedHeads)),
    );
    const values = remembered(
      'value',
      inHeads(product(input, matrix(layer.values, width, size)), sharedHeads),
    );
    const shared = (value: string) => graph.apply('Gather', [value, sharing], { axis: 1 });
    const scores = product(queries, graph.apply('Transpose', [shared(keys)], { perm: [0, 1, 3, 2] }));
    const scaled = multiply(scores, graph.number(1 / Math.sqrt(headSize)));
    const attention = graph.apply('Softmax', [add(scaled, bias)], { axis: -1 });
    const attended = graph.apply('Transpose', [product(attention, shared(values))], { perm: [0, 2, 1, 3] });
    const joined = graph.apply('Reshape', [attended, graph.integers([0, 0, heads * headSize])]);
    states = add(states, product(joined, matrix(layer.attentionOutput, heads * headSize, width)));
    const between = norm(states, layer.networkNorm);
    const gate = product(between, matrix(layer.gate, width, hidden));
    const active = multiply(gate, graph.apply('Sigmoid', [gate]));
    const up = multiply(active, product(between, matrix(layer.up, width, hidden)));
    states = add(states, product(up, matrix(layer.down, hidden, width)));
  }
  let last = norm(states, weights.outputNorm);
  if (kept !== undefined) {
    // 0 asks for all rows: they start at -0.
    const start = graph.apply('Reshape', [graph.apply('Neg', [kept]), graph.integers([1])]);
    last = graph.apply('Slice', [last, start, graph.integers([LAST]), graph.integers([1])]);
  }
  const logits = product(last, matrix(weights.output, width, vocabulary));
  graph.output('logits', logits, ['batch_size', 'rows', vocabulary]);
  return graph.file();
}

/** A matrix with one row per input, from one with a row per output. */
function transposed(rows: Float32Array, inputs: number, outputs: number): Float32Array {
  const result = new Float32Array(rows.length);
  for (let input = 0; input < inputs; input++) {
    for (let output = 0; output < outputs; output++) {
      result[input * outputs + output] = rows[output * inputs + input] as number;
    }
  }
  return result;
}

/** The rows of each head, even ones first. */
function halves(rows: Float32Array, width: number, headSize: number): Float32Array {
  const result = new Float32Array(rows.length);
  for (let row = 0; row < rows.length / width; row++) {
    const [head, place] = [Math.floor(row / headSize), row % headSize];
    const half = headSize / 2;
    const from = head * headSize + (place < half ? 2 * place : 2 * (place - half) + 1);
    result.set(rows.subarray(from * width, (from + 1) * width), row * width);
  }
  return result;
}
