/** A service in a process of its own, as a user starts it, and what to ask it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';

const HERE = dirname(fileURLToPath(import.meta.url));
const MAIN = join(HERE, '../../../adapters/cli/main.ts');
const THREADS = pathToFileURL(join(HERE, '../../../scripts/tsx-in-threads.mjs')).href;
const SOURCE = [
  '--conditions=context-shaping-source',
  ...['--import', import.meta.resolve('tsx')],
  ...['--import', THREADS],
];

export const setupFile = (name: string) => join(HERE, 'setups', name);

export interface Running {
  url: string;
  /** Lines of the log so far. */
  log: string[];
  kill(signal: NodeJS.Signals): void;
  /** The exit code. */
  ended: Promise<number | null>;
}

/** @param stdout a file, if not a pipe. */
export function start(args: string[], env: Record<string, string> = {}, stdout: 'pipe' | number = 'pipe') {
  const child = spawn(process.execPath, [...SOURCE, MAIN, 'serve', '--port', '0', ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  return { child, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** @throws Error with what it wrote, if it ends instead of listening. */
export async function serve(...how: Parameters<typeof start>): Promise<Running> {
  const { child, ended } = start(...how);
  const log: string[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => log.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    let written = '';
    child.stderr?.on('data', (data) => {
      written += data;
      const found = /Listening on (http:\S+)\./.exec(written)?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then((code) => reject(new Error(`It left with ${code}: ${written}`)));
  });
  return { url, log, kill: (signal) => child.kill(signal), ended };
}

export const ask = (question: string, ...texts: string[]) => ({
  query: question,
  chunks: texts.map((each, at) => ({ id: `chunk ${at}`, text: each })),
});

export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

/** Server-sent events, in their order. */
export async function eventsOf(response: Response): Promise<{ event: string; data: unknown }[]> {
  return (await text(response.body as never))
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) as unknown as [string, string, string];
      return { event, data: JSON.parse(data) };
    });
}

/** What is waited for until the test lets go of it. */
export function gate<T = void>(): { opened: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Asks again until it is as expected, for as long as a busy machine may take. */
export const eventually = <T>(read: () => T) => expect.poll(read, { interval: 20, timeout: 20_000 });
