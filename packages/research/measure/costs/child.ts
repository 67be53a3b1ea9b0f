/** The process in which cases run. Each message is one call; the answer is the processor time in milliseconds. */
import { CASES } from './cases.js';
import { ordinary, SHAPES } from './shapes.js';

export interface Call {
  entry: string;
  name: string;
  /** Absent: ordinary text. */
  shape?: string | undefined;
  length: number;
  salt: number;
}

/** Processor time of a call, or its error. */
export type Answer = { ms: number } | { error: string };

/** A case reads this many calls of a short text before the first that counts, so that its code is compiled. */
const WARM_UP = 3;
const warm = new Set<string>();

async function timeOf({ entry, name, shape, length, salt }: Call): Promise<Answer> {
  const run = CASES[entry]?.[name];
  if (run === undefined || typeof run === 'string') throw new Error(`no case ${entry} ${name}`);
  for (let time = 0; time < WARM_UP && !warm.has(`${entry} ${name}`); time++)
    await run(ordinary(20_000, time));
  warm.add(`${entry} ${name}`);
  const text = (shape === undefined ? ordinary : (SHAPES[shape] as typeof ordinary))(length, salt);
  const before = process.cpuUsage();
  try {
    await run(text);
  } catch (error) {
    return { error: String(error).slice(0, 200) };
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000 };
}

process.on('message', async (call: Call) => process.send?.(await timeOf(call)));
process.send?.({ ms: 0 });
