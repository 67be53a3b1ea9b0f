import { createShaper } from './src/index.js';
import { poolsFrom } from './test/bench/pools.js';
import { loadNaturalQuestions } from './test/eval/data/nq.js';
const pools = poolsFrom('/work/shared/data/nq/nq-open-oracle.jsonl.gz');
for (const n of [60, 200]) for (const vec of [false, true]) {
  const { question, chunks, queryVector } = pools(n, 384);
  const input = vec ? { query: { text: question, embedding: queryVector }, chunks } : { query: question, chunks: chunks.map(({ embedding, ...c }) => c) };
  const total = chunks.length * 150;
  const shaper = createShaper({ budget: { maxTokens: 1500 } });
  const session = shaper.session(input);
  const base = await session.at();
  const steps = process.argv[2] ? Number(process.argv[2]) : 100;
  let bits = 0;
  const times: number[] = []; const stages: Record<string, number> = {};
  for (let i = 0; i < steps; i++) {
    const b = 500 + Math.round((i / steps) * (total - 500));
    const t = performance.now();
    const r = await session.at({ budget: { maxTokens: b } });
    times.push(performance.now() - t);
    for (const s of r.report.stages) stages[s.name] = (stages[s.name] ?? 0) + s.milliseconds / steps;
  }
  times.sort((a, b) => a - b);
  console.log(n, vec ? 'vectors' : 'words', base.report.kept.length, base.report.tokens, 'median', times[steps >> 1]!.toFixed(2), 'p95', times[Math.floor(steps * .95)]!.toFixed(2), Object.entries(stages).map(([k, v]) => k + ' ' + v.toFixed(2)).join(', '));
}
