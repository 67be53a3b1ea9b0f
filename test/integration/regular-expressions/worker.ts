/** Runs every expression on hostile texts, in a thread that can be ended. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Hostile, hostileTo, ORDINARY, textOf } from './hostile.js';
import type { Place } from './places.js';

export interface Task {
  readonly literals: readonly Place[];
  /** Code units of a text. */
  readonly length: number;
  /** The expression to begin with. */
  readonly from: number;
  /** The number of the expression that runs now, and of its texts. */
  readonly now: SharedArrayBuffer;
}

export interface Cost {
  readonly name: string;
  readonly source: string;
  readonly milliseconds: number;
  /** How many times as long a text of four times the length takes; undefined if `milliseconds` is short. */
  readonly growth?: number;
  /** The text, shortened. */
  readonly text: string;
}

export type Message =
  | { is: 'list'; names: string[]; recorded: string[]; failed: string[] }
  | { is: 'cost'; at: number; cost: Cost };

/** The bundle sets it before this module runs. */
const { modules } = globalThis as unknown as { modules: readonly (() => Promise<unknown>)[] };
const { literals, length, from, now } = workerData as Task;
const current = new Int32Array(now);
const send = (message: Message) => parentPort?.postMessage(message);

const recorded = new Map<string, unknown[]>();
Object.assign(globalThis, {
  recordExpression<T>(place: string, value: T): T {
    const values = recorded.get(place) ?? [];
    recorded.set(place, values);
    if (values.length < 500) values.push(value);
    return value;
  },
});

const failed: string[] = [];
for (const load of modules) {
  try {
    await load();
  } catch (error) {
    failed.push(`${load}: ${error}`);
  }
}
// A static import would load the sources before the function that records is there.
const { calls } = await import('./calls.js');
for (const call of calls) await call();

const expressions = new Map<string, { name: string; regexp: RegExp }>();
const add = (name: string, regexp: RegExp) => {
  const key = String(regexp);
  if (!expressions.has(key)) expressions.set(key, { name, regexp });
};
for (const { file, line, literal } of literals)
  add(`${file}:${line}`, new RegExp(literal?.source ?? '', literal?.flags));
// A deferred expression can make further ones.
const forced = new Set<unknown>();
for (let before = -1; before < forced.size; ) {
  before = forced.size;
  for (const [place, values] of [...recorded]) {
    for (const value of values) {
      if (forced.has(value)) continue;
      forced.add(value);
      if (value instanceof RegExp) add(place, value);
      if (typeof value !== 'function') continue;
      try {
        const made = 'full' in value ? [(value.full as () => unknown)(), value('').regexp] : [value()];
        for (const each of made) if (each instanceof RegExp) add(place, each);
      } catch (error) {
        failed.push(`${place}: ${error}`);
      }
    }
  }
}
const list = [...expressions.values()];
send({
  is: 'list',
  names: list.map(({ name, regexp }) => `${name} ${regexp}`),
  recorded: [...recorded.keys()],
  failed,
});

/** A run that takes less by the clock is not measured again. */
const SHORT = 5;

/** The time of a run in milliseconds: the least processor time of three, unless it is short. */
function timeOf(run: () => void): number {
  const start = performance.now();
  run();
  const took = performance.now() - start;
  if (took < SHORT) return took;
  let least = Infinity;
  for (let times = 0; times < 3; times++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const WALKED = 10;
/** The growth of a shorter time is not measured. In milliseconds. */
const GROWS = 2;
const shared = ORDINARY.map((hostile) => ({ hostile, text: textOf(hostile, length) }));
const walk = (text: string, all: RegExp) => {
  let index = 0;
  for (const match of text.matchAll(all)) index += match.index;
  return index;
};

for (let at = from; at < list.length; at++) {
  const { name, regexp } = list[at] as { name: string; regexp: RegExp };
  Atomics.store(current, 0, at);
  const flags = regexp.flags.replace(/[gy]/g, '');
  const once = new RegExp(regexp.source, flags);
  const all = new RegExp(regexp.source, `${flags}g`);
  const search = (text: string) => text.search(once);
  let worst = { milliseconds: 0, hostile: ORDINARY[0] as Hostile, run: search as typeof walk };
  let number = 0;
  const measure = (hostile: Hostile, text: string, run: typeof walk) => {
    Atomics.store(current, 1, number++);
    const milliseconds = timeOf(() => run(text, all));
    if (milliseconds > worst.milliseconds) worst = { milliseconds, hostile, run };
  };
  const costly: { hostile: Hostile; text: string; took: number }[] = [];
  const own = Array.from(hostileTo(regexp), (hostile) => ({ hostile, text: textOf(hostile, length) }));
  for (const { hostile, text } of [...shared, ...own]) {
    measure(hostile, text, search);
    // A short text tells whether each match costs much.
    const before = performance.now();
    walk(text.slice(0, length / 10) + text.slice(-1), all);
    costly.push({ hostile, text, took: performance.now() - before });
  }
  costly.sort((a, b) => b.took - a.took);
  for (const { hostile, text } of costly.slice(0, WALKED)) measure(hostile, text, walk);
  const { milliseconds, hostile, run } = worst;
  const long = milliseconds > GROWS ? textOf(hostile, 4 * length) : undefined;
  const { before, unit, end } = hostile;
  send({
    is: 'cost',
    at,
    cost: {
      name,
      source: String(regexp),
      milliseconds,
      ...(long !== undefined && { growth: timeOf(() => run(long, all)) / milliseconds }),
      text: `${JSON.stringify([before, unit, end])} ${run === walk ? 'walk' : 'search'}`,
    },
  });
}
