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

export interface Summary {
  turns: number;
  min: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
}

export interface Effort {
  /** At most so many turns count. */
  turns: number;
  /** So many go before, until everything is compiled. */
  warmUps: number;
  /** Who has taken more milliseconds than this has had turns enough: of the warm-up, and of those that count. */
  patience: number;
}

let now = () => performance.now();

/** From now on, the time that this process computes is measured: on a machine that others share, waiting does not count. */
export function measureProcessorTime(): void {
  now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
}

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

/** @returns a summary for each contestant, in their order; each has had one turn at least. */
export async function inTurns<const T extends readonly Contestant[]>(
  contestants: T,
  effort: Effort,
): Promise<{ [at in keyof T]: Summary }> {
  const { turns, warmUps, patience } = effort;
  const spent = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0);
  const rounds = async (count: number, first: number, times: readonly number[][]) => {
    for (let turn = first; turn < first + count; turn++) {
      for (let step = 0; step < contestants.length; step++) {
        // Another one begins each round, so that nobody always runs after the same neighbour.
        const at = (step + turn) % contestants.length;
        const own = times[at] as number[];
        if (spent(own) <= patience) own.push(await (contestants[at] as Contestant).measure(turn));
      }
    }
    return times;
  };
  const before = await rounds(
    warmUps,
    0,
    contestants.map(() => []),
  );
  // What took longer than that in its first turn is not worth a second: it warmed up on the way.
  const counting = before.map((times) => (times.length === 1 && spent(times) > patience ? times : []));
  return (await rounds(turns, warmUps, counting)).map(summary) as { [at in keyof T]: Summary };
}

export function summary(times: readonly number[]): Summary {
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
