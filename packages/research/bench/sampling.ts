/** Times of several ways of doing one thing, taken in turns: what slows the machine down slows all of them. */

/** One way. */
export interface Contestant {
  name: string;
  /**
   * Does the thing once.
   *
   * @param turn counts from 0; each has another input, so that nothing is remembered from the turn before.
   * @returns milliseconds.
   */
  measure(turn: number): Promise<number>;
}

export interface Spread {
  turns: number;
  min: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
}

export interface Summary extends Spread {
  /** Median of the least loaded third of the turns. */
  quiet: number;
  /** `quiet` as a multiple of the calibration loop in those turns: a figure to compare with those of other machines. */
  loops: number;
}

/** One turn. */
export interface Sample {
  milliseconds: number;
  /** Milliseconds of the calibration loop before the turn. */
  loop: number;
}

export interface Effort {
  /** At most so many turns count. */
  turns: number;
  /** So many go before, until everything is compiled. */
  warmUps: number;
  /** Who has taken more milliseconds than this has had turns enough: of the warm-up, and of those that count. */
  patience: number;
}

/** Milliseconds: of the clock, or of the processor. */
export let now = () => performance.now();

/** From now on, the time that this process computes is measured: on a machine that others share, waiting does not count. */
export function measureProcessorTime(): void {
  now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
}

const LOOP_STEPS = 1_000_000;

/**
 * The calibration loop: a million steps of a linear congruential generator. A turn that other programs disturb, and a
 * slower machine, take longer for it as well.
 *
 * @returns milliseconds.
 */
export function calibrate(): number {
  const started = now();
  let state = 1;
  for (let step = 0; step < LOOP_STEPS; step++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  // The result is used, so that the engine does not leave out the loop.
  return state === 0 ? Number.NaN : now() - started;
}

/** The third of the samples with the fastest calibration loops, at least one. */
export const leastLoaded = <S extends Sample>(samples: readonly S[]): S[] =>
  samples.toSorted((one, other) => one.loop - other.loop).slice(0, Math.ceil(samples.length / 3));

/** A contestant from a function; what it prepares is not timed. */
export function timed<T>(name: string, prepare: (turn: number) => T, run: (input: T) => unknown): Contestant {
  return {
    name,
    async measure(turn) {
      const input = prepare(turn);
      const started = now();
      await run(input);
      return now() - started;
    },
  };
}

/**
 * @param loop measures the load before each turn.
 * @returns a summary for each contestant, in their order; each has had one turn at least.
 */
export async function inTurns<const T extends readonly Contestant[]>(
  contestants: T,
  effort: Effort,
  loop = calibrate,
): Promise<{ [at in keyof T]: Summary }> {
  const { turns, warmUps, patience } = effort;
  const spent = (own: readonly Sample[]) => own.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const rounds = async (count: number, first: number, samples: readonly Sample[][]) => {
    for (let turn = first; turn < first + count; turn++) {
      for (let step = 0; step < contestants.length; step++) {
        // Another one begins each round, so that nobody always runs after the same neighbour.
        const at = (step + turn) % contestants.length;
        const own = samples[at] as Sample[];
        if (spent(own) > patience) continue;
        const load = loop();
        own.push({ milliseconds: await (contestants[at] as Contestant).measure(turn), loop: load });
      }
    }
    return samples;
  };
  const before = await rounds(
    warmUps,
    0,
    contestants.map(() => []),
  );
  // What took longer than that in its first turn is not worth a second: it warmed up on the way.
  const counting = before.map((own) => (own.length === 1 && spent(own) > patience ? own : []));
  return (await rounds(turns, warmUps, counting)).map(summaryOf) as { [at in keyof T]: Summary };
}

function summaryOf(samples: readonly Sample[]): Summary {
  const third = leastLoaded(samples);
  const quiet = summary(third.map(({ milliseconds }) => milliseconds)).median;
  const loop = summary(third.map((sample) => sample.loop)).median;
  return { ...summary(samples.map(({ milliseconds }) => milliseconds)), quiet, loops: quiet / loop };
}

export function summary(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number): number => {
    const at = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
    return below + (above - below) * (at - Math.floor(at));
  };
  return {
    turns: times.length,
    min: quantile(0),
    lowerQuartile: quantile(0.25),
    median: quantile(0.5),
    upperQuartile: quantile(0.75),
  };
}
