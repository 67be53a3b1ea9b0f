/**
 * Numbers that look random and are the same for a seed on every machine.
 *
 * Source: G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.
 */
import { seededRandom } from '../packages/devtools/src/measurement/random.js';

export { seededRandom, shuffled } from '../packages/devtools/src/measurement/random.js';

/** @returns a function that draws from the standard normal distribution. */
export function seededNormal(seed: number): () => number {
  const random = seededRandom(seed);
  // 1 less the draw is never 0.
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
