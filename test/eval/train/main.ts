/**
 * Learns the weights of relevance: `npm run train -- --data DIR`. Tables go to the standard output, progress
 * to the standard error.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { loadStaticEmbedder } from 'context-shaping/embeddings';
import { COEFFICIENTS } from '../../../src/relevance/coefficients.js';
import { formatTable } from '../tables.js';
import { coefficientsFile } from './coefficients-file.js';
import { train } from './train.js';

const FILE = fileURLToPath(new URL('../../../src/relevance/coefficients.ts', import.meta.url));

const flags = new Command('train')
  .description('Learns the weights of relevance from public data sets, and writes them into the library.')
  .requiredOption('--data <folder>', 'folder with the data sets, one folder each')
  .option('--model <folder>', 'static embedding model, for the weights of cosine and score')
  .option('--check', 'only print how good the weights are')
  .parse()
  .opts<{ data: string; model?: string; check?: true }>();

if (flags.model === undefined) console.error('No --model: the weights of cosine and score stay as they are.');
let last = performance.now();
const { coefficients, tables } = await train({
  dataDir: flags.data,
  embedder: flags.model === undefined ? undefined : await loadStaticEmbedder(flags.model),
  present: COEFFICIENTS,
  onProgress(what) {
    console.error(`${what}: ${((performance.now() - last) / 1000).toFixed(0)} s`);
    last = performance.now();
  },
});
for (const table of tables) console.log(formatTable(table));
console.log(`\n${coefficientsFile(coefficients)}`);
if (flags.check === undefined) writeFileSync(FILE, coefficientsFile(coefficients));
