/** An embedder that answers when the test opens its gate: a file. */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const { GATE } = process.env;

async function embed(texts, { signal } = {}) {
  while (!existsSync(GATE)) await setTimeout(20, undefined, { signal });
  return texts.map((_, at) => [1, at]);
}

export default { embedder: { embed } };
