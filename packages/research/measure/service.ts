/**
 * How fast the HTTP service is, as it is built, and how it bears load. Passages are those of a file with one JSON object a line, whose
 * `ctxs` hold `text` (NQ-Open as its authors publish it); vectors are made up, six chunks to a topic.
 *
 *   npm run research -- measure/service speed --data FILE [--dimension 384] [--long]
 *   npm run research -- measure/service load --data FILE [--minutes 10]
 *
 * `speed`: one request after another, each another body; then requests per second at 16 connections; for each size a
 * service of its own, with one worker per core. `--long`: made-up words of three tokens instead, so that 110 words are
 * 300 tokens or more. SLIMCONTEXT_URL names a running SlimContext service to be asked the same in turns.
 * `load`: a mixture of sizes and routes at 16 connections, of every hundred requests one malformed and one too large;
 * half-way one worker is ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { loadTokenCounter } from 'context-shaping/kit';

const SIZES = [20, 50, 200, 500];
const CONNECTIONS = 16;
const BODY_LIMIT = 8 * 2 ** 20;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    dimension: { type: 'string', default: '384' },
    long: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
  },
});
const dimension = Number(flags.dimension);
const random = generator(7);

/** Linear congruential, so that every run asks the same. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const vector = () => Array.from({ length: dimension }, normal);

function passages(): () => string {
  if (flags.long) {
    const syllables = 'ba ce di fo gu ka lem nip rox tuv wyn zaq'.split(' ');
    const word = () => Array.from({ length: 4 }, () => pick(syllables)).join('');
    return () => Array.from({ length: 110 }, word).join(' ');
  }
  if (flags.data === undefined) throw new Error('Name the file of passages with --data, or give --long.');
  const bytes = readFileSync(flags.data);
  const lines = (flags.data.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim().split('\n');
  const texts = lines.flatMap((line) =>
    (JSON.parse(line) as { ctxs: { text: string }[] }).ctxs.map(({ text }) => text),
  );
  return () => pick(texts);
}
const passage = passages();

function body(size: number, route: string): string {
  const topics = Array.from({ length: Math.ceil(size / 6) }, vector);
  const near = (topic: readonly number[]) => topic.map((x) => Number((x + 0.4 * normal()).toFixed(8)));
  const chunks = Array.from({ length: size }, (_, i) => ({
    id: `c${i}`,
    text: passage(),
    score: Number(random().toFixed(3)),
    embedding: near(pick(topics)),
  }));
  // Unchecked prose: a question like those of users.
  const query = 'who won the first prize';
  return route === '/v1/optimize'
    ? JSON.stringify({ query, query_embedding: near(pick(topics)), token_budget: 1800, chunks })
    : JSON.stringify({
        query: { text: query, embedding: near(pick(topics)) },
        chunks,
        options: { budget: { maxTokens: 1800 } },
      });
}

interface Running {
  url: string;
  process: ChildProcess;
}

/** The service of this clone, which is built. */
async function start(...more: string[]): Promise<Running> {
  const main = 'packages/server/dist/main.js';
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...more], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr?.setEncoding('utf8');
  let url: string | undefined;
  for await (const text of child.stderr as AsyncIterable<string>) {
    url = /Listening on (https?:\/\/[\w.:[\]-]*\d)/.exec(text)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error('The service did not start.');
  child.stderr?.resume();
  return { url, process: child };
}

async function stop({ process: child }: Running): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Resident memory in MB: now, and at most so far. */
function memory({ process: child }: Running): { now: number; peak: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

interface Asked {
  path: string;
  content: Buffer;
}

/** By the plain client of Node: `fetch` would take longer than the service for small bodies. */
function ask(
  url: string,
  { path, content }: Asked,
  agent: Agent,
): Promise<{ status: number; milliseconds: number }> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': content.length };
    const sent = request(url + path, { method: 'POST', agent, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      response.on('error', reject).resume();
      response.on('end', () => resolve({ status, milliseconds: performance.now() - started }));
    });
    sent.on('error', reject).end(content);
  });
}

const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** All connections ask one request after another for so long, each beginning at another place of the list. */
async function fire(url: string, seconds: number, requests: readonly Asked[]) {
  const until = performance.now() + 1000 * seconds;
  const latencies: number[] = [];
  const byStatus: Record<number, number> = {};
  let errors = 0;
  const connections = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    const agent = oneConnection();
    for (let at = Math.floor((connection * requests.length) / CONNECTIONS); performance.now() < until; at++) {
      try {
        const { status, milliseconds } = await ask(url, requests[at % requests.length] as Asked, agent);
        latencies.push(milliseconds);
        byStatus[status] = (byStatus[status] ?? 0) + 1;
      } catch {
        errors++;
      }
    }
    agent.destroy();
  });
  await Promise.all(connections);
  return { latencies, byStatus, errors, perSecond: Number((latencies.length / seconds).toFixed(1)) };
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number).toFixed(1);
}

async function speed(): Promise<void> {
  const other = process.env.SLIMCONTEXT_URL;
  const countTokens = await loadTokenCounter('cl100k_base');
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, dimension ${dimension}`);
  for (const size of SIZES) {
    const bodies = Array.from({ length: size < 200 ? 400 : 60 }, () => body(size, '/v1/optimize'));
    const service = await start();
    const warm = bodies.splice(0, bodies.length / 4);
    const agent = oneConnection();
    const time = async (url: string, content: string): Promise<number> => {
      const { status, milliseconds } = await ask(url, requestOf('/v1/optimize', content), agent);
      if (status !== 200) throw new Error(`${url} answered ${status}`);
      return milliseconds;
    };
    for (const content of warm) await time(service.url, content);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (const content of bodies) {
      ours.push(await time(service.url, content));
      if (other) theirs.push(await time(other, content));
    }
    agent.destroy();
    const texts = bodies.map((content) => (JSON.parse(content) as { chunks: { text: string }[] }).chunks);
    for (const chunk of warm.flatMap(
      (content) => (JSON.parse(content) as { chunks: { text: string }[] }).chunks,
    ))
      countTokens(chunk.text);
    const counting = texts.map((chunks) => {
      const started = performance.now();
      for (const { text } of chunks) countTokens(text);
      return performance.now() - started;
    });
    const tokens = texts.flat().reduce((sum, { text }) => sum + countTokens(text), 0) / texts.flat().length;
    const result = await fire(
      service.url,
      10,
      bodies.map((content) => requestOf('/v1/optimize', content)),
    );
    console.log(
      [
        `${String(size).padStart(4)} chunks of ${tokens.toFixed(0)} tokens: p50 ${quantile(ours, 0.5)} ms, p95 ${quantile(ours, 0.95)} ms`,
        ...(theirs.length > 0
          ? [
              `theirs ${quantile(theirs, 0.5)} and ${quantile(theirs, 0.95)} ms, by the median ${(Number(quantile(theirs, 0.5)) / Number(quantile(ours, 0.5))).toFixed(1)} times`,
            ]
          : []),
        `counting tokens ${quantile(counting, 0.5)} ms (${((100 * Number(quantile(counting, 0.5))) / Number(quantile(ours, 0.5))).toFixed(0)} %)`,
        `${result.perSecond} requests/s at ${CONNECTIONS} connections (p99 ${quantile(result.latencies, 0.99)} ms)`,
        `peak memory ${memory(service).peak} MB`,
      ].join('; '),
    );
    await stop(service);
  }
}

const requestOf = (path: string, content: string): Asked => ({ path, content: Buffer.from(content) });

/** A setup of which the first worker that loads it ends in the midst of its work. */
const endOneAfter = (milliseconds: number, mark: string) => `
import { mkdirSync } from 'node:fs';
export default () => {
  try {
    mkdirSync(${JSON.stringify(mark)});
    setTimeout(() => process.exit(1), ${milliseconds});
  } catch {}
  return {};
};
`;

async function load(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'measure-service-'));
  const config = join(folder, 'service.json');
  writeFileSync(config, JSON.stringify({ bodyLimit: BODY_LIMIT, logger: 'warn' }));
  const setup = join(folder, 'setup.mjs');
  writeFileSync(setup, endOneAfter(30_000 * Number(flags.minutes), join(folder, 'ended')));
  const service = await start('--config', config, '--setup', setup);
  const good = Array.from({ length: 98 }, () => {
    const route = pick(['/v1/optimize', '/v1/shape']);
    return requestOf(route, body(pick([20, 20, 50, 50, 200]), route));
  });
  const malformed = requestOf('/v1/optimize', body(20, '/v1/optimize').slice(0, -9));
  const tooLarge = requestOf('/v1/shape', ' '.repeat(BODY_LIMIT + 1));
  const requests = [...good.slice(0, 49), malformed, ...good.slice(49), tooLarge];
  const samples: number[] = [];
  const timer = setInterval(() => {
    samples.push(memory(service).now);
    if (samples.length % 6 === 0) console.log(`${samples.length / 6} min: ${samples.at(-1)} MB`);
  }, 10_000);
  const result = await fire(service.url, 60 * Number(flags.minutes), requests);
  clearInterval(timer);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const half = samples.slice(samples.length / 2);
  console.log(
    JSON.stringify(
      {
        requests: result.latencies.length,
        perSecond: result.perSecond,
        p50: quantile(result.latencies, 0.5),
        p99: quantile(result.latencies, 0.99),
        most: quantile(result.latencies, 1),
        byStatus: result.byStatus,
        errors: result.errors,
        memory: { peak: memory(service).peak, secondHalf: [Math.min(...half), Math.max(...half)] },
        workersEnded: /^\w*worker\w*_total (\d+)/m.exec(metrics)?.[1],
      },
      undefined,
      2,
    ),
  );
  await stop(service);
  rmSync(folder, { recursive: true });
}

const command = { speed, load }[positionals[0] as 'speed' | 'load'];
if (command === undefined) throw new Error('Say speed or load.');
await command();
