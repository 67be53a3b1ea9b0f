import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundle } from './bundle.js';
import { type Place, placesOf } from './places.js';
import type { Cost, Message, Task } from './worker.js';

/** Processor time in milliseconds after which one text on one expression counts as without end. */
const ENDLESS = 4000;
const LENGTH = 5000;

export interface Result {
  readonly names: readonly string[];
  readonly costs: readonly Cost[];
  /** Places that made no expression. */
  readonly unmade: readonly string[];
  readonly failed: readonly string[];
}

/** Runs all expressions of the sources below `root`. */
export async function runAll(root: string, tell: (cost: Cost) => void = () => {}): Promise<Result> {
  const length = LENGTH;
  const places = placesOf(root);
  const literals = places.filter(({ literal }) => literal !== undefined);
  const made = places.filter(({ maker }) => maker !== undefined);
  const folder = mkdtempSync(join(root, '.tmp-expressions-'));
  const file = join(folder, 'worker.mjs');
  try {
    await bundle(root, join(import.meta.dirname, 'worker.ts'), made, file);
    let result: Result = { names: [], costs: [], unmade: [], failed: [] };
    for (let from = 0; from === 0 || from < result.names.length; ) {
      const { next, ...found } = await runFrom(file, { literals, length, from }, tell);
      const unmade = made
        .filter(({ maker }) => maker !== 'lazily')
        .map(nameOf)
        .filter((name) => !found.recorded.includes(name));
      result = { ...found, unmade, costs: [...result.costs, ...found.costs] };
      from = next;
    }
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const nameOf = ({ file, line }: Place) => `${file}:${line}`;

/** Runs until the end, or until an expression does not end; `next` is the one after it. */
function runFrom(file: string, task: Omit<Task, 'now'>, tell: (cost: Cost) => void) {
  const now = new SharedArrayBuffer(8);
  const current = new Int32Array(now);
  const worker = new Worker(file, { workerData: { ...task, now } satisfies Task });
  let [names, recorded, failed]: [string[], string[], string[]] = [[], [], []];
  const costs: Cost[] = [];
  return new Promise<{ names: string[]; recorded: string[]; failed: string[]; costs: Cost[]; next: number }>(
    (resolve, reject) => {
      let before = { key: '', used: 0 };
      const watch = setInterval(() => {
        const key = current.join();
        const { user, system } = process.cpuUsage();
        const used = (user + system) / 1000;
        if (key !== before.key) before = { key, used };
        else if (names.length > 0 && used - before.used > ENDLESS) {
          const at = current[0] as number;
          costs.push({
            name: names[at] ?? '',
            source: '',
            milliseconds: Infinity,
            text: `number ${current[1]}`,
          });
          end(at + 1);
        }
      }, 200);
      const end = (next: number) => {
        clearInterval(watch);
        worker.removeAllListeners('exit');
        void worker.terminate().then(() => resolve({ names, recorded, failed, costs, next }));
      };
      worker.on('message', (message: Message) => {
        if (message.is === 'list') ({ names, recorded, failed } = message);
        else {
          costs.push(message.cost);
          tell(message.cost);
        }
      });
      worker.on('error', (error) => {
        clearInterval(watch);
        reject(error);
      });
      worker.on('exit', () => end(names.length));
    },
  );
}
