/**
 * Reads the sentences of an explanation as a user does, and checks what each of them says: against a report and against
 * full runs of shapers of their own. It knows nothing of how the sentences were made.
 */
import { createShaper, type ShapingInput, type ShapingOptions, type ShapingReport } from 'context-shaping';

/** A sentence that does not hold, or that the reader cannot parse. */
export interface Untrue {
  sentence: string;
  because: string;
}

const ID = String.raw`"(?:[^"\\]|\\.)*"`;
const CHANGE = new RegExp(
  String.raw`with (?<options>\w[\w.]*: .+?)(?=(?:, | or |$)(?:with \w|if it|without "|$))|(?<pin>if it is pinned)|without (?<without>${ID}) in the input`,
  'g',
);
const ROOM = new Set(['outranked', 'over-budget', 'cluster-member']);
/** At most so many values of an option are run again. */
const SAMPLE = 6;

type Kept = ReadonlyMap<number, 'whole' | 'cut'>;
type Check = (
  found: Record<string, string>,
  index: number,
) => Promise<string | undefined> | string | undefined;

export class Reader {
  /** Number of runs and comparisons that agreed. */
  checks = 0;
  sentences = 0;
  readonly untrue: Untrue[] = [];
  readonly #runs = new Map<string, Promise<Kept>>();
  #report: ShapingReport | undefined;

  constructor(
    readonly options: ShapingOptions,
    readonly input: ShapingInput,
  ) {}

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
    if (this.#isMessage(sentence)) return undefined;
    for (const [pattern, check] of this.#grammar) {
      const match = pattern.exec(sentence);
      if (match !== null) return check({ ...match.groups } as Record<string, string>, index);
    }
    return 'nobody can read it';
  }

  #isMessage(sentence: string): boolean {
    const { degradations } = this.#given;
    return degradations.some(
      ({ code, message }) => sentence === message || sentence === `Note ${code}: ${message}`,
    );
  }

  get #given(): ShapingReport {
    return this.#report as ShapingReport;
  }

  readonly #grammar: [RegExp, Check][] = [
    [
      new RegExp(
        String.raw`^(?<id>${ID}) \(chunk (?<at>[\d,]+)\) was evicted: (?<reason>[\w-]+)(?:, (?<why>.*?))?\.(?: (?<end>It comes back .*|Nothing that was tried brings it back)\.)?$`,
      ),
      (found, index) => this.#evicted(found, index),
    ],
    [
      new RegExp(String.raw`^(?<id>${ID}) \(chunk (?<at>[\d,]+)\) is kept(?<cut>, but cut)?\.$`),
      ({ id, at, cut }, index) => {
        const entry = this.#given.kept.find((each) => each.index === index);
        if (entry?.id !== JSON.parse(id as string) || number(at) !== index) return 'it is another chunk';
        return this.#expect((entry?.excerpts !== undefined) === (cut !== undefined), 'it is cut, or not');
      },
    ],
    [
      /^\d+ limits bind together: (?<limits>.*)\. It is kept without all of them, and not without one alone\.$/,
      async ({ limits }, index) => {
        const names = listed(limits as string);
        for (const part of [...names.map((name) => [name]), names]) {
          const isKept = (await this.#run(without(part, this.options))).has(index);
          const wrong = this.#expect(isKept === (part.length === names.length), `without ${part}: ${isKept}`);
          if (wrong !== undefined) return wrong;
        }
        return undefined;
      },
    ],
    [
      /^It is (?<not>not )?kept (?:even )?without (?<limits>[\w.]+(?:(?:, | and )[\w.]+)*)\.$/,
      async ({ not, limits }, index) => {
        const isKept = (await this.#run(without(listed(limits as string), this.options))).has(index);
        return this.#expect(isKept === (not === undefined), `a run says ${isKept}`);
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
        return (
          this.#expect(
            own + 1 === number(place) && all.length === number(of),
            `place ${own + 1} of ${all.length}`,
          ) ?? this.#near(relevance, all[own]?.relevance)
        );
      },
    ],
    [
      /^It was evicted before its relevance was measured\.$/,
      (_, index) => {
        const entry = this.#given.evicted.find((each) => each.index === index);
        return this.#expect(entry !== undefined && entry.relevance === undefined, 'it was measured');
      },
    ],
    [
      new RegExp(String.raw`^(?<id>${ID}) stands in for it, and (?<fate>is kept|was evicted later)\.$`),
      ({ id, fate }) => this.#expect(this.#has(id as string) === (fate === 'is kept'), 'another fate'),
    ],
    [
      new RegExp(
        String.raw`^(?<id>${ID}) (?<fate>is kept|was evicted, too)(?:, and is (?:(?<by>[\d.e-]+) )?(?<than>more|less|as) relevant(?:, mostly by (?<features>.*))?)?\.$`,
      ),
      (found, index) => this.#rival(found, index),
    ],
    [
      /^It is (?<kept>also kept|evicted) (?<changes>(?:with|if|without) .*)\.$/,
      ({ kept, changes }, index) => this.#changes(changes as string, index, kept === 'also kept'),
    ],
    [
      /^It is whole with budget\.maxTokens: (?<value>\d+), and not with one token less\.$/,
      async ({ value }, index) => {
        const at = async (maxTokens: number) => (await this.#run({ budget: { maxTokens } })).get(index);
        const [least, less] = [await at(number(value)), await at(number(value) - 1)];
        return this.#expect(least === 'whole' && less !== 'whole', `it is ${least}, and ${less} with less`);
      },
    ],
    [
      /^(?<option>[\w.]+) \(now (?<now>no limit|[\d.,]+)\), of the values that were run: kept at (?<kept>.*); evicted at (?<evicted>.*)\.$/,
      (found, index) => this.#values(found, index),
    ],
    [
      /^It is pinned, so it goes ahead of all others\.$/,
      (_, index) =>
        this.#expect(
          this.#given.kept.some((each) => each.index === index && each.pinned),
          'no pin',
        ),
    ],
    [
      /^It is pinned, but its (?<tokens>[\d,]+) tokens? do(?:es)? not fit\.$/,
      ({ tokens }, index) => {
        const entry = this.#given.evicted.find((each) => each.index === index);
        const pins = this.#given.options.pin as string[];
        return this.#expect(pins.includes(entry?.id as string) && entry?.tokens === number(tokens), 'no pin');
      },
    ],
    [
      /^It is among the (?<count>[\d,]+) chunks that stay\.$|^It is the only chunk that stays\.$/,
      ({ count = '1' }) => this.#expect(this.#given.kept.length === number(count), 'another number stays'),
    ],
    [
      /^No chunk went for lack of room\.$/,
      () => this.#expect(!this.#given.evicted.some(({ reason }) => ROOM.has(reason)), 'some did'),
    ],
    [
      new RegExp(
        String.raw`^(?<ids>${ID}.*) (?:is|are) less relevant, and stays?: select\.lambda is (?<lambda>[\d.]+), so repetition counts, too\.$`,
      ),
      ({ ids, lambda }, index) => {
        const own = this.#given.evicted.find((each) => each.index === index)?.relevance ?? Number.NaN;
        const select = this.#given.options.select as { lambda: number };
        const areLess = idsIn(ids as string).every((id) =>
          this.#given.kept.some((each) => each.id === id && (each.relevance as number) < own),
        );
        return this.#expect(areLess && select.lambda === Number(lambda), 'they are not, or another lambda');
      },
    ],
    [
      new RegExp(String.raw`^(?<ids>${ID}.*) are sides of one conflict, and (?:both|all) stay\.$`),
      ({ ids }) => {
        const named = idsIn(ids as string);
        const isOne = this.#given.conflicts.some(({ sides }) =>
          named.every((id) => sides.some((side) => side.ids.includes(id))),
        );
        return this.#expect(isOne && named.every((id) => this.#has(JSON.stringify(id))), 'they are not');
      },
    ],
    [
      /^The chunk has no text\.$/,
      (_, index) => this.#expect(this.input.chunks[index]?.text.trim() === '', 'it has'),
    ],
    [
      /^The chunk repeats (?<share>\d+) % of the question, and a repetition adds nothing to relevance\.$/,
      ({ share }, index) => {
        const flags = this.#given.flags.find((each) => each.index === index)?.flags ?? [];
        const said = flags.some(
          (flag) => flag.kind === 'query-echo' && Math.round(100 * flag.share) === Number(share),
        );
        return this.#expect(said, 'no such flag');
      },
    ],
  ];

  async #evicted(found: Record<string, string>, index: number): Promise<string | undefined> {
    const { id, at, reason, why = '', end = '' } = found;
    const entry = this.#given.evicted.find((each) => each.index === index);
    if (entry?.id !== JSON.parse(id as string) || number(at) !== index) return 'it is another chunk';
    if (entry?.reason !== reason) return `the reason is ${entry?.reason}`;
    const wrong = this.#evidence(reason as string, why, entry as never);
    if (wrong !== undefined) return wrong;
    if (end.startsWith('Nothing')) {
      const pins = [...((this.options.pin ?? []) as string[]), entry?.id as string];
      const isKept = (await this.#run({ pin: pins })).has(index);
      return this.#expect(!isKept, 'a pin keeps it');
    }
    const [, change] = /^It comes back (.*)$/.exec(end) ?? [];
    return change === undefined ? undefined : this.#changes(change, index, true, true);
  }

  /** The evidence of an eviction, as the tables of a report have it. */
  #evidence(reason: string, why: string, entry: Record<string, unknown>): string | undefined {
    const { kept, evicted, options } = this.#given;
    const [other] = idsIn(why);
    const text = (id: unknown) => this.input.chunks.find((each) => each.id === id)?.text ?? '';
    const bare = (given: string) => given.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
    switch (reason) {
      case 'exact-duplicate': {
        const areEqual = bare(text(other)) === bare(text(entry.id));
        return this.#expect(why.startsWith('same text as') && areEqual, 'the texts differ');
      }
      case 'semantic-duplicate': {
        const [, away, most] = / ([\d.]+) away by (?:vectors|words) \(at most ([\d.]+)\)$/.exec(why) ?? [];
        const own = (options.semanticDedup as { maxDistance: number }).maxDistance;
        return this.#expect(Number(most) === own && Number(away) <= own + 0.0005, 'too far');
      }
      case 'superseded':
        return this.#expect(why.includes('is preferred') && other !== undefined, 'nothing is preferred');
      case 'cluster-member':
        return this.#expect(
          kept.concat(evicted as never).some(({ id }) => id === other),
          'there is no such chunk',
        );
      case 'low-entropy': {
        const [, own, least] = /^entropy ([\d.]+), below the minimum of ([\d.]+)$/.exec(why) ?? [];
        return this.#expect(Number(own) <= Number(least), 'not below');
      }
      case 'below-floor':
        return this.#expect((entry.relevance as number) < Number(/[\d.]+$/.exec(why)?.[0]), 'not below');
      case 'outranked': {
        const [, places] =
          /^(?:others took the (\d+) places of k|another took the one place of k)$/.exec(why) ?? [];
        const later = evicted.filter(({ stage }) => stage === 'extract' || stage === 'budget').length;
        const k = Number(places ?? 1);
        return this.#expect(k === options.k && kept.length + later >= k, 'places of k are free');
      }
      case 'over-budget':
        return this.#overBudget(why, entry);
      default:
        return `the reason ${reason} is unknown`;
    }
  }

  #overBudget(why: string, entry: Record<string, unknown>): string | undefined {
    if (/^no (?:room|place) left (?:in the budget|for its (?:source|tier))$/.test(why))
      return this.#expect(true, '');
    const [other] = idsIn(why);
    const last = this.#given.kept.find(({ id }) => id === other);
    if (last === undefined) return `${other} is not kept`;
    const [, than] = /^(?:best sentence )?(as|more|less) relevant/.exec(why) ?? [];
    if (than === undefined) return this.#expect(why.startsWith('ranked too low to be read'), 'what is it?');
    if (entry.stage !== 'budget') return this.#expect(true, '');
    return this.#compared(than, (last.relevance as number) - (entry.relevance as number), -1);
  }

  #compared(than: string, by: number, sign = 1): string | undefined {
    const is = by * sign > 0 ? 'more' : by * sign < 0 ? 'less' : 'as';
    return this.#expect(is === than, `it is ${is} relevant`);
  }

  #rival(
    { id, fate, by, than, features }: Record<string, string | undefined>,
    index: number,
  ): string | undefined {
    if (this.#has(id as string) !== (fate === 'is kept')) return 'another fate';
    if (than === undefined) return this.#expect(true, '');
    const entries = [...this.#given.kept, ...this.#given.evicted];
    const own = entries.find((each) => each.index === index);
    const theirs = entries.find((each) => each.id === JSON.parse(id as string));
    const difference = (theirs?.relevance as number) - (own?.relevance as number);
    const wrong = this.#compared(than, difference) ?? this.#near(by, Math.abs(difference));
    if (wrong !== undefined) return wrong;
    for (const [, name, there, here] of (features ?? '').matchAll(
      /(\w+) \((-?[\d.]+) against (-?[\d.]+)\)/g,
    )) {
      const part =
        this.#near(there, theirs?.features?.[name as string] ?? 0) ??
        this.#near(here, own?.features?.[name as string] ?? 0);
      if (part !== undefined) return part;
    }
    return undefined;
  }

  async #changes(
    text: string,
    index: number,
    keeps: boolean,
    isSmallest = false,
  ): Promise<string | undefined> {
    let rest = text;
    for (const { 0: whole, groups } of text.matchAll(CHANGE)) {
      rest = rest.replace(whole, '');
      const { options, pin, without: gone } = groups ?? {};
      const own = this.input.chunks[index]?.id as string;
      const change: ShapingOptions =
        pin !== undefined
          ? { pin: [...((this.options.pin ?? []) as string[]), own] }
          : options === undefined
            ? {}
            : optionsIn(options);
      const other =
        gone === undefined ? undefined : this.input.chunks.findIndex(({ id }) => id === JSON.parse(gone));
      const isKept = (await this.#run(change, other)).has(index);
      if (isKept !== keeps) return `${whole}: ${isKept ? 'kept' : 'evicted'}`;
      this.checks++;
      const lesser = isSmallest ? await this.#lesser(options, index) : undefined;
      if (lesser !== undefined) return lesser;
    }
    return rest.replace(/, | or /g, '') === '' ? undefined : `${rest}: nobody can read it`;
  }

  /** One step less of the one option that is raised evicts the chunk. */
  async #lesser(options: string | undefined, index: number): Promise<string | undefined> {
    const [, name, value] = /^(k|budget\.maxTokens): (\d+)$/.exec(options ?? '') ?? [];
    const current = name === 'k' ? this.options.k : this.options.budget?.maxTokens;
    if (name === undefined || current == null) return undefined;
    const less = Number(value) - 1;
    const change = name === 'k' ? { k: less } : { budget: { maxTokens: less } };
    return this.#expect(!(await this.#run(change)).has(index), `${name}: ${less} keeps it, too`);
  }

  async #values(found: Record<string, string>, index: number): Promise<string | undefined> {
    const { option, kept, evicted } = found as Record<'option' | 'kept' | 'evicted', string>;
    const [outer, inner] = option.split('.') as [string, string?];
    for (const [values, keeps] of [
      [kept, true],
      [evicted, false],
    ] as const) {
      if (values === 'none') continue;
      const all = listed(values.replace(/,(?=\d{3})/g, '')).map(Number);
      for (const value of all.filter((_, place) => place % Math.ceil(all.length / SAMPLE) === 0)) {
        const change = { [outer]: inner === undefined ? value : { [inner]: value } };
        const isKept = (await this.#run(change)).has(index);
        if (isKept !== keeps) return `${option} ${value}: ${isKept ? 'kept' : 'evicted'}`;
        this.checks++;
      }
    }
    return undefined;
  }

  #has(id: string): boolean {
    return this.#given.kept.some((each) => each.id === JSON.parse(id));
  }

  #near(told: string | undefined, is: number | undefined): string | undefined {
    if (told === undefined) return undefined;
    return this.#expect(Math.abs(Number(told) - (is ?? Number.NaN)) <= 0.000501, `it is ${is}`);
  }

  #expect(holds: boolean, because: string): string | undefined {
    if (holds) this.checks++;
    return holds ? undefined : because;
  }

  #run(overrides: ShapingOptions, without?: number): Promise<Kept> {
    const key = JSON.stringify([overrides, without]);
    const known = this.#runs.get(key) ?? this.#shape(overrides, without);
    this.#runs.set(key, known);
    return known;
  }

  async #shape(overrides: ShapingOptions, without?: number): Promise<Kept> {
    const places = [...this.input.chunks.keys()].filter((place) => place !== without);
    const chunks = places.map((place) => this.input.chunks[place] as (typeof this.input.chunks)[number]);
    const { report } = await createShaper(this.options)
      .with(overrides)
      .shape({ ...this.input, chunks });
    return new Map(
      report.kept.map(({ index, excerpts }) => [
        places[index] as number,
        excerpts === undefined ? 'whole' : 'cut',
      ]),
    );
  }
}

const number = (text: string | undefined) => Number((text ?? '').replaceAll(',', ''));
const listed = (text: string) => text.split(/, | and /);
const idsIn = (text: string) =>
  Array.from(text.matchAll(new RegExp(ID, 'g')), ([id]) => JSON.parse(id) as string);

/** `k: 4 and budget.maxTokens: 300` as options. */
function optionsIn(text: string): ShapingOptions {
  const options: Record<string, unknown> = {};
  for (const part of text.split(/(?:, | and )(?=\w[\w.]*: )/)) {
    const [, path = '', value = ''] = /^([\w.]+): (.*)$/.exec(part) ?? [];
    const [outer, inner, third] = path.split('.') as [string, string?, string?];
    const parsed = JSON.parse(value) as unknown;
    const nested = third === undefined ? parsed : { [third]: parsed };
    options[outer] = inner === undefined ? parsed : { ...(options[outer] as object), [inner]: nested };
  }
  return options as ShapingOptions;
}

function without(limits: readonly string[], { trust = [] }: ShapingOptions): ShapingOptions {
  const budget = limits.filter((name) => name.startsWith('budget.')).map((name) => [name.slice(7), null]);
  return {
    ...(limits.includes('k') ? { k: null } : {}),
    ...(budget.length > 0 ? { budget: Object.fromEntries(budget) } : {}),
    ...(limits.includes('trust') ? { trust: (trust ?? []).map(({ value }) => ({ value })) } : {}),
  } as ShapingOptions;
}
