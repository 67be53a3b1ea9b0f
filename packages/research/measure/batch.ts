/**
 * How fast `context-shaping-server batch` is, as it is built, how much memory it takes, and whether it loses or repeats a line
 * when it is killed. Passages are those of a file with one JSON object a line, whose `ctxs` hold `text`
 * (NQ-Open as its authors publish it); a query has at most `--chunks` of them, and at least half as many.
 *
 *   npm run research -- measure/batch --data FILE [--queries 200000] [--chunks 20] [--kills 10] [--workers 2] [--folder DIR]
 *
 * The batch runs undisturbed; then again, killed (SIGKILL) at random instants and begun again each time. The results of
 * both are compared line by line: the number, the id, the chunks and the digest of the report.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { seededRandom } from '../../../test/random.js';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string' },
    queries: { type: 'string', default: '200000' },
    chunks: { type: 'string', default: '20' },
    kills: { type: 'string', default: '10' },
    workers: { type: 'string', default: String(availableParallelism()) },
    folder: { type: 'string', default: tmpdir() },
  },
});
const [queries, most, kills] = [flags.queries, flags.chunks, flags.kills].map(Number) as [
  number,
  number,
  number,
];
const least = Math.ceil(most / 2);
const MEGABYTE = 2 ** 20;
const BUDGET = 800;
const SAMPLE = 500;

/** Writes the queries, the same in every run. */
async function writeQueries(file: string): Promise<void> {
  if (flags.data === undefined) throw new Error('Name the file of passages with --data.');
  const bytes = readFileSync(flags.data);
  const lines = (flags.data.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { question: string; ctxs: { text: string }[] });
  const texts = entries.flatMap(({ ctxs }) => ctxs.map(({ text }) => text));
  const random = seededRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const stream = createWriteStream(file);
  for (let id = 1; id <= queries; id++) {
    const chunks = Array.from({ length: least + Math.floor((most - least + 1) * random()) }, (_, at) => ({
      id: `c${at}`,
      text: pick(texts),
      score: Number(random().toFixed(3)),
    }));
    const line = JSON.stringify({ id, query: pick(entries).question, chunks });
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

interface Run {
  child: ChildProcess;
  /** The exit code; `null` if it was killed. */
  ended: Promise<number | null>;
  /** Resident memory in bytes, every half second. */
  samples: number[];
  /** Processor seconds so far. */
  seconds(): number;
  written(): string;
}

function begin(input: string, out: string): Run {
  const args = ['batch', '--in', input, '--out', out, '--workers', flags.workers, '--budget', String(BUDGET)];
  const child = spawn(process.execPath, ['packages/server/dist/main.js', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const samples: number[] = [];
  let ticks = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      samples.push(1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks = Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }, SAMPLE);
  const ended = once(child, 'close').then(([code]) => {
    clearInterval(timer);
    return code as number | null;
  });
  return { child, ended, samples, seconds: () => ticks / 100, written: () => written };
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
const megabytes = (bytes: number | undefined) => `${((bytes ?? 0) / MEGABYTE).toFixed(0)} MB`;

/** The mean of a tenth of the samples, from a share of the time on. */
function around(samples: readonly number[], share: number): number {
  const from = Math.floor(share * samples.length);
  const part = samples.slice(from, from + Math.max(1, Math.floor(samples.length / 10)));
  return part.reduce((sum, each) => sum + each, 0) / part.length;
}

interface Result {
  line: number;
  id: number;
  chunks: unknown;
  report: { digest: string };
}

/** Compares two outputs by all but the times in them. */
async function compare(first: string, second: string) {
  const read = (file: string) =>
    createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })[
      Symbol.asyncIterator
    ]();
  const [left, right] = [read(first), read(second)];
  const known = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const { line, id, chunks, report } = JSON.parse(text) as Result;
    return JSON.stringify([line, id, chunks, report.digest]);
  };
  let lines = 0;
  let different = 0;
  let misplaced = 0;
  for (;;) {
    const [a, b] = [(await left.next()).value, (await right.next()).value] as (string | undefined)[];
    if (a === undefined && b === undefined) return { lines, different, misplaced };
    lines += 1;
    if (known(a) !== known(b)) different += 1;
    if (b === undefined || (JSON.parse(b) as Result).line !== lines) misplaced += 1;
  }
}

async function undisturbed(input: string, out: string): Promise<number> {
  const run = begin(input, out);
  const started = performance.now();
  const code = await run.ended;
  const seconds = (performance.now() - started) / 1000;
  if (code !== 0) throw new Error(`It ended with ${code}: ${run.written()}`);
  console.log(run.written().trim());
  console.log(
    [
      `${(queries / seconds).toFixed(1)} lines a second with ${flags.workers} workers`,
      `${run.seconds().toFixed(0)} processor seconds (${((1000 * run.seconds()) / queries).toFixed(2)} ms a line)`,
      `memory at a tenth ${megabytes(around(run.samples, 0.1))}, in the middle ${megabytes(around(run.samples, 0.45))}, at the end ${megabytes(around(run.samples, 0.9))}, at most ${megabytes(Math.max(...run.samples))}`,
      `output ${megabytes(sizeOf(out))}`,
    ].join('; '),
  );
  return seconds;
}

/** @param expected seconds of the undisturbed run: the kills are spread over them, the first ones soon after the start. */
async function killed(input: string, out: string, expected: number): Promise<void> {
  const random = seededRandom(11);
  let done = 0;
  for (;;) {
    const run = begin(input, out);
    const wait = 1000 * (done < 2 ? 1.5 * random() : (1.6 * random() * expected) / (kills + 1));
    const before = sizeOf(out);
    let due = done < 2 ? performance.now() + wait : Number.POSITIVE_INFINITY;
    const timer = setInterval(() => {
      // The first two may fall into the start. The others count from the first new result.
      if (due === Number.POSITIVE_INFINITY && sizeOf(out) > before) due = performance.now() + wait;
      if (done < kills && performance.now() >= due) run.child.kill('SIGKILL');
    }, 5);
    const code = await run.ended;
    clearInterval(timer);
    if (code === null) done += 1;
    const where = /Going on after line (\d+)/.exec(run.written())?.[1] ?? '0';
    console.log(
      `  from line ${where}: ${code === null ? `killed after ${(wait / 1000).toFixed(1)} s` : 'ended'}`,
    );
    if (code === 0) break;
    if (code !== null) throw new Error(`It ended with ${code}: ${run.written()}`);
  }
  console.log(`killed ${done} times`);
}

const folder = mkdtempSync(join(flags.folder, 'measure-batch-'));
try {
  const at = (name: string) => join(folder, name);
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${queries} queries`);
  await writeQueries(at('in.jsonl'));
  console.log(`input ${megabytes(sizeOf(at('in.jsonl')))}`);
  const seconds = await undisturbed(at('in.jsonl'), at('undisturbed.jsonl'));
  await killed(at('in.jsonl'), at('killed.jsonl'), seconds);
  const { lines, different, misplaced } = await compare(at('undisturbed.jsonl'), at('killed.jsonl'));
  console.log(`${lines} lines compared: ${different} different, ${misplaced} out of place`);
  if (different + misplaced > 0 || lines !== queries) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
