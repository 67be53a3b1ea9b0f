/**
 * The longest time for which shaping holds the thread, between two turns of the event loop:
 * `npm run research -- measure/blocks FILE [KIND …] [--sizes "N …"] [--turns N] [--stages N]`. FILE has passages as Natural
 * Questions publishes them. KIND is `texts`, `vectors`, `near-copies` (they differ in one number) or `long` (twenty texts
 * of 1 MB). Each pool is new at its first shaping and known at its second. A row has the longest block of the middle turn
 * of each: milliseconds, the stage that had most of it, and the part that was garbage collection, which no pause can divide.
 * With `--stages`, it has those of so many stages.
 */
import { existsSync, readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Chunk, createShaper, type ShapingInput } from 'context-shaping';
import { poolsFrom, TOKEN_BUDGET, textOnly, unseen, withVectors } from '../bench/pools.js';

const DIMENSION = 384;
const LONG_TEXT = 2 ** 20;
const LONG_TEXTS = 20;
/** Shapings that are not counted: the engine compiles the program in them. */
const WARM_UP = 40;
/** Shorter blocks are not told. */
const LEAST = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '50 200 2000 20000' },
    turns: { type: 'string', default: '3' },
    stages: { type: 'string', default: '1' },
  },
});
const [file, ...chosen] = positionals;
if (file === undefined) throw new Error('Give the file: npm run research -- measure/blocks FILE');
const sizes = values.sizes.split(/[ ,]+/).map(Number);
const pools = poolsFrom(file);

let serial = 0;
/** Texts of about 110 words that differ in one number. */
function nearCopies(count: number): ShapingInput {
  const { question, chunks } = pools(1, DIMENSION);
  serial++;
  const text = chunks[0]?.text ?? '';
  return {
    query: question,
    chunks: Array.from({ length: count }, (_, at) => ({
      id: `c${at}`,
      text: `${text} Its size in round ${serial} was ${1000 + at} metres.`,
    })),
  };
}

function longTexts(): ShapingInput {
  const { question, chunks } = pools(2000, DIMENSION);
  serial++;
  const words = chunks.map(({ text }) => text);
  const texts = Array.from({ length: LONG_TEXTS }, (_, at): Chunk => {
    const parts: string[] = [`Text ${at} of round ${serial}.`];
    for (let length = 0, next = at * 97; length < LONG_TEXT; next++) {
      const part = words[next % words.length] as string;
      parts.push(`${part}.`);
      length += part.length + 2;
    }
    return { id: `c${at}`, text: parts.join('\n').slice(0, LONG_TEXT) };
  });
  return { query: question, chunks: texts };
}

const KINDS: Readonly<
  Record<string, { sizes: readonly number[]; inputOf: (count: number) => ShapingInput }>
> = {
  texts: { sizes, inputOf: (count) => textOnly(unseen(pools(count, DIMENSION))) },
  vectors: { sizes, inputOf: (count) => withVectors(unseen(pools(count, DIMENSION))) },
  'near-copies': { sizes: sizes.filter((count) => count >= 2000), inputOf: nearCopies },
  long: { sizes: [LONG_TEXTS], inputOf: longTexts },
};

/** The ends of the stages of the current shaping. */
let ends: { name: string; at: number }[] = [];
const shaper = createShaper({
  budget: { maxTokens: TOKEN_BUDGET },
  telemetry: {
    begin: () => ({
      within: (run) => run(),
      stage: ({ name }) => void ends.push({ name, at: performance.now() }),
      end() {},
    }),
  },
});

interface Collection {
  from: number;
  to: number;
}
const collections: Collection[] = [];
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    collections.push({ from: startTime, to: startTime + duration });
});
observer.observe({ entryTypes: ['gc'] });

interface Block {
  stage: string;
  milliseconds: number;
  /** Time in which the collector ran. */
  collected: number;
}

/** Linux tells the time of this thread alone, at the last tick of its clock. */
const THREAD_TIME = '/proc/self/schedstat';
const TICK = 4;

/** Milliseconds of processor time: of this thread, or, where that is not told, of the process. */
const processorTime = existsSync(THREAD_TIME)
  ? () => Number(readFileSync(THREAD_TIME, 'latin1').split(' ')[0]) / 1e6
  : () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };

/** The stage that has most of a time; the first includes the input, `report` is after the last. */
function stageOf(from: number, to: number): string {
  const bounds = [...ends, { name: 'report', at: Number.POSITIVE_INFINITY }];
  let [stage, most] = ['', 0];
  for (const [place, { name, at }] of bounds.entries()) {
    const shared = Math.min(to, at) - Math.max(from, bounds[place - 1]?.at ?? 0);
    if (shared > most) [stage, most] = [name, shared];
  }
  return stage;
}

/** The longest blocks of a shaping, one for each stage. */
async function blocksOf(input: ShapingInput): Promise<Block[]> {
  collections.length = 0;
  ends = [];
  const found: { from: number; to: number; milliseconds: number }[] = [];
  let isRunning = true;
  let [last, lastUsed] = [performance.now(), processorTime()];
  const turn = () => {
    const [now, used] = [performance.now(), processorTime()];
    // The lesser of the two: other programs take the core away.
    const milliseconds = Math.min(now - last, used - lastUsed + TICK);
    if (milliseconds > LEAST) found.push({ from: last, to: now, milliseconds });
    [last, lastUsed] = [now, used];
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise(setImmediate);
  await shaper.shape(input);
  await new Promise(setImmediate);
  isRunning = false;
  // Entries of the collector arrive later.
  await pause(20);
  const blocks = found.map(({ from, to, milliseconds }): Block => {
    const inside = collections.map((each) => Math.max(0, Math.min(each.to, to) - Math.max(each.from, from)));
    return {
      stage: stageOf(from, to),
      milliseconds,
      collected: inside.reduce((sum, each) => sum + each, 0),
    };
  });
  blocks.sort((a, b) => b.milliseconds - a.milliseconds);
  const longest = new Map(blocks.toReversed().map((block) => [block.stage, block]));
  return [...longest.values()].sort((a, b) => b.milliseconds - a.milliseconds);
}

/** The turn with the middle longest block. */
function median(turns: readonly Block[][]): Block[] {
  const sorted = turns.toSorted((a, b) => (a[0]?.milliseconds ?? 0) - (b[0]?.milliseconds ?? 0));
  return sorted[sorted.length >> 1] as Block[];
}

const told = (blocks: readonly Block[]) =>
  blocks
    .slice(0, Number(values.stages))
    .map(
      ({ stage, milliseconds, collected }) =>
        `${milliseconds.toFixed(1)} in ${stage} (collector ${collected.toFixed(1)})`,
    )
    .join(', ') || `at most ${LEAST}`;

for (let turn = 0; turn < WARM_UP; turn++) {
  await shaper.shape(withVectors(unseen(pools(50, DIMENSION, turn))));
  await shaper.shape(textOnly(unseen(pools(200, DIMENSION, turn))));
}
console.log('Milliseconds of the longest block: new texts | known texts');
for (const [kind, { sizes: counts, inputOf }] of Object.entries(KINDS)) {
  if (chosen.length > 0 && !chosen.includes(kind)) continue;
  for (const count of counts) {
    const [fresh, known]: [Block[][], Block[][]] = [[], []];
    for (let turn = 0; turn < Number(values.turns); turn++) {
      const input = inputOf(count);
      fresh.push(await blocksOf(input));
      known.push(await blocksOf(input));
    }
    console.log(`${kind} ${count}: ${told(median(fresh))} | ${told(median(known))}`);
  }
}
observer.disconnect();
