/**
 * Reads every sentence that `explain` writes about chunks of 100 real pools, and checks it by full runs of shapers of their
 * own: `npm run research -- measure/explain DIR [POOLS]`. DIR has the data sets `nq` and `ramdocs`; the latter's documents
 * contradict each other. Half of the pools are of each. Prints the sentences that do not hold, and their number.
 */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { explain, formatExplanation } from 'context-shaping/explain';
import { Reader } from '../../../test/adapters/explain/reader.js';
import { loadNaturalQuestions } from '../eval/data/nq.js';
import { loadRamdocs } from '../eval/data/ramdocs.js';

const [dir = 'data', pools = '100'] = process.argv.slice(2);
const perSet = Math.ceil(Number(pools) / 2);
/** The first two bind together; the others alone. */
const SETTINGS: readonly ShapingOptions[] = [
  { budget: { maxTokens: 400 }, k: 3 },
  { budget: { maxTokens: 250, reserve: 50 }, k: 4, extract: false },
  { budget: { maxTokens: 300 } },
  { k: 3 },
  { budget: { maxTokens: 500 }, select: { lambda: 0.5 }, cluster: { maxDistance: 0.6 } },
];
/** Of each pool, so that the values of a pool can be run again one by one. */
const CHUNKS = 8;
/** No line breaks. */
const WIDE = 1_000_000;

const cases = [loadNaturalQuestions(dir), loadRamdocs(dir)].flatMap(
  (set) => set?.cases.slice(0, perSet) ?? [],
);
let [sentences, checks, explained, untrue] = [0, 0, 0, 0];
for (const [place, { question: query, chunks }] of cases.entries()) {
  const options = SETTINGS[place % SETTINGS.length] as ShapingOptions;
  const input = { query, chunks: chunks.slice(0, CHUNKS), ranked: false };
  const result = await createShaper(options).shape(input);
  const { evicted, kept } = result.report;
  const reader = new Reader(options, input);
  const asked = place % 3 === 0 ? kept.slice(-1) : place % 3 === 1 ? evicted.slice(-1) : [];
  for (const { index } of [...evicted.slice(0, 1), ...asked]) {
    const explanation = await explain(result, index);
    await reader.read(formatExplanation(explanation, { width: WIDE }), index);
    await reader.read(explanation.sentences.join('\n'), index);
    explained++;
  }
  for (const each of reader.untrue) console.log(JSON.stringify({ place, ...each }));
  sentences += reader.sentences;
  checks += reader.checks;
  untrue += reader.untrue.length;
}
console.log(
  `${cases.length} pools, ${explained} chunks, ${sentences} sentences, ${checks} checks by full runs and reports: ${untrue} false.`,
);
if (untrue > 0) process.exitCode = 1;
