/** A real Redis of its own, which can be killed and started again. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../../../../test/free-port.js';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

export interface RedisServer {
  url: string;
  /** Its memory is lost. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function redisServer(...options: string[]): Promise<RedisServer> {
  const port = await freePort();
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let server: ReturnType<typeof spawn>;
  const start = async () => {
    server = spawn('redis-server', [...own, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of server.stdout as NodeJS.ReadableStream)
      if (String(line).includes('Ready to accept')) break;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    start,
  };
}
