/**
 * The benchmark: `npm run bench -- --data FILE`. One run, one table: ours, naive versions and peers in turns on the same
 * input; then what the library claims of its speed. The table goes to the standard output, progress to the standard
 * error. SLIMCONTEXT_URL names a running SlimContext service to be asked the same.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadStaticEmbedder } from 'context-shaping/embeddings';
import { simdKernel } from '../../../src/math/gram/kernel.js';
import { forbidSimd, isBuilt } from './built.js';
import { CASES } from './cases.js';
import type { Claim } from './claim.js';
import { CLAIMS } from './claims.js';
import { poolsFrom } from './pools.js';
import { PROFILES, type Profile, profileLines, profileOf } from './profile.js';
import { inTurns, measureProcessorTime, type Summary } from './sampling.js';
import { HEAD, lineOf, type Row } from './table.js';

interface Flags {
  data: string;
  model?: string;
  before?: string;
  sizes?: number[];
  dimensions?: number[];
  only?: string[];
  quick: boolean;
  simd: boolean;
  cpu: boolean;
  json?: string;
}

const ALL_CLAIMS = 'claims';
const numbers = (text: string, previous: number[] | undefined): number[] => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number, at least 1.');
  return [...(previous ?? []), Number(text)];
};
const PROFILE = 'profile';
const names = [...CASES.map(({ name }) => name), PROFILE, ALL_CLAIMS, ...Object.keys(CLAIMS)];
const flags = new Command('bench')
  .description('Measures shaping against naive versions of it and against its peers.')
  .requiredOption('--data <file>', 'JSON lines with passages, gzipped or not, as NQ-Open is published')
  .option('--model <folder>', 'static embedding model', process.env.CONTEXT_SHAPING_MODEL)
  .option('--before <folder>', 'another clone of the package, built, to be measured in turns with this one')
  .option('--sizes <counts...>', 'how many chunks (20 50 200 1000 5000 20000)', numbers)
  .option('--dimensions <counts...>', 'of vectors (384 1536)', numbers)
  .addOption(new Option('--only <names...>', 'only these cases and claims').choices(names))
  .option('--quick', 'few turns, small sizes: does everything run?', false)
  .option('--no-simd', 'cosines without SIMD')
  .option('--cpu', 'processor time of whole calls, for a machine that other programs use', false)
  .option('--json <file>', 'write all results there')
  .parse()
  .opts<Flags>();

const { quick } = flags;
const sizes = flags.sizes ?? (quick ? [20, 50] : [20, 50, 200, 1000, 5000, 20_000]);
const dimensions = flags.dimensions ?? [384, 1536];
const effort = quick ? { turns: 3, warmUps: 1, patience: 500 } : { turns: 41, warmUps: 400, patience: 5_000 };
const isWanted = (name: string) => flags.only?.includes(name) ?? true;

if (!flags.simd) forbidSimd();
if (flags.cpu) measureProcessorTime();
const machine = {
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  node: process.version,
  simd: simdKernel() !== undefined,
  measured: isBuilt ? 'build' : 'sources',
  clock: flags.cpu ? 'processor time' : 'elapsed time',
};
console.log(
  `${machine.cores} × ${machine.processor}, Node ${machine.node}, SIMD ${machine.simd ? 'on' : 'off'}, ${machine.measured}, ${machine.clock}`,
);

const embedder = flags.model === undefined ? undefined : await loadStaticEmbedder(flags.model);
const slimContextUrl = process.env.SLIMCONTEXT_URL;
if (embedder === undefined) console.error('No --model: rows with static embeddings are skipped.');
if (slimContextUrl === undefined) console.error('No SLIMCONTEXT_URL: rows of SlimContext are skipped.');

/** The core of another build. */
const buildAt = async (folder: string): Promise<typeof import('context-shaping')> =>
  import(pathToFileURL(resolve(folder, 'dist/esm/index.js')).href);
const before = flags.before === undefined ? undefined : (await buildAt(flags.before)).createShaper;

const pools = poolsFrom(flags.data);
const rows: Row[] = [];
const cases = CASES.filter(({ name }) => isWanted(name));
if (cases.length > 0) console.log(HEAD);
for (const { name, isOfTexts, contestants } of cases) {
  for (const dimension of isOfTexts ? dimensions.slice(0, 1) : dimensions) {
    for (const n of sizes) {
      const taking = await contestants({ n, dimension, pools, embedder, slimContextUrl, before });
      const summaries = await inTurns(taking, effort);
      for (const [i, summary] of summaries.entries()) {
        const row: Row = {
          case: name,
          n,
          dimension,
          contestant: taking[i]?.name as string,
          ...summary,
          ratio: summary.quiet / (summaries[0] as Summary).quiet,
        };
        rows.push(row);
        console.log(lineOf(row, isOfTexts === true));
      }
    }
  }
}

const profiles: Profile[] = [];
if (isWanted(PROFILE)) {
  console.log(
    `\nMilliseconds of each stage, medians of quiet turns${before === undefined ? '' : ', beside the other build'}`,
  );
  for (const each of PROFILES) {
    const profile = await profileOf(each, { pools, before, effort });
    profiles.push(profile);
    console.log(profileLines(profile));
  }
}

const judged: Claim[] = [];
const claims = Object.entries(CLAIMS).filter(([name]) => isWanted(name) || isWanted(ALL_CLAIMS));
if (claims.length > 0) console.log(`\nClaims${quick ? ' (a quick run says nothing of times)' : ''}`);
for (const [, measure] of claims) {
  for (const each of await measure({ pools, data: flags.data, effort, before, quick })) {
    judged.push(each);
    const verdict = each.holds === undefined ? 'not measured' : each.holds ? 'pass' : 'falls short';
    console.log(`${verdict.padEnd(12)}  ${each.claim}\n${' '.repeat(14)}${each.figures}`);
  }
}

if (flags.json !== undefined) {
  const result = { machine, sizes, dimensions, effort, rows, profiles, claims: judged };
  writeFileSync(flags.json, `${JSON.stringify(result, null, 2)}\n`);
}
