/**
 * A batch through a queue: four worker processes, two of which are killed, and the command is killed once. Its outputs must
 * be those of a run in threads of the command, to the byte. The package is built first.
 *
 *   npm run research -- measure/queue [LINES] [SEED]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../../test/random.js';
import { redisServer } from '../../server/test/batch/bullmq/redis-server.js';

const WORDS = 'bridge toll river steel horse pence ferry tower weight rail paint price shop lamp coat'.split(
  ' ',
);

const [count = 200_000, seed = 1] = process.argv.slice(2).map(Number);
const random = seededRandom(seed);
const folder = mkdtempSync(join(tmpdir(), 'measure-queue-'));
const input = join(folder, 'in.jsonl');
const children = new Set<ChildProcess>();
const redis = await redisServer();
try {
  await measure();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await redis.kill();
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  await pipeline(lines, createWriteStream(input));
  const local = join(folder, 'local.jsonl');
  const seconds = await timed(async () => void (await batch(local).ended));
  const quiet = join(folder, 'quiet.jsonl');
  const queue = ['--queue', redis.url];
  const workers = Array.from({ length: 4 }, () => start('worker', ...queue, '--workers', '1'));
  // They say when they are ready.
  await Promise.all(workers.map(({ spoken }) => spoken));
  const quietSeconds = await timed(async () => void (await batch(quiet, ...queue).ended));
  console.log(`${count} lines, seed ${seed}`);
  console.log(`threads of the command: ${(count / seconds).toFixed(1)} lines a second`);
  console.log(`queue, four workers of one thread: ${(count / quietSeconds).toFixed(1)} lines a second`);

  const killed = join(folder, 'killed.jsonl');
  const total = statSync(local).size;
  const reach = async (share: number) => {
    while (!existsSync(killed) || statSync(killed).size < share * total) await pause(5);
  };
  let written = '';
  const killedSeconds = await timed(async () => {
    const first = batch(killed, ...queue);
    await reach(0.1 + 0.2 * random());
    workers[0]?.child.kill('SIGKILL');
    await reach(0.35 + 0.2 * random());
    first.child.kill('SIGKILL');
    await first.ended;
    written += first.written();
    const second = batch(killed, ...queue);
    await reach(0.6 + 0.2 * random());
    workers[1]?.child.kill('SIGKILL');
    await second.ended;
    written += second.written();
  });
  const takenOver = written.match(/goes to another worker/g)?.length ?? 0;
  console.log(
    `two workers and the command killed: ${(count / killedSeconds).toFixed(1)} lines a second, ${takenOver} lines taken over`,
  );
  for (const out of [quiet, killed]) {
    for (const end of ['', '.rejects.jsonl']) {
      const isSame = (await digest(`${local}${end}`)) === (await digest(`${out}${end}`));
      if (!isSame) process.exitCode = 1;
    }
  }
  console.log(process.exitCode === 1 ? 'The outputs differ.' : 'All outputs are the same, to the byte.');
}

/** Every hundredth line is wrong. */
async function* lines(): AsyncGenerator<string> {
  const word = () => WORDS[Math.floor(random() * WORDS.length)];
  const sentence = (length: number) => `${Array.from({ length }, word).join(' ')}.`;
  for (let id = 0; id < count; id++) {
    const chunks = Array.from({ length: 8 }, (_, at) => ({
      id: `c${at}`,
      text: `${sentence(12)} ${sentence(12)} ${id}`,
    }));
    const request = JSON.stringify({ id, query: `What ${word()} has the ${word()}?`, chunks });
    yield id % 100 === 99 ? `${request.slice(1)}\n` : `${request}\n`;
  }
}

/** Reports have times, so they are left out. */
function batch(out: string, ...args: string[]) {
  return start('batch', '--in', input, '--out', out, '--no-report', '--budget', '150', ...args);
}

function start(...args: string[]) {
  const child = spawn(process.execPath, ['packages/server/dist/main.js', ...args], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  children.add(child);
  const ended = once(child, 'close');
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (said: string) => {
    written += said;
  });
  return { child, ended, spoken: once(child.stderr, 'data'), written: () => written };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes);
  return hash.digest('hex');
}
