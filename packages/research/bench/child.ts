/**
 * What has to be measured in a process of its own. Prints one line of JSON.
 *
 *   growth DATA N DIMENSION TURNS PATIENCE   median of N chunks (DIMENSION 0: text only), and the memory at its highest
 *   first DATA                               milliseconds of the first call and of those that follow
 *   digest DATA DIMENSION simd|no-simd       of the result, with every bit of the cosines
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createShaper } from 'context-shaping';
import { gram, pack } from 'context-shaping/internal';
import { simdKernel } from '../../../src/math/gram/kernel.js';
import { forbidSimd } from './built.js';
import { poolsFrom, TOKEN_BUDGET, textOnly, unitVectors, unseen, withVectors } from './pools.js';
import { inTurns, timed } from './sampling.js';

const [command, data, ...rest] = process.argv.slice(2) as [string, string, ...string[]];
/** Of `first`: the later half is steady. */
const CALLS = 60;
const pools = poolsFrom(data);
const shaper = createShaper({ budget: { maxTokens: TOKEN_BUDGET } });

/** Highest resident memory of this process in MB. What Node tells of it may be that of the parent. */
function peakMemory(): number {
  const status = '/proc/self/status';
  const inKilobytes = existsSync(status)
    ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1])
    : process.resourceUsage().maxRSS;
  return inKilobytes / 1024;
}

async function growth() {
  const [n, dimension, turns, patience] = rest.map(Number) as [number, number, number, number];
  const pool = pools(n, dimension);
  const inputOf = dimension > 0 ? withVectors : textOnly;
  const shaping = timed(
    'shape',
    () => inputOf(unseen(pool)),
    (input) => shaper.shape(input),
  );
  const [{ median }] = await inTurns([shaping], { turns, warmUps: turns, patience });
  return { median, peakMemory: peakMemory() };
}

async function first() {
  const shaping = timed('shape', (turn) => withVectors(unseen(pools(50, 384, turn))), shaper.shape);
  const times: number[] = [];
  for (let turn = 0; turn < CALLS; turn++) times.push(await shaping.measure(turn));
  return { times };
}

async function digest() {
  const [dimension, simd] = rest;
  if (simd === 'no-simd') forbidSimd();
  const pool = pools(200, Number(dimension));
  const { chunks, report } = await shaper.shape(withVectors(pool));
  // The report's digest leaves out how long stages took.
  const sum = createHash('sha256').update(gram(pack(unitVectors(pool))));
  sum.update(JSON.stringify(chunks)).update(report.digest);
  return { simd: simdKernel() !== undefined, digest: sum.digest('hex') };
}

const commands: Readonly<Record<string, () => Promise<unknown>>> = { growth, first, digest };
console.log(JSON.stringify(await commands[command]?.()));
