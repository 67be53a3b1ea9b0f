/** Lockfiles of a hundred contexts: generated pools with generated options, and pools of public data sets if they are there. */
import { createShaper, type ShapingInput, type ShapingOptions } from 'context-shaping';
import { fakeEmbedder, fakeLogprobModel } from 'context-shaping/testing';
import { formatLockfile, recordContext } from 'context-shaping-devtools/lockfile';
import fc from 'fast-check';
import { options, pool } from '../../../../test/support.js';
import { collectionsOf } from '../../../research/eval/data/collections.js';
import { overfetch } from '../../../research/eval/overfetch.js';

const POOLS = 100;
const OF_DATA = 50;
const SERVICES = [
  {},
  { embedder: fakeEmbedder() },
  { ecs: { model: fakeLogprobModel(), trust: 'always' } },
] satisfies ShapingOptions[];

/** @param dataDir folder of the data sets of the evaluation, if there is one. */
export async function recordedContexts(dataDir: string | undefined): Promise<string[]> {
  const found = dataDir === undefined ? [] : ofData(dataDir);
  const made = fc.sample(fc.tuple(pool(14), options), { numRuns: POOLS - found.length, seed: 20_261_122 });
  const calls: [ShapingInput, ShapingOptions][] = [
    ...made.map(([chunks, given]): [ShapingInput, ShapingOptions] => [
      { query: 'How long is the bridge?', chunks },
      given as ShapingOptions,
    ]),
    ...found,
  ];
  const texts: string[] = [];
  for (const [at, [input, given]] of calls.entries()) {
    const shaper = createShaper({ ...given, ...SERVICES[at % 3] });
    texts.push(formatLockfile(await recordContext(shaper.session(input))));
  }
  return texts;
}

function ofData(dataDir: string): [ShapingInput, ShapingOptions][] {
  const collections = collectionsOf(dataDir);
  const each = Math.ceil(OF_DATA / collections.length);
  return collections
    .flatMap(({ dataset }) => overfetch({ cases: dataset.cases.slice(0, each) }, 60))
    .slice(0, OF_DATA)
    .map(({ case: { question, chunks }, ids, scores }): [ShapingInput, ShapingOptions] => {
      const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
      const retrieved = ids.flatMap((id, at) => {
        const chunk = byId.get(id);
        return chunk === undefined ? [] : [{ ...chunk, score: scores[at] }];
      });
      return [
        { query: question, chunks: retrieved },
        { budget: { maxTokens: 1500 }, tokenizer: 'estimate' },
      ];
    });
}
