/**
 * Learns the weights of relevance: `npm run train -- --data DIR`; with `--answerable` those of `answerable`. Tables go to
 * the standard output, progress to the standard error.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { trainAnswerable } from '../answerable/train.js';
import { formatTable } from '../tables.js';
import { modelFile } from './model-file.js';
import { train } from './train.js';

const fileOf = (name: string) => fileURLToPath(new URL(`../../../src/relevance/${name}.ts`, import.meta.url));

const flags = new Command('train')
  .description('Learns the weights of relevance from public data sets, and writes them into the library.')
  .requiredOption('--data <folder>', 'folder with the data sets, one folder each')
  .option('--answerable', 'the weights of answerable instead')
  .option('--check', 'only print how good the weights are')
  .parse()
  .opts<{ data: string; answerable?: true; check?: true }>();

let last = performance.now();
const onProgress = (what: string) => {
  console.error(`${what}: ${((performance.now() - last) / 1000).toFixed(0)} s`);
  last = performance.now();
};

async function relevanceFile() {
  const { model, tables } = await train({ dataDir: flags.data, onProgress });
  return { file: modelFile(model), tables };
}

const { file, tables } = flags.answerable
  ? trainAnswerable({ dataDir: flags.data, onProgress })
  : await relevanceFile();
for (const table of tables) console.log(formatTable(table));
console.log(`\n${file}`);
if (flags.check === undefined) {
  writeFileSync(fileOf(flags.answerable ? 'answerable-coefficients' : 'coefficients'), file);
}
