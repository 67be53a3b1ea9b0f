/** A real llama-server in a process of its own: the program that the variable `LLAMA_SERVER` names. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** `npm run -s setup:llama-server` builds the program, and prints its path. */
export const REAL_LLAMA_SERVER = process.env.LLAMA_SERVER;

export interface RealServer {
  address: string;
  close(): Promise<void>;
}

/**
 * Starts it on a free port, and waits until its model is loaded.
 *
 * @throws Error with its output, if it ends instead.
 */
export async function realLlamaServer(...args: string[]): Promise<RealServer> {
  const child = spawn(REAL_LLAMA_SERVER as string, ['--host', '127.0.0.1', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let written = '';
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        written = (written + data).slice(-10_000);
        const found = /listening on (http:\S+)/.exec(written)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    child.on('error', reject);
    ended.then(([code]) => reject(new Error(`It left with ${code}: ${written}`)), reject);
  });
  return {
    address,
    close: async () => {
      child.kill();
      await ended;
    },
  };
}
