/** Divergence along trajectories of a real model, from lists of the most probable tokens, against all of them. */
import { readFileSync } from 'node:fs';
import { createShaper } from 'context-shaping';
import { expect, test } from 'vitest';
import { items, type Kind, promptOf, tinyModel } from '../../adapters/logprobs/items.js';
import { ggufModel } from '../../gguf/gguf-model.js';
import { Llama } from '../../gguf/llama.js';

const HORIZON = 8;
const KINDS: readonly Kind[] = ['answer', 'counterfactual', 'same_rel', 'filler'];
const file = new URL('../../fixtures/ecs-tiny/ecs-tiny-f16.gguf', import.meta.url).pathname;

const newline = (piece: Uint8Array | undefined) => new TextDecoder().decode(piece).includes('\n');

/** The exact divergence, along the greedy path under one prompt, of the distributions under another prompt. */
function exactDivergence(withPassage: Llama, without: Llama, [one, other]: [string, string]): number {
  const { bos, eos, pieces } = withPassage.tokenizer;
  const [p, q] = [one, other].map((prompt) => [bos, ...withPassage.tokenizer.encode(prompt)]) as [
    number[],
    number[],
  ];
  let sum = 0;
  for (let step = 0; step < HORIZON; step++) {
    const [logP, logQ] = [withPassage.logprobs(p), without.logprobs(q)];
    const next = logP.indexOf(Math.max(...logP));
    // A line is an answer.
    if (next === eos || newline(pieces[next])) break;
    for (const [token, value] of logP.entries()) sum += Math.exp(value) * (value - (logQ[token] as number));
    p.push(next);
    q.push(next);
  }
  return sum;
}

test('240 trajectories: a lower bound, within half a nat on average at 20 alternatives', async () => {
  const model = ggufModel(readFileSync(file));
  const [one, other] = [Llama.parse(tinyModel()), Llama.parse(tinyModel())];
  const errors: number[] = [];
  const byKind = new Map<Kind, number[]>();
  const shaper = createShaper({
    exactDedup: false,
    semanticDedup: false,
    // Pinned ones then stand in the order in which they are given.
    relevance: false,
    pin: ({ metadata }) => metadata?.given === true,
    ecs: {
      model,
      trust: 'always',
      withoutAnswer: 'trajectory',
      horizon: HORIZON,
      topLogprobs: 20,
      lengthPenalty: 0,
    },
  });
  for (const { question, base, candidates } of items) {
    const given = base.map((text, place) => ({ id: `given ${place}`, text, metadata: { given: true } }));
    const tried = KINDS.map(
      (kind) => candidates.find((each) => each.kind === kind) as (typeof candidates)[number],
    );
    const { report } = await shaper.shape({
      query: question,
      chunks: [...given, ...tried.map(({ kind, text }) => ({ id: kind, text }))],
    });
    expect(report.degradations).toEqual([]);
    for (const { kind, text } of tried) {
      const found = report.kept.find(({ id }) => id === kind)?.utility as number;
      const exact = exactDivergence(one, other, [
        promptOf(question, [...base, text]),
        promptOf(question, base),
      ]);
      errors.push(found - exact);
      byKind.set(kind, [...(byKind.get(kind) ?? []), found]);
    }
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const error = mean(errors.map(Math.abs));
  console.log(
    `${errors.length} trajectories: mean error ${error.toFixed(3)} nats, greatest ${Math.max(...errors.map(Math.abs)).toFixed(2)}; ` +
      [...byKind].map(([kind, values]) => `${kind} ${mean(values).toFixed(2)}`).join(', '),
  );
  expect(errors).toHaveLength(240);
  expect(Math.max(...errors)).toBeLessThanOrEqual(1e-6);
  expect(error).toBeLessThan(0.5);
  // It says that something moved, not whether for the better: the counterfactual moves as much as the answer.
  expect(mean(byKind.get('filler') as number[])).toBeLessThan(0.5);
  expect(mean(byKind.get('counterfactual') as number[])).toBeGreaterThan(5);
});
