/**
 * The longest time for which shaping holds the thread, between two turns of the event loop:
 * `npm run research -- measure/blocks FILE`. FILE has passages as Natural Questions publishes them. The texts are new in each
 * turn. Shown are medians of the turns, in milliseconds. A timer of one millisecond notices the blocks.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createShaper } from 'context-shaping';
import { poolsFrom, TOKEN_BUDGET, textOnly, unseen, withVectors } from '../bench/pools.js';
import { summary } from '../bench/sampling.js';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Give the file: npm run research -- measure/blocks FILE');
const pools = poolsFrom(file);
const TURNS = 9;
const shaper = createShaper({ budget: { maxTokens: TOKEN_BUDGET } });

async function longestBlock(n: number, dimension: number, turn: number): Promise<number> {
  const input = (dimension > 0 ? withVectors : textOnly)(unseen(pools(n, dimension || 1, turn)));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  // What was made for the input is no matter of the shaper.
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.enable();
  await shaper.shape(input);
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return delay.max / 1e6;
}

for (let turn = 0; turn < 20; turn++) await longestBlock(200, 384, turn);
console.log('| chunks | text only | with vectors |\n|---|---|---|');
for (const n of [200, 500, 2000]) {
  const cells: string[] = [];
  for (const dimension of [0, 384]) {
    const found: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) found.push(await longestBlock(n, dimension, 100 + turn));
    cells.push(`${summary(found).median.toFixed(0)} ms`);
  }
  console.log(`| ${[n.toLocaleString('en'), ...cells].join(' | ')} |`);
}
