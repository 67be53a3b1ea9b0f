/** Questions in two parts, asked of a real model: are both halves of the answer kept? */
import { readFileSync } from 'node:fs';
import { createShaper, type LogprobModel } from 'context-shaping';
import { nodeLlamaCpp } from 'context-shaping/logprobs';
import { expect, test } from 'vitest';
import { items } from '../../adapters/logprobs/items.js';
import { ggufModel } from '../../gguf/gguf-model.js';

const file = new URL('../../fixtures/ecs-tiny/ecs-tiny-f16.gguf', import.meta.url).pathname;

interface Fact {
  relation: string;
  entity: string;
  value: string;
}
const facts: Fact[] = items.map(({ question, answer }) => {
  const [, relation = '', entity = ''] = /^What is the (\w+) of (\w+)\?$/.exec(question) ?? [];
  return { relation, entity, value: answer };
});
const question = ({ relation, entity }: Fact) => `What is the ${relation} of ${entity}?`;
const waysToSay = ({ relation, entity, value }: Fact) => [
  `The ${relation} of ${entity} is ${value}.`,
  `${value} is the ${relation} of ${entity}.`,
  `I was told that the ${relation} of ${entity} is ${value}.`,
];

/** The second part and its answer follow the first, as the model was trained to go on. */
function twoParts(place: number) {
  const one = facts[place % facts.length] as Fact;
  const others = facts.filter(({ entity, value }) => entity !== one.entity && value !== one.value);
  const other = others[(place * 7 + Math.floor(place / facts.length) * 11) % others.length] as Fact;
  const stranger = others[(place * 11 + 29) % others.length] as Fact;
  return {
    query: {
      text: question(one),
      answer: `${one.value}\n\nQuestion: ${question(other)}\nAnswer: ${other.value}`,
    },
    texts: [...waysToSay(one), ...waysToSay(other), waysToSay(stranger)[0] as string],
  };
}

/** In process where that is installed, which is ten times faster; else in plain TypeScript, and fewer questions. */
async function engine(): Promise<{ model: LogprobModel; questions: number; close(): Promise<void> }> {
  const engine = await import('node-llama-cpp').catch(() => undefined);
  if (engine === undefined)
    return { model: ggufModel(readFileSync(file)), questions: 40, close: async () => {} };
  const llama = await engine.getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' });
  const model = await nodeLlamaCpp({ model: await llama.loadModel({ modelPath: file }) });
  return { model, questions: 200, close: () => llama.dispose() };
}

test('both halves stay where there is room for two passages, and each half is said in three ways', async () => {
  const { model, questions, close } = await engine();
  const kept: Record<string, number> = {};
  const ways = {
    'relevance alone': false,
    'utility, independent': { model, trust: 'always', rounds: 1, share: 1 },
    'utility, joint': { model, trust: 'always', rounds: 2, share: 1 },
  } as const;
  for (const [name, ecs] of Object.entries(ways)) {
    // Copies are to be told by the model alone: nothing else looks at whether two passages say the same.
    const shaper = createShaper({ k: 2, semanticDedup: false, cluster: false, select: { lambda: 1 }, ecs });
    kept[name] = 0;
    for (let place = 0; place < questions; place++) {
      const { query, texts } = twoParts(place);
      const chunks = texts.map((text, index) => ({ id: `${index}`, text }));
      const { report } = await shaper.shape({ query, chunks });
      expect(report.degradations).toEqual([]);
      const halves = new Set(report.kept.map(({ index }) => Math.floor(index / 3)));
      kept[name] += Number(halves.has(0) && halves.has(1));
    }
  }
  await close();
  console.log(`both halves kept, of ${questions} questions: ${JSON.stringify(kept)}`);
  expect(kept['utility, joint']).toBeGreaterThan(0.9 * questions);
  expect(kept['utility, independent']).toBeLessThan(0.1 * questions);
});
