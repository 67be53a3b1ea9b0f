/** A naive check of explanations: every claim against full runs of shapers of their own, without a session. */
import { createShaper, type ShapingInput, type ShapingOptions } from 'context-shaping';
import type { Explanation, KeptRanges } from 'context-shaping/explain';
import { expect } from 'vitest';

const OVERRIDES: Record<KeptRanges['option'], (value: number) => ShapingOptions> = {
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

  /**
   * Checks every claim of an explanation.
   *
   * @param everyValue compares every value of every range. Otherwise the ends of the ranges and their neighbours, and values
   *   beyond the last.
   */
  async check(explanation: Explanation, everyValue: boolean): Promise<void> {
    const { index, outcome, counterfactuals } = explanation;
    if (counterfactuals === undefined) throw new Error('There is nothing to check.');
    const { maxTokens, k, lambda, maxPerCluster, pin, absence } = counterfactuals;
    const base = await this.#kept({});
    expect(base.has(index)).toBe(outcome !== 'evicted');
    for (const ranges of [maxTokens, k, lambda, maxPerCluster])
      if (ranges !== undefined) await this.#checkRanges(ranges, index, everyValue);
    if (pin !== undefined) {
      const pins = [...((this.options.pin ?? []) as string[]), explanation.id];
      expect((await this.#kept({ pin: pins })).has(index), 'pin').toBe(pin);
      this.claims++;
    }
    for (const other of base.keys()) {
      if (other === index) continue;
      const changes = (await this.#kept({}, other)).has(index) !== base.has(index);
      expect(
        absence.some((each) => each.index === other),
        `without ${other}`,
      ).toBe(changes);
      this.claims++;
    }
    if (explanation.remedy?.isVerified) {
      expect((await this.#kept(explanation.remedy.options as ShapingOptions)).has(index), 'remedy').toBe(
        true,
      );
      this.claims++;
    }
  }

  async #checkRanges(ranges: KeptRanges, index: number, everyValue: boolean): Promise<void> {
    const { option, tried, kept, least, always, whole } = ranges;
    const at = (value: number) => Math.round(value * 100) / 100;
    const isClaimed = (value: number) =>
      kept.some(([from, to]) => from <= value && value <= (to ?? Infinity));
    const isOpen = option !== 'select.lambda' && kept.at(-1)?.[1] === null;
    const beyond =
      isOpen || (kept.length === 0 && option !== 'select.lambda')
        ? [tried.to + 1, tried.to + 37, tried.to * 3]
        : [];
    const ends = kept.flatMap(([from, to]) => [
      from,
      from - tried.step,
      ...(to === null ? [] : [to, to + tried.step]),
    ]);
    const bounds = [least, always, whole.least, whole.always].flatMap((value) =>
      value === null ? [] : [value, value - tried.step],
    );
    const all = Array.from(
      { length: Math.round((tried.to - tried.from) / tried.step) + 1 },
      (_, step) => tried.from + step * tried.step,
    );
    const inside = (value: number) => value >= tried.from && value <= tried.to;
    const values = new Set([
      ...(everyValue ? all : [...ends, ...bounds, tried.from, tried.to].map(at).filter(inside)).map(at),
      ...beyond,
    ]);
    const wholes: number[] = [];
    for (const value of [...values].sort((a, b) => a - b)) {
      const found = await this.#kept(OVERRIDES[option](value));
      expect(found.has(index), `${option} ${value}`).toBe(isClaimed(value));
      if (found.get(index) === true) wholes.push(value);
      this.claims++;
    }
    expect(least).toBe(kept[0]?.[0] ?? null);
    if (always !== null) expect(kept.at(-1)?.[0]).toBe(always);
    expect(wholes[0] ?? null).toBe(whole.least);
    if (whole.always !== null && whole.always > tried.from) {
      const before = await this.#kept(OVERRIDES[option](at(whole.always - tried.step)));
      expect(before.get(index), `${option} ${whole.always}, one step less`).not.toBe(true);
    }
  }
}
