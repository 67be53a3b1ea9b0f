import { test } from 'vitest';
import { Llama } from '../../../adapters/logprobs/gguf/llama.js';
import { ggufModel } from '../../../adapters/logprobs/gguf-model.js';
import { ollamaModel } from '../../../adapters/logprobs/ollama.js';
import { areaUnderCurve, items, scoreRequests, tinyModel } from './items.js';
import { OLLAMA_MODEL, ollamaServer } from './servers/ollama.js';
import { writeFileSync, readFileSync, existsSync } from 'node:fs';
test('m', { timeout: 400000 }, async () => {
  const server = await ollamaServer(Llama.parse(tinyModel()), {});
  const model = ollamaModel({ baseUrl: server.address, model: OLLAMA_MODEL, timeoutMs: 300000 });
  const requests = scoreRequests();
  const file = '/tmp/m/truth.json';
  const truths = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : (await ggufModel(tinyModel()).score(requests)).results.map((r: any) => r.logprob);
  writeFileSync(file, JSON.stringify(truths));
  for (const mode of ['none', 'all', 'word', 'any']) {
    process.env.MODE = mode;
    const { results, usage } = await model.score(requests);
    const ls = results.map((r: any) => r.logprob);
    const wrong = results.filter((r: any, i) => r.exact ? Math.abs(r.logprob - truths[i]) > 1e-6 : r.logprob < truths[i] - 1e-9).length;
    const exact = results.filter((r: any) => r.exact).length;
    const good: number[] = [], bad: number[] = [];
    items.forEach((it, i) => it.candidates.forEach((c, j) => (c.kind === 'answer' ? good : bad).push(ls[i * 9 + 1 + j] - ls[i * 9])));
    console.log(mode, { exact, wrong, requests: usage.requests, auc: areaUnderCurve(good, bad) });
  }
  await server.close();
});
