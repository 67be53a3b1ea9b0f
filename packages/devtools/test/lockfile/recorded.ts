/** Lockfiles of a hundred contexts: generated pools with generated options. */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { fakeEmbedder, fakeLogprobModel } from 'context-shaping/testing';
import { formatLockfile, recordContext } from 'context-shaping-devtools/lockfile';
import fc from 'fast-check';
import { options, pool } from '../../../../test/support.js';

const POOLS = 100;
const SERVICES = [
  {},
  { embedder: fakeEmbedder() },
  { ecs: { model: fakeLogprobModel(), trust: 'always' } },
] satisfies ShapingOptions[];

export async function recordedContexts(): Promise<string[]> {
  const made = fc.sample(fc.tuple(pool(14), options), { numRuns: POOLS, seed: 20_261_122 });
  const texts: string[] = [];
  for (const [at, [pooled, given]] of made.entries()) {
    const input = { query: 'How long is the bridge?', chunks: pooled };
    const shaper = createShaper({ ...(given as ShapingOptions), ...SERVICES[at % 3] });
    texts.push(formatLockfile(await recordContext(shaper.session(input))));
  }
  return texts;
}
