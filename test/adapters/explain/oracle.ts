/** A naive check of explanations: every change against full runs of shapers of their own, without a session. */
import { createShaper, type ShapingInput, type ShapingOptions } from 'context-shaping';
import type { Explanation, NearestValue } from 'context-shaping/explain';
import { expect } from 'vitest';

type Kept = ReadonlyMap<number, 'whole' | 'cut'>;

/** Full runs, each made once. */
export class FullRuns {
  readonly #runs = new Map<string, Promise<Kept>>();

  constructor(
    readonly options: ShapingOptions,
    readonly input: ShapingInput,
  ) {}

  /** The places of the kept chunks, and whether each is whole. */
  kept(overrides: ShapingOptions): Promise<Kept> {
    const key = JSON.stringify(overrides);
    const known = this.#runs.get(key) ?? this.#run(overrides);
    this.#runs.set(key, known);
    return known;
  }

  /** With this chunk pinned, too. */
  pinned(index: number): Promise<Kept> {
    const { id } = this.input.chunks[index] as { id: string };
    return this.kept({ pin: [...((this.options.pin ?? []) as string[]), id] });
  }

  async #run(overrides: ShapingOptions): Promise<Kept> {
    const { report } = await createShaper(this.options).with(overrides).shape(this.input);
    return new Map(
      report.kept.map(({ index, excerpts }) => [index, excerpts === undefined ? 'whole' : 'cut']),
    );
  }
}

const OVERRIDES: Record<NearestValue['option'], (value: number) => ShapingOptions> = {
  'budget.maxTokens': (maxTokens) => ({ budget: { maxTokens } }),
  k: (k) => ({ k }),
};

export class Oracle extends FullRuns {
  /** Number of claims that were checked. */
  claims = 0;

  /** Checks every change that an explanation names. */
  async check({ index, outcome, counterfactuals, remedy }: Explanation): Promise<void> {
    if (counterfactuals === undefined) throw new Error('There is nothing to check.');
    const { maxTokens, k, pin } = counterfactuals;
    const isKept = (await this.kept({})).has(index);
    expect(isKept).toBe(outcome !== 'evicted');
    for (const values of [maxTokens, k])
      if (values !== undefined) await this.#checkNearest(values, index, isKept);
    if (pin !== undefined) {
      expect((await this.pinned(index)).has(index), 'pin').toBe(pin);
      this.claims++;
    }
    if (remedy !== undefined) {
      expect((await this.kept(remedy.options as ShapingOptions)).has(index), 'remedy').toBe(true);
      this.claims++;
    }
  }

  async #checkNearest({ option, current, nearest }: NearestValue, index: number, isKept: boolean) {
    this.claims++;
    if (nearest === null) return;
    const hasAt = async (value: number) => (await this.kept(OVERRIDES[option](value))).has(index);
    expect(await hasAt(nearest), `${option} ${nearest}`).toBe(!isKept);
    const isAbove = current !== null && nearest > current;
    const neighbour = nearest + (isAbove ? -1 : 1);
    expect(await hasAt(neighbour), `${option} ${nearest}, one step less`).toBe(isKept);
    this.claims++;
  }
}
