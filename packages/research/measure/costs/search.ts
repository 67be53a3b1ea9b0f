/** Searches the text that costs a case most, beside ordinary text of the same size. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CASES } from './cases.js';
import type { Answer, Call } from './child.js';
import { SHAPES } from './shapes.js';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Runs calls in a process of its own, which is ended and replaced if a call has no end. */
export class Runner {
  #child: ChildProcess | undefined;

  /** @param limit seconds by the clock after which a call has no end. */
  constructor(readonly limit: number) {}

  /** Milliseconds of processor time; infinite if the call fails, has no end, or its process dies. */
  async time(call: Call): Promise<number> {
    const child = this.#child ?? (await this.#start());
    const answer = await new Promise<Answer | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), this.limit * 1000);
      const done = (found?: Answer) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(found);
      };
      child.once('message', (found: Answer) => done(found));
      child.once('exit', () => done());
      child.send(call);
    });
    if (answer === undefined) this.close();
    if (answer !== undefined && 'error' in answer) {
      console.log(`  ${call.name}, ${call.shape ?? 'ordinary text'}, ${call.length}: ${answer.error}`);
      return Number.POSITIVE_INFINITY;
    }
    return answer?.ms ?? Number.POSITIVE_INFINITY;
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(CHILD, [], { execArgv: ['--conditions=context-shaping-source', '--import', 'tsx'] });
    this.#child = child;
    await once(child, 'message');
    return child;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

/** The bounds of the search. */
export interface Bounds {
  /** Most times as long as ordinary text. */
  ratio: number;
  /** Most times as long as the text of the smaller size. */
  growth: number;
  /** Times below count as this many milliseconds, so that small ones are not compared. */
  least: number;
  sizes: readonly [small: number, large: number];
}

/** The worst of a case. */
export interface Worst {
  ratio: number;
  ratioOf: string;
  growth: number;
  growthOf: string;
}

/** All names of cases, as entry and name. */
export const allCases = (): [entry: string, name: string][] =>
  Object.entries(CASES).flatMap(([entry, cases]) =>
    Object.keys(cases)
      .filter((name) => typeof cases[name] !== 'string')
      .map((name): [string, string] => [entry, name]),
  );

/** This many of the costliest shapes in the small size are measured in the large one. */
const COSTLIEST = 8;

/**
 * Runs a case on each shape in the small size, and on the costliest ones in the large size. A text beyond a bound is
 * measured twice more, and its least time counts.
 *
 * @param onShape gets each measurement in the large size.
 */
export async function worstOf(
  [entry, name]: readonly [entry: string, name: string],
  runner: Runner,
  { ratio: mostRatio, growth: mostGrowth, least, sizes: [small, large] }: Bounds,
  shapes: readonly string[] = Object.keys(SHAPES),
  onShape: (shape: string, ratio: number, growth: number, ms: number) => void = () => {},
): Promise<Worst> {
  let salt = 0;
  const time = async (length: number, shape?: string, times = 1) => {
    let ms = Number.POSITIVE_INFINITY;
    for (let at = 0; at < times; at++)
      ms = Math.min(ms, await runner.time({ entry, name, shape, length, salt: ++salt }));
    return Math.max(least, ms);
  };
  const usual = await time(large, undefined, 2);
  const first: [shape: string, few: number][] = [];
  for (const shape of shapes) first.push([shape, await time(small, shape)]);
  const worst: Worst = { ratio: 0, ratioOf: '', growth: 0, growthOf: '' };
  for (const [shape, once] of first.toSorted(([, a], [, b]) => b - a).slice(0, COSTLIEST)) {
    let few = once;
    // What takes too long already in the small size would take far longer in the large one.
    let many = few > mostRatio * usual ? Number.POSITIVE_INFINITY : await time(large, shape);
    if (Number.isFinite(many) && (many > mostRatio * usual || many > mostGrowth * few)) {
      // A single one may have met another program of the machine, or code that was not compiled yet.
      few = Math.max(few, await time(small, shape, 2));
      many = Math.min(many, await time(large, shape, 2));
    }
    const [ratio, growth] = [many / usual, many / few];
    onShape(shape, ratio, growth, many);
    if (ratio > worst.ratio) Object.assign(worst, { ratio, ratioOf: shape });
    if (growth > worst.growth) Object.assign(worst, { growth, growthOf: shape });
  }
  return worst;
}
