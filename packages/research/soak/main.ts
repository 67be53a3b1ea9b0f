/**
 * An hour of ordinary life: the HTTP service and corrective retrieval on PostgreSQL, as they are built, under a moderate
 * load with hostile bodies among it, while workers, the service and the processes of graphs are killed at random.
 *
 *   npm run research -- soak [--minutes 60] [--seed 1] [--rate 5] [--bound 50]
 *
 * The exit code is 1 if something was lost, answered twice or answered with a 5xx outside of a restart. It is also 1
 * if the memory of a process that is never killed as a whole grows by more than `--bound` MB an hour. The growth is
 * measured by least squares, without the first tenth as warming up, and from half an hour on. The database is the one
 * that the tests use.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { seededRandom } from '../../../test/random.js';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '5' },
    bound: { type: 'string', default: '50' },
  },
});
const minutes = Number(flags.minutes);
const bound = Number(flags.bound);
/** In less time than this, memory says nothing of an hour. */
const JUDGED_FROM_MINUTES = 30;
const BODY_LIMIT = 2 ** 20;
/** Mean seconds between two kills of one kind. */
const KILLS = { worker: 40, service: 60, graph: 45 };

const random = seededRandom(Number(flags.seed));
const below = (bound: number) => Math.floor(random() * bound);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const exponential = (mean: number) => -mean * Math.log(1 - random());

const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const ended = performance.now() + 60_000 * minutes;
const isOver = () => performance.now() >= ended;
const problems: string[] = [];
const problem = (what: string) => {
  problems.push(what);
  console.log(`PROBLEM ${what}`);
};
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

// The service.

/**
 * A text with `end thread N` ends one thread in the midst of its work. The thread that takes over finds the file of
 * the first one, and continues.
 */
const SETUP = `
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
async function embed(texts) {
  const pill = /end thread (\\d+)/.exec(texts.join(' '))?.[1];
  if (pill !== undefined) {
    let first = true;
    try { closeSync(openSync(join(${JSON.stringify(folder)}, 'ended-' + pill), 'wx')); } catch { first = false; }
    if (first) process.exit(1);
  }
  return texts.map((text) => {
    const vector = new Array(32).fill(0.01);
    for (let at = 0; at < text.length; at += 3) vector[(text.charCodeAt(at) * 7 + at % 5) % 32] += 1;
    return vector;
  });
}
export default () => ({ embedder: { embed } });
`;

interface Running {
  name: string;
  url: string;
  child: ChildProcess;
  /** Is it being killed or started? Then no answer is one. */
  isDown: boolean;
}

async function startService(name: string, port: number): Promise<Running> {
  const setup = join(folder, 'setup.mjs');
  writeFileSync(setup, SETUP);
  const config = join(folder, 'service.json');
  writeFileSync(config, JSON.stringify({ bodyLimit: BODY_LIMIT, logger: 'error', workers: 2 }));
  const args = ['packages/server/dist/main.js', 'serve', '--config', config, '--setup', setup];
  const child = spawn(process.execPath, [...args, '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  let url: string | undefined;
  for await (const text of child.stderr as AsyncIterable<Buffer>) {
    written += text;
    url = /Listening on (https?:\/\/[\w.:[\]-]*\d)/.exec(written)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error(`The service did not start: ${written}`);
  child.stderr?.resume();
  return { name, url, child, isDown: false };
}

const WORDS =
  'bridge tunnel harbour opened closed built ferry river traffic year stone steel long work old new opening first rain Leith Ayr 1932 1992 300'.split(
    ' ',
  );
const SYLLABLES = 'ba ce di fo gu ka lem nip rox tuv wyn zaq'.split(' ');
/** Some words recur, most do not. */
const word = () => (random() < 0.3 ? pick(WORDS) : pick(SYLLABLES) + pick(SYLLABLES) + pick(SYLLABLES));
const words = (most: number) => Array.from({ length: 1 + below(most) }, word).join(' ');

interface Asked {
  path: string;
  body: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** Ids of chunks that the answer has to tell of; absent where it is to be refused. */
  ids?: string[];
}

let pills = 0;
function good(): Asked {
  const size = pick([3, 5, 5, 10, 10, 20, 50]);
  const chunks = Array.from({ length: size }, (_, at) => ({
    id: `c${at}`,
    text: `${words(60)}.`,
    ...(random() < 0.5 ? { score: random() } : {}),
    metadata: { source: `${at % 7}.md`, position: at },
  }));
  const options = pick([
    { budget: { maxTokens: 300 } },
    { k: 5 },
    { budget: { maxTokens: 1500, reserve: 100 } },
    {},
  ]);
  const body = JSON.stringify({ query: words(9), chunks, options });
  return { path: '/v1/shape', body, ids: chunks.map(({ id }) => id) };
}
const json = (value: unknown): Asked => ({ path: '/v1/shape', body: JSON.stringify(value) });
const chunk = { id: 'a', text: 'The bridge opened.' };
const HOSTILE: readonly (() => Asked)[] = [
  () => ({ path: '/v1/shape', body: good().body.slice(0, -9) as string }),
  () => ({ path: '/v1/shape', body: ' '.repeat(BODY_LIMIT + 1) }),
  () => ({ path: '/v1/shape', body: '['.repeat(200_000) }),
  () => ({ path: '/v1/shape', body: new Uint8Array([0x7b, 0xff, 0xfe, 0x80, 0x7d]) }),
  () => ({ path: '/v1/shape', body: 'not gzip', headers: { 'content-encoding': 'gzip' } }),
  () => ({ path: '/v1/nothing', body: '{}' }),
  () => json({ query: 1, chunks: 'all' }),
  () => json({ query: 'q', chunks: [{ id: 'a', text: null }] }),
  () => json({ query: 'q', chunks: [chunk, { ...chunk, text: 'Another text.' }] }),
  () => json({ query: 'q', chunks: Array.from({ length: 2001 }, (_, at) => ({ id: `${at}`, text: 'x' })) }),
  () => json({ query: 'q', chunks: [chunk], options: { k: -1, budget: { maxTokens: 'all' } } }),
  () => json({ query: 'q', chunks: [{ ...chunk, embedding: [1, null, 3] }] }),
  () => ({ ...json(null), body: '{"query":"q","chunks":[],"__proto__":{"k":1},"constructor":{}}' }),
];

async function ask(service: Running, { path, body, headers = {}, ids }: Asked, kind: string): Promise<void> {
  const isAlive = () => !service.isDown;
  const before = isAlive();
  try {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    count(`${kind} ${answer.status}`);
    if (answer.status >= 500 && before && isAlive())
      problem(`${service.name}: ${answer.status} for ${kind}: ${text}`);
    if (answer.status !== 200) {
      if (ids !== undefined && answer.status < 500)
        problem(`${service.name}: ${answer.status} for ${kind}: ${text}`);
      return;
    }
    if (ids === undefined) return;
    const { report } = JSON.parse(text) as {
      report: { kept: { id: string }[]; evicted: { id: string }[] };
    };
    const told = [...report.kept, ...report.evicted].map(({ id }) => id);
    if (told.toSorted().join() !== ids.toSorted().join())
      problem(`${service.name}: chunks lost: ${told} of ${ids}`);
  } catch (error) {
    count(`${kind} no answer`);
    if (before && isAlive()) problem(`${service.name}: ${kind}: ${error} ${(error as Error).cause ?? ''}`);
  }
}

/** Somebody who goes away: after half of a body, or before the answer. */
async function leave(service: Running): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const { body } = good();
  const whole = random() < 0.5;
  socket.write(
    `POST /v1/shape HTTP/1.1\r\nhost: soak\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(whole ? body : body.slice(0, body.length / 2));
  await pause(5 + below(50));
  socket.destroy();
  count('went away');
}

async function load(services: readonly Running[]): Promise<void> {
  const open = new Set<Promise<void>>();
  while (!isOver()) {
    await pause(1000 * exponential(1 / Number(flags.rate)));
    // The one that is killed as a whole gets a fifth.
    const service = (random() < 0.8 ? services[0] : services[1]) as Running;
    const draw = random();
    const asked =
      draw < 0.05
        ? leave(service)
        : draw < 0.2
          ? ask(service, pick(HOSTILE)(), 'hostile')
          : ask(service, good(), 'good');
    open.add(asked);
    asked.finally(() => open.delete(asked));
  }
  await Promise.all(open);
}

async function killWorkers(service: Running): Promise<void> {
  for (;;) {
    await pause(1000 * exponential(KILLS.worker));
    if (isOver()) return;
    const chunks = [
      chunk,
      { id: 'b', text: `This is to end thread ${pills++}.` },
      { id: 'c', text: 'Rain.' },
    ];
    await ask(service, { ...json({ query: 'When?', chunks }), ids: ['a', 'b', 'c'] }, 'worker killed');
  }
}

async function killService(service: Running): Promise<void> {
  const { port } = new URL(service.url);
  for (;;) {
    await pause(1000 * exponential(KILLS.service));
    if (isOver()) return;
    service.isDown = true;
    const gone = once(service.child, 'exit');
    service.child.kill(pick(['SIGKILL', 'SIGTERM'] as const));
    await gone;
    count('service killed');
    service.child = (await startService(service.name, Number(port))).child;
    // Connections to the one that was killed are noticed when they are used.
    await pause(500);
    service.isDown = false;
  }
}

// The graphs.

const { PGUSER = userInfo().username, PGHOST = '127.0.0.1', PGDATABASE = 'test' } = process.env;
const POSTGRES = `postgresql://${encodeURIComponent(PGUSER)}@${PGHOST}/${PGDATABASE}`;
const schema = `soak_${process.pid}_${Date.now()}`;
const log = join(folder, 'graphs.log');

const GRAPHS = fileURLToPath(new URL('graphs.ts', import.meta.url));
let processes = 0;
function startGraphs(name: string, mode: 'work' | 'watch'): ChildProcess {
  const seed = String(Number(flags.seed) * 1000 + processes++);
  const args = ['--import', 'tsx', GRAPHS, POSTGRES, schema, log, name, seed, mode];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('exit', (code, signal) => {
    if (signal !== 'SIGKILL' && code !== 0) problem(`graphs ${name} left with ${code ?? signal}`);
  });
  return child;
}

async function killGraphs(name: string): Promise<void> {
  while (!isOver()) {
    const child = startGraphs(name, 'work');
    const gone = once(child, 'exit');
    const life = Math.min(5000 + 1000 * exponential(KILLS.graph), ended - performance.now());
    await Promise.race([pause(Math.max(0, life)), gone]);
    child.kill('SIGKILL');
    await gone;
    count('graphs killed');
  }
}

// Memory.

/** Resident memory in MB. */
function residentOf({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

interface Sample {
  hours: number;
  megabytes: number;
}

/** By least squares, in MB an hour. */
function slopeOf(samples: readonly Sample[]): number {
  const settled = samples.slice(Math.ceil(samples.length / 10));
  const mean = (of: (sample: Sample) => number) =>
    settled.reduce((sum, each) => sum + of(each), 0) / settled.length;
  const [x, y] = [mean(({ hours }) => hours), mean(({ megabytes }) => megabytes)];
  const spread = settled.reduce((sum, { hours }) => sum + (hours - x) ** 2, 0);
  return settled.reduce((sum, { hours, megabytes }) => sum + (hours - x) * (megabytes - y), 0) / spread;
}

const started = performance.now();
async function sample(
  watched: ReadonlyMap<string, ChildProcess>,
  samples: Map<string, Sample[]>,
): Promise<void> {
  for (let at = 0; !isOver(); at++) {
    await pause(5000);
    for (const [name, child] of watched) {
      const taken = { hours: (performance.now() - started) / 3_600_000, megabytes: residentOf(child) };
      samples.set(name, [...(samples.get(name) ?? []), taken]);
    }
    if (at % 12 === 11) {
      const memory = Array.from(samples, ([name, own]) => `${name} ${own.at(-1)?.megabytes.toFixed(0)} MB`);
      console.log(`${(at + 1) / 12} min: ${memory.join(', ')}; ${threads()}; problems ${problems.length}`);
    }
  }
}

const linesOf = (what: string) =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${what} `));
const threads = () =>
  `threads begun ${linesOf('begun').length}, answered ${linesOf('answered').length}, done ${linesOf('done').length}`;

// All of it.

writeFileSync(log, '');
const saver = PostgresSaver.fromConnString(POSTGRES, { schema });
await saver.setup();
const steady = await startService('service', 0);
const fragile = await startService('service that is killed', 0);
const watcher = startGraphs('watch', 'watch');
const samples = new Map<string, Sample[]>();
const watched = new Map([
  ['service', steady.child],
  ['graphs', watcher],
]);
console.log(`${minutes} min, seed ${flags.seed}, ${flags.rate} requests/s, Node ${process.version}`);
await Promise.all([
  load([steady, fragile]),
  killWorkers(steady),
  killService(fragile),
  killGraphs('one'),
  killGraphs('two'),
  sample(watched, samples),
]);
const metrics = await (await fetch(`${steady.url}/metrics`)).text();
const restarts = /worker_restarts_total (\d+)/.exec(metrics)?.[1];
watcher.kill('SIGTERM');
await once(watcher, 'exit');
for (const { child } of [steady, fragile]) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
for (const line of [...linesOf('wrong'), ...linesOf('lost')]) problem(`graphs: ${line}`);
console.log(
  `\n${Array.from(counts, ([what, times]) => `${what}: ${times}`)
    .toSorted()
    .join('; ')}`,
);
console.log(`${threads()}; workers restarted ${restarts} times`);
for (const [name, own] of samples) {
  const slope = slopeOf(own);
  const all = own.map(({ megabytes }) => megabytes);
  const range = `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)} MB`;
  console.log(`${name}: ${range}, ${slope.toFixed(1)} MB an hour (bound ${bound})`);
  if (minutes >= JUDGED_FROM_MINUTES && slope > bound)
    problem(`${name} grows by ${slope.toFixed(1)} MB an hour`);
}
console.log(problems.length === 0 ? 'Nothing lost.' : `${problems.length} problems:\n${problems.join('\n')}`);

// The saver has no method for it; its pool is private by type alone.
await (saver as unknown as { pool: { query(sql: string): Promise<unknown> } }).pool.query(
  `DROP SCHEMA "${schema}" CASCADE`,
);
await saver.end();
rmSync(folder, { recursive: true });
process.exitCode = problems.length === 0 ? 0 : 1;
