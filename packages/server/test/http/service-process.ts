/** A service in a process of its own, as a user starts it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { builtPackage } from '../../../../test/built-package.js';

const MAIN = join(await builtPackage(), 'packages/server/dist/main.js');

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
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  return { child, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** @throws Error with the output of the process, if it ends instead of listening. */
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
