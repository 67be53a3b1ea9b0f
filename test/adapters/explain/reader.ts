/**
 * Reads the sentences of an explanation as a user does, and checks what each of them says: against a report and against
 * full runs of shapers of their own. It knows nothing of how the sentences were made.
 */
import { createShaper, type ShapingOptions, type ShapingReport } from 'context-shaping';
import { FullRuns } from './oracle.js';

/** A sentence that does not hold, or that the reader cannot parse. */
export interface Untrue {
  sentence: string;
  because: string;
}

const ID = String.raw`"(?:[^"\\]|\\.)*"`;
const CHANGE = /with (?<options>\w[\w.]*: .+?)(?=(?:, | or |$)(?:with \w|if it|$))|(?<pin>if it is pinned)/g;
const ROOM = new Set(['outranked', 'over-budget', 'cluster-member']);

type Check = (
  found: Record<string, string>,
  index: number,
) => Promise<string | undefined> | string | undefined;

export class Reader extends FullRuns {
  /** Number of runs and comparisons that agreed. */
  checks = 0;
  sentences = 0;
  readonly untrue: Untrue[] = [];
  #report: ShapingReport | undefined;

  /** Reads every line of a text that is not wrapped. */
  async read(text: string, index: number): Promise<void> {
    this.#report ??= (await createShaper(this.options).shape(this.input)).report;
    for (const sentence of text.split('\n').map((line) => line.trim())) {
      this.sentences++;
      const because = await this.#judge(sentence, index);
      if (because !== undefined) this.untrue.push({ sentence, because });
    }
  }

  async #judge(sentence: string, index: number): Promise<string | undefined> {
    const { degradations } = this.#given;
    const isMessage = degradations.some(
      ({ code, message }) => sentence === message || sentence === `Note ${code}: ${message}`,
    );
    if (isMessage) return undefined;
    for (const [pattern, check] of this.#grammar) {
      const match = pattern.exec(sentence);
      if (match !== null) return check({ ...match.groups } as Record<string, string>, index);
    }
    return 'nobody can read it';
  }

  get #given(): ShapingReport {
    return this.#report as ShapingReport;
  }

  readonly #grammar: [RegExp, Check][] = [
    [
      new RegExp(
        String.raw`^(?<id>${ID}) \(chunk (?<at>[\d,]+)\) was evicted: (?<reason>[\w-]+)(?:, .*?)?\. (?:It comes back (?<change>.*)|Nothing that was tried brings it back)\.$`,
      ),
      async ({ id, at, reason, change }, index) => {
        const entry = this.#given.evicted.find((each) => each.index === index);
        const isIt = entry?.id === JSON.parse(id as string) && number(at) === index;
        const wrong = this.#expect(isIt && entry?.reason === reason, 'another chunk, or another reason');
        if (wrong !== undefined) return wrong;
        if (change !== undefined) return this.#changes(change, index, true);
        return this.#expect(!(await this.pinned(index)).has(index), 'a pin keeps it');
      },
    ],
    [
      new RegExp(String.raw`^(?<id>${ID}) \(chunk (?<at>[\d,]+)\) is kept(?<cut>, but cut)?\.$`),
      ({ id, at, cut }, index) => {
        const entry = this.#given.kept.find((each) => each.index === index);
        const isIt = entry?.id === JSON.parse(id as string) && number(at) === index;
        return this.#expect(isIt && (entry?.excerpts !== undefined) === (cut !== undefined), 'it is not');
      },
    ],
    [
      /^It is in place (?<place>[\d,]+) of (?<of>[\d,]+) by relevance(?:, (?<relevance>[\d.e-]+))?\.$/,
      ({ place, of, relevance }, index) => {
        const all = [...this.#given.kept, ...this.#given.evicted].filter(
          (each) => each.relevance !== undefined,
        );
        all.sort((a, b) => (b.relevance as number) - (a.relevance as number) || a.index - b.index);
        const own = all.findIndex((each) => each.index === index);
        const isThere = own + 1 === number(place) && all.length === number(of);
        return this.#expect(isThere && near(relevance, all[own]?.relevance), `place ${own + 1}`);
      },
    ],
    [
      new RegExp(String.raw`^(?<id>${ID}) stands in for it, and (?<fate>is kept|was evicted later)\.$`),
      ({ id, fate }) => {
        const isKept = this.#given.kept.some((each) => each.id === JSON.parse(id as string));
        return this.#expect(isKept === (fate === 'is kept'), 'another fate');
      },
    ],
    [
      new RegExp(String.raw`^(?<id>${ID}) is kept, and is (?:(?<by>[\d.e-]+) )?(?<than>more|as) relevant\.$`),
      ({ id, by, than }, index) => {
        const own = this.#given.evicted.find((each) => each.index === index)?.relevance ?? Number.NaN;
        const theirs = this.#given.kept.find((each) => each.id === JSON.parse(id as string))?.relevance;
        const difference = (theirs ?? Number.NaN) - own;
        const holds = than === 'as' ? difference === 0 : difference > 0 && near(by, difference);
        return this.#expect(holds, `it is ${difference} more relevant`);
      },
    ],
    [
      /^It is (?<kept>also kept|evicted) (?<changes>(?:with|if) .*)\.$/,
      ({ kept, changes }, index) => this.#changes(changes as string, index, kept === 'also kept'),
    ],
    [
      /^It is pinned, and goes ahead of all others\.$/,
      (_, index) =>
        this.#expect(
          this.#given.kept.some((each) => each.index === index && each.pinned),
          'no pin',
        ),
    ],
    [
      /^It is among the best chunks that fit\.$/,
      (_, index) =>
        this.#expect(
          this.#given.kept.some((each) => each.index === index),
          'it is not',
        ),
    ],
    [
      /^No chunk went for lack of room\.$/,
      () => this.#expect(!this.#given.evicted.some(({ reason }) => ROOM.has(reason)), 'some did'),
    ],
  ];

  /** Each change alone gives the other outcome. */
  async #changes(text: string, index: number, keeps: boolean): Promise<string | undefined> {
    let rest = text;
    for (const { 0: whole, groups } of text.matchAll(CHANGE)) {
      rest = rest.replace(whole, '');
      const { options } = groups ?? {};
      const kept = await (options === undefined ? this.pinned(index) : this.kept(optionsIn(options)));
      const wrong = this.#expect(kept.has(index) === keeps, `${whole}: another outcome`);
      if (wrong !== undefined) return wrong;
    }
    return rest.replace(/, | or /g, '') === '' ? undefined : `${rest}: nobody can read it`;
  }

  #expect(holds: boolean, because: string): string | undefined {
    if (holds) this.checks++;
    return holds ? undefined : because;
  }
}

const number = (text: string | undefined) => Number((text ?? '').replaceAll(',', ''));
const near = (told: string | undefined, is: number | undefined) =>
  told === undefined || Math.abs(Number(told) - (is ?? Number.NaN)) <= 0.000501;

/** `k: 4 and budget.maxTokens: 300` as options. */
function optionsIn(text: string): ShapingOptions {
  const options: Record<string, unknown> = {};
  for (const part of text.split(/(?:, | and )(?=\w[\w.]*: )/)) {
    const [, path = '', value = ''] = /^([\w.]+): (.*)$/.exec(part) ?? [];
    const [outer, inner] = path.split('.') as [string, string?];
    const parsed = JSON.parse(value) as unknown;
    options[outer] = inner === undefined ? parsed : { ...(options[outer] as object), [inner]: parsed };
  }
  return options as ShapingOptions;
}
