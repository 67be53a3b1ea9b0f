/**
 * What utility costs with a real model: `npm run research -- measure/utility-costs --data DIR --gguf MODEL.gguf`.
 *
 * Questions of Natural Questions are asked one after the other about the same 16 passages. The first one finds empty caches.
 * The others find the passages in them, if the engine keeps any. Shown are requests, tokens, tokens that were computed, and
 * seconds a question. The variable `LLAMA_SERVER` names the binary of a llama-server, which is measured too. It needs
 * node-llama-cpp beside the package.
 */
import { Command } from 'commander';
import { createShaper, type EcsMethod, type LogprobModel, type ModelUsage } from 'context-shaping';
import { llamaServer, nodeLlamaCpp } from 'context-shaping/logprobs';
import { METHODS } from '../../../src/input/options.js';
import {
  REAL_LLAMA_SERVER,
  realLlamaServer,
} from '../../../test/adapters/logprobs/servers/real-llama-server.js';
import { mean } from '../../devtools/src/measurement/index.js';
import { loadNaturalQuestions } from '../eval/data/nq.js';

const { data, gguf } = new Command('measure/utility-costs')
  .requiredOption('--data <folder>')
  .requiredOption('--gguf <file>', 'the model')
  .parse()
  .opts<{ data: string; gguf: string }>();

const PASSAGES = 16;
const QUESTIONS = 4;
const cases = loadNaturalQuestions(data)?.cases.slice(0, QUESTIONS) ?? [];
const chunks = cases[0]?.chunks.slice(0, PASSAGES) ?? [];

async function costsOf(
  model: LogprobModel,
  method: EcsMethod,
): Promise<(ModelUsage & { seconds: number })[]> {
  const shaper = createShaper({
    k: 1,
    exactDedup: false,
    semanticDedup: false,
    ranked: false,
    ecs: { model, trust: 'always', rounds: 1, withoutAnswer: method === 'judge' ? method : 'question' },
  });
  const costs: (ModelUsage & { seconds: number })[] = [];
  for (const { question, answers } of cases) {
    const start = performance.now();
    const { report } = await shaper.shape({
      query: { text: question, ...(method === 'answer' ? { answer: answers[0] } : {}) },
      chunks,
    });
    if (report.ecs?.scored !== PASSAGES) throw new Error(JSON.stringify(report.degradations));
    costs.push({ ...report.ecs.usage, seconds: (performance.now() - start) / 1000 });
  }
  return costs;
}

function tell(engine: string, method: EcsMethod, costs: readonly (ModelUsage & { seconds: number })[]): void {
  for (const [cache, some] of [['cold', costs.slice(0, 1)] as const, ['warm', costs.slice(1)] as const]) {
    const told = (value: (cost: ModelUsage) => number) => Math.round(mean(some.map(value)));
    const computed = told(({ tokens = Number.NaN, cachedTokens = 0 }) => tokens - cachedTokens);
    const seconds = mean(some.map((cost) => cost.seconds)).toFixed(1);
    const cells = [
      told(({ requests }) => requests),
      told(({ tokens = Number.NaN }) => tokens),
      computed,
      seconds,
    ];
    console.log(`| ${[engine, method, cache, ...cells].join(' | ')} |`);
  }
}

console.log(
  '| engine | method | cache | requests | tokens | computed | seconds |\n|---|---|---|---:|---:|---:|---:|',
);
const { getLlama } = await import('node-llama-cpp');
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true });
const loaded = await llama.loadModel({ modelPath: gguf });
for (const method of METHODS) {
  await using model = await nodeLlamaCpp({ model: loaded });
  tell('nodeLlamaCpp', method, await costsOf(model, method));
}
await llama.dispose();
if (REAL_LLAMA_SERVER !== undefined)
  for (const method of METHODS) {
    const { address, close } = await realLlamaServer('--model', gguf, '--ctx-size', '16384');
    tell('llamaServer', method, await costsOf(llamaServer({ baseUrl: address }), method));
    await close();
  }
