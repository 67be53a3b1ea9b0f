/** Replicas of the service as processes of this machine, behind a real nginx, with a real Redis and a server of vectors. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { freePort } from './free-port.js';
import { substituted } from './substituted.js';

/** A built package, and the setup of the container at a place where it finds that package. */
export interface Program {
  main: string;
  setup: string;
}

export interface Replica {
  url: string;
  /** The file of its log, over all its lives. */
  log: string;
  start(): Promise<void>;
  /** Resolves with the exit code when the process has ended. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  /** Resident memory. */
  megabytes(): number;
}

/** A server with `/v1/embeddings` that counts its requests. Vectors depend on the text alone. */
export async function vectorServer() {
  const counts = { requests: 0, texts: 0 };
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: string[] };
    counts.requests += 1;
    counts.texts += input.length;
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    counts,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Counts of letters: texts with the same letters are close. */
function vectorOf(text: string): number[] {
  const vector = new Array<number>(64).fill(0);
  for (let at = 0; at < text.length; at++)
    vector[text.charCodeAt(at) % 64] = (vector[text.charCodeAt(at) % 64] ?? 0) + 1;
  return vector;
}

/** A Redis without a file. */
export async function startRedis() {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of server.stdout as NodeJS.ReadableStream)
    if (String(line).includes('Ready to accept')) break;
  server.stdout?.resume();
  return { url: `redis://127.0.0.1:${port}`, close: () => ended(server, 'SIGTERM') };
}

/** A replica with the configuration of `deploy/service.replicas.json`, on a port that it keeps over its lives. */
export async function makeReplica(
  { main, setup }: Program,
  folder: string,
  { options = {}, env }: { options?: object; env: Record<string, string> },
): Promise<Replica> {
  const port = await freePort();
  const [config, log] = [join(folder, `service-${port}.json`), join(folder, `service-${port}.log`)];
  const deployed = JSON.parse(readFileSync('deploy/service.replicas.json', 'utf8'));
  const given = { ...deployed, setup, host: '127.0.0.1', port, trustProxy: 'loopback', ...options };
  delete given.rateLimit;
  writeFileSync(config, JSON.stringify(given));
  let child: ChildProcess | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    async start() {
      child = spawn(process.execPath, [main, 'serve', '--config', config], {
        env: { ...process.env, ...env },
        stdio: ['ignore', openSync(log, 'a'), 'pipe'],
      });
      let said = '';
      for await (const text of child.stderr as NodeJS.ReadableStream) {
        said += text;
        if (said.includes('Listening on')) break;
      }
      if (!said.includes('Listening on')) throw new Error(`It does not listen. ${said}`);
      child.stderr?.resume();
    },
    stop: async (signal) => (child === undefined ? null : ended(child, signal)),
    megabytes: () =>
      Math.round(
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child?.pid}/status`, 'utf8'))?.[1]) / 1024,
      ),
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exit) as [number | null];
  return code;
}

export interface LogLine {
  requestId: string;
  path: string;
  status: number;
  replicas: string;
  statuses: string;
}

/** nginx with `deploy/nginx.conf`, of which the addresses are those of this machine. */
export async function startNginx(folder: string, replicas: readonly { url: string }[]) {
  const port = await freePort();
  const place = join(folder, 'nginx');
  const [log, errors] = [join(folder, 'nginx.log'), join(folder, 'nginx-errors.log')];
  mkdirSync(place);
  // Started by root, nginx works as a user without rights.
  chmodSync(folder, 0o755);
  writeFileSync(log, '');
  const given = readFileSync('deploy/nginx.conf', 'utf8');
  const parameters = /server shaping:8000 resolve (.*);/.exec(given)?.[1];
  const servers = replicas.map(({ url }) => `server ${new URL(url).host} ${parameters};`);
  const file = join(folder, 'nginx.conf');
  const conf = substituted(given, {
    '/tmp/': `${place}/`,
    // Only newer versions than that of Debian 12 find servers by name again and again.
    [`server shaping:8000 resolve ${parameters};`]: servers.join('\n'),
    '/dev/stdout': log,
    '/dev/stderr': errors,
    'listen 8080': `listen 127.0.0.1:${port}`,
  });
  writeFileSync(file, `daemon off;\n${conf}`);
  const nginx = spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/health`).catch(() => undefined)))
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}.`);
  return {
    url,
    /** One for each request that it has answered. */
    lines: (): LogLine[] =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    close: () => ended(nginx, 'SIGQUIT'),
  };
}

/** The build of this clone. */
export const BUILT: Program = {
  main: resolve('packages/server/dist/main.js'),
  setup: resolve('deploy/setup.js'),
};
