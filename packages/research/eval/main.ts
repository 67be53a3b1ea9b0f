/**
 * The evaluation: `npm run eval -- --data DIR`. Tables go to the standard output, progress to the standard
 * error. The exit code is 1 if shaping is below a rival, such as the order of a retriever, by more than chance.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import cliProgress from 'cli-progress';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Embedder } from 'context-shaping';
import { loadStaticEmbedder } from 'context-shaping/embeddings';
import { measureEvidence } from './evidence.js';
import { againstRun, type SuiteResult } from './results.js';
import { SUITES } from './suites/index.js';
import type { SuiteInput } from './suites/suite.js';
import { formatCounts, formatTable, gateLines, harmLines } from './tables.js';

interface Flags {
  data: string;
  suite?: string[];
  json?: string;
  against?: string;
  model?: string;
  models?: string[];
  vectors?: string;
  evidence?: string;
  limit?: number;
  sets?: string[];
  lists?: string[];
  leftOut?: boolean;
  print?: true;
}

const names = SUITES.map(({ name }) => name);
const flags = new Command('eval')
  .description('Measures shaping against its peers on public data sets.')
  .requiredOption('--data <folder>', 'folder with the data sets, one folder each')
  .addOption(new Option('--suite <names...>', 'only these').choices(names))
  .option('--json <file>', 'write all results there')
  .option(
    '--against <file>',
    'compare question by question with what --json wrote, where a suite has such values',
  )
  .option('--model <folder>', 'static embedding model, for the rows that need vectors')
  .option('--models <folders...>', 'embedding models; dense lists are by the first (real-lists)')
  .option('--vectors <folder>', 'where vectors of these models are kept (real-lists)')
  .option('--evidence <file>', 'only measure evidence kept against tokens kept, and write the figures there')
  .option('--print', 'print in full what is kept, in suites that are to be read (readmes)')
  .option('--limit <cases>', 'at most so many cases of each set, evenly spread', positiveInteger)
  .option('--sets <names...>', 'only sets whose names hold one of these (kept, calibration)')
  .option('--lists <names...>', 'only lists whose names hold one of these (kept, calibration)')
  .option('--left-out', 'each set with the model that is learned without its family (kept)')
  .parse()
  .opts<Flags>();

function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number, at least 1.');
  return Number(text);
}

const embedder: Embedder | undefined = flags.model ? await loadStaticEmbedder(flags.model) : undefined;
if (embedder === undefined) console.error('No --model: rows with static vectors are skipped.');

/** Runs something that takes a while with a bar, if there is somebody to see it. */
async function withProgress<T>(name: string, run: (input: SuiteInput) => Promise<T>): Promise<T> {
  const started = performance.now();
  const bar = new cliProgress.SingleBar({ format: '{name} {bar} {value}/{total}', stream: process.stderr });
  const onProgress = (done: number, total: number) => {
    if (!process.stderr.isTTY) return;
    if (done === 0) bar.start(total, 0, { name });
    else bar.update(done);
  };
  const print = flags.print && ((text: string) => console.log(text));
  const { data: dataDir, limit, sets, lists, leftOut, models, vectors } = flags;
  const result = await run({
    dataDir,
    embedder,
    limit,
    sets,
    lists,
    leftOut,
    models,
    vectors,
    print,
    onProgress,
  });
  bar.stop();
  console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return result;
}

if (flags.evidence !== undefined) {
  const evidence = await withProgress('evidence', (input) => measureEvidence(input));
  if (evidence === undefined) throw new Error(`The data of Natural Questions is not in ${flags.data}.`);
  writeFileSync(flags.evidence, `${JSON.stringify(evidence, null, 1)}\n`);
  process.exit();
}

const results: SuiteResult[] = [];
for (const suite of SUITES) {
  if (flags.suite?.includes(suite.name) === false) continue;
  const result = await withProgress(suite.name, (input) => suite.run(input));
  if (result === undefined) {
    const isAsked = suite.needs === undefined || flags[suite.needs] !== undefined;
    console.log(
      `\n${suite.name}: skipped, ${isAsked ? `its data is not in ${flags.data}` : `it needs --${suite.needs}`}.`,
    );
    continue;
  }
  results.push(result);
  for (const table of result.tables) console.log(formatTable(table));
  if (Object.keys(result.counts).length > 0) console.log(`  ${formatCounts(result.counts)}`);
}

if (flags.against !== undefined) {
  const { results: others } = JSON.parse(readFileSync(flags.against, 'utf8')) as { results: SuiteResult[] };
  for (const result of results.filter(({ values }) => values !== undefined)) {
    const other = others.find(({ suite }) => suite === result.suite);
    console.log(formatTable(againstRun(result, other?.values)));
  }
}
const harm = harmLines(results);
console.log(`\n${harm.join('\n')}`);
const failures = gateLines(results);
if (failures.length > 0) {
  console.log(`\n${failures.join('\n')}`);
  process.exitCode = 1;
}
if (flags.json !== undefined) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const conditions = { vectors: embedder !== undefined, limit: flags.limit ?? null };
  writeFileSync(flags.json, `${JSON.stringify({ version, ...conditions, results, harm }, null, 2)}\n`);
}
