/** A naive check of explanations: every claim against full runs of shapers of their own, without a session. */
import { createShaper, type ShapingInput, type ShapingOptions } from 'context-shaping';
import type { Explanation, KeptValues } from 'context-shaping/explain';
import { expect } from 'vitest';

const OVERRIDES: Record<KeptValues['option'], (value: number) => ShapingOptions> = {
  'budget.maxTokens': (maxTokens) => ({ budget: { maxTokens } }),
  k: (k) => ({ k }),
  'select.lambda': (lambda) => ({ select: { lambda } }),
  'cluster.maxPerCluster': (maxPerCluster) => ({ cluster: { maxPerCluster } }),
};

/** Full runs, each made once. */
export class Oracle {
  /** Number of claims that were checked. */
  claims = 0;
  readonly #runs = new Map<string, Promise<ReadonlyMap<number, boolean>>>();

  constructor(
    readonly options: ShapingOptions,
    readonly input: ShapingInput,
  ) {}

  /** The places of the kept chunks, and whether each is whole. */
  #kept(overrides: ShapingOptions, without?: number): Promise<ReadonlyMap<number, boolean>> {
    const key = JSON.stringify([overrides, without]);
    const known = this.#runs.get(key) ?? this.#run(overrides, without);
    this.#runs.set(key, known);
    return known;
  }

  async #run(overrides: ShapingOptions, without?: number): Promise<ReadonlyMap<number, boolean>> {
    const places = [...this.input.chunks.keys()].filter((place) => place !== without);
    const chunks = places.map((place) => this.input.chunks[place] as (typeof this.input.chunks)[number]);
    const { report } = await createShaper(this.options)
      .with(overrides)
      .shape({ ...this.input, chunks });
    return new Map(
      report.kept.map(({ index, excerpts }) => [places[index] as number, excerpts === undefined]),
    );
  }

  /** Checks every claim of an explanation. It runs the values that are named again, and at most six others of each option. */
  async check(explanation: Explanation): Promise<void> {
    const { index, outcome, counterfactuals } = explanation;
    if (counterfactuals === undefined) throw new Error('There is nothing to check.');
    const { maxTokens, k, lambda, maxPerCluster, pin, absence, whole } = counterfactuals;
    const base = await this.#kept({});
    expect(base.has(index)).toBe(outcome !== 'evicted');
    for (const values of [maxTokens, k, lambda, maxPerCluster])
      if (values !== undefined) await this.#checkValues(values, index, base.has(index));
    if (whole !== undefined) {
      const [one, other] = [whole, whole - 1].map((tokens) => this.#kept({ budget: { maxTokens: tokens } }));
      expect((await one)?.get(index), `whole ${whole}`).toBe(true);
      expect((await other)?.get(index), `whole ${whole}, one token less`).not.toBe(true);
      this.claims += 2;
    }
    if (pin !== undefined) {
      const pins = [...((this.options.pin ?? []) as string[]), explanation.id];
      expect((await this.#kept({ pin: pins })).has(index), 'pin').toBe(pin);
      this.claims++;
    }
    const others = [...base.keys()].filter((other) => other !== index);
    // With more, not all of them are tried.
    const areAllTried = others.length < 8;
    for (const other of areAllTried ? others : absence.map((each) => each.index)) {
      const changes = (await this.#kept({}, other)).has(index) !== base.has(index);
      expect(
        absence.some((each) => each.index === other),
        `without ${other}`,
      ).toBe(changes);
      this.claims++;
    }
    if (explanation.remedy !== undefined) {
      expect((await this.#kept(explanation.remedy.options as ShapingOptions)).has(index), 'remedy').toBe(
        true,
      );
      this.claims++;
    }
  }

  async #checkValues(
    { option, current, nearest, kept, evicted, unknown }: KeptValues,
    index: number,
    isKept: boolean,
  ): Promise<void> {
    const hasAt = async (value: number) => (await this.#kept(OVERRIDES[option](value))).has(index);
    for (const [values, keeps] of [
      [kept, true],
      [evicted, false],
    ] as const) {
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      for (const value of values.filter((_, place) => place % Math.ceil(values.length / 3) === 0)) {
        expect(await hasAt(value), `${option} ${value}`).toBe(keeps);
        this.claims++;
      }
    }
    const tried = kept.length + evicted.length + unknown.length;
    expect(tried).toBeLessThanOrEqual(40);
    const changed = isKept ? evicted : kept;
    if (nearest === null) {
      expect(changed).toEqual([]);
      return;
    }
    expect(changed).toContain(nearest);
    const step = option === 'select.lambda' ? 0.1 : 1;
    const isAbove = current !== null && nearest > current;
    const neighbour = Math.round((nearest + (isAbove ? -step : step)) * 10) / 10;
    if (neighbour > 1 && option === 'select.lambda') return;
    // Between two tenths, the current value is the neighbour.
    const isBetween = current !== null && Math.abs(nearest - current) < step;
    expect(await hasAt(nearest), `${option} ${nearest}`).toBe(!isKept);
    expect(await hasAt(isBetween ? current : neighbour), `${option} ${nearest}, one step less`).toBe(isKept);
    this.claims += 2;
  }
}
