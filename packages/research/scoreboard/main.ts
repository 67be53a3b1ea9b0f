/**
 * The scoreboard: `npm run scoreboard -- --data DIR --model DIR` measures every rival on every set that is there, and writes
 * the tables of docs/results/scoreboard.md. Progress goes to the standard error.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { loadStaticEmbedder } from 'context-shaping/embeddings';
import { learnedWithout } from '../eval/kept/left-out.js';
import { isAskedFor } from '../eval/suites/suite.js';
import { measureSet, type SetResult } from './measure.js';
import { pageWith, type Scores, setsBehind, tablesOf, together } from './page.js';
import { loadRivals } from './rivals.js';
import { scoreSets } from './sets.js';

const PAGE = 'docs/results/scoreboard.md';

interface Flags {
  data: string;
  model?: string;
  limit: string;
  sets?: string[];
  rivals?: string[];
  json?: string;
  from?: string[];
  leftOut?: true;
  page?: string;
}

const flags = new Command('scoreboard')
  .description(
    'Measures shaping and its rivals on every kind of content, and writes the page of the figures.',
  )
  .requiredOption('--data <folder>', 'folder with the data sets, one folder each')
  .option('--model <folder>', 'static embedding model; without it, rivals with vectors are left out')
  .option('--limit <questions>', 'at most so many questions of each set, evenly spread', '60')
  .option('--sets <names...>', 'only kinds and sets whose names hold one of these')
  .option('--rivals <names...>', 'only rivals whose names hold one of these')
  .option('--left-out', 'each set with the model that is learned without its family')
  .option('--json <file>', 'write what was measured there')
  .option('--from <files...>', 'measure nothing: take what --json wrote, for some sets each')
  .option('--page <file>', `the page; without it ${PAGE}, or the standard output if only some are asked for`)
  .parse()
  .opts<Flags>();

async function measure({
  data,
  model,
  limit,
  sets: asked,
  rivals: wanted,
  leftOut,
  json,
}: Flags): Promise<Scores> {
  const embedder = model === undefined ? undefined : await loadStaticEmbedder(model);
  const rivals = (await loadRivals()).filter((rival) => {
    const why =
      rival.missing ?? (rival.needsVectors && embedder === undefined ? 'it needs --model' : undefined);
    if (why !== undefined) console.error(`${rival.name} is left out: ${why}.`);
    return why === undefined && isAskedFor(rival.name, wanted);
  });
  const shown = rivals.map(({ name, package: from, version }) => ({
    name,
    ...(from && { package: from }),
    ...(version && { version }),
  }));
  const learnWithout = leftOut ? await learnedWithout(data) : () => {};
  const results: SetResult[] = [];
  for (const set of scoreSets(data)) {
    if (!isAskedFor(`${set.kind}, ${set.name}`, asked)) continue;
    const cases = await set.load(data, Number(limit));
    if (cases === undefined || cases.length === 0) {
      console.error(`${set.name} is left out: its data is not in ${data}.`);
      continue;
    }
    learnWithout(set.learned);
    const started = performance.now();
    results.push(await measureSet(set, cases, rivals, embedder));
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.error(`${set.kind}, ${set.name}: ${cases.length} questions, ${seconds} s`);
    if (json !== undefined) writeFileSync(json, JSON.stringify({ rivals: shown, sets: results }));
  }
  return { rivals: shown, sets: results };
}

const scores =
  flags.from === undefined
    ? await measure(flags)
    : together(flags.from.map((file): Scores => JSON.parse(readFileSync(file, 'utf8'))));
const isWhole = flags.sets === undefined && flags.rivals === undefined;
const page = flags.page ?? (isWhole ? PAGE : undefined);
if (page === undefined) console.log(Object.values(tablesOf(scores)).join('\n\n'));
else writeFileSync(page, pageWith(readFileSync(page, 'utf8'), scores));
console.log(`Ours is not first at: ${setsBehind(scores).join('; ') || 'no set'}`);
