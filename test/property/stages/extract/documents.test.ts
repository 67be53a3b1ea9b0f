/** Properties of `extract` for generated documents of every kind. */
import { type Chunk, createShaper, type ShapingOptions } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Joiner } from '../../../../src/text/join.js';
import { unitsOf } from '../../../../src/text/units/units.js';
import { deepFreeze, ledger, timeless } from '../../../support.js';
import { document } from '../../../text/documents.js';

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const characters = (text: string): number => text.length;

/** Tokens are characters unless said otherwise. */
const shape = (options: ShapingOptions, chunks: readonly Chunk[], query = 'When did the bridge open?') =>
  createShaper({
    tokenizer: characters,
    exactDedup: false,
    semanticDedup: false,
    cluster: false,
    ranked: false,
    ...options,
  }).shape({ query, chunks });

describe('for all documents', () => {
  const QUERIES = [
    'Who opened the bridge?',
    'bridge',
    '1932',
    'Ann said No. 5',
    '橋',
    'x y return',
    'a b c 1',
    '',
  ];
  const gap = fc.constantFrom(' … ', '', ' [...] ', '\n');
  const pool = fc.array(document, { minLength: 1, maxLength: 5 }).map((texts) =>
    texts.map(
      (text, at): Chunk => ({
        id: `c${at}`,
        text,
        score: at,
        metadata: { source: `s${at % 2}`, ...(at % 3 === 0 ? { title: 'The bridge' } : {}) },
        ...(at === 3 ? { rendered: `from s${at}:\n${text}` } : {}),
      }),
    ),
  );
  const settings = fc.record(
    {
      share: fc.double({ min: 0.02, max: 1.1, noNaN: true }),
      perSource: fc.option(fc.integer({ min: 3, max: 60 }), { nil: undefined }),
      reserve: fc.integer({ min: 0, max: 3 }),
      gap,
      pin: fc.constantFrom<string[]>([], [], ['c1']),
      query: fc.constantFrom(...QUERIES),
      counter: fc.constantFrom('words', 'characters', 'estimate' as const),
    },
    { requiredKeys: ['share', 'perSource', 'reserve', 'gap', 'pin', 'query', 'counter'] },
  );
  type Settings = typeof settings extends fc.Arbitrary<infer S> ? S : never;
  const COUNTERS = { words, characters, estimate: 'estimate' } as const;
  const rendered = ({ text, id }: Chunk) => (id === 'c3' ? `from s3:\n${text}` : text);

  async function shaped(chunks: readonly Chunk[], given: Settings, over: ShapingOptions = {}) {
    const tokenizer = COUNTERS[given.counter as keyof typeof COUNTERS];
    const free = await shape({ tokenizer }, chunks);
    const maxTokens = given.reserve + Math.max(1, Math.floor(given.share * free.report.tokens.output));
    const budget = { maxTokens, reserve: given.reserve, perSource: given.perSource };
    const options = { tokenizer, budget, extract: { gap: given.gap }, pin: given.pin, ...over };
    return { ...(await shape(options, chunks, given.query)), maxTokens, options };
  }

  test('nothing vanishes, nothing is over, and every text is what joining units makes of it', async () => {
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(pool, settings, async (given, all) => {
        const before = JSON.stringify(given);
        const { chunks, report, maxTokens } = await shaped(deepFreeze(given), all);
        expect(JSON.stringify(given)).toBe(before);
        expect(ledger(report)).toEqual(given.map((_, at) => at));
        const spent = new Map<unknown, number>();
        for (const each of chunks) {
          const { metadata, tokens } = each;
          if (all.counter !== 'estimate')
            expect(tokens).toBe((COUNTERS[all.counter as 'words'] as typeof words)(rendered(each)));
          spent.set(metadata?.source, (spent.get(metadata?.source) ?? 0) + tokens);
        }
        const total = [...spent.values()].reduce((sum, tokens) => sum + tokens, 0);
        expect(total).toBeLessThanOrEqual(maxTokens - all.reserve);
        for (const tokens of spent.values()) expect(tokens).toBeLessThanOrEqual(all.perSource ?? Infinity);
        const isRescue = report.degradations.some(({ code }) => code === 'cut-to-fit');
        const joined = chunks.map(({ index, text, excerpts }) => {
          const original = given[index]?.text as string;
          const units = unitsOf(original);
          const kept = new Set(
            [...units.keys()].filter((place) =>
              excerpts?.some(({ start, end }) => start <= units[place]!.start && units[place]!.end <= end),
            ),
          );
          const isCut = excerpts !== undefined && !isRescue;
          const as = (marks: boolean) =>
            isCut ? new Joiner(original, units).join(kept, all.gap, marks) : { text, excerpts };
          return { units, kept, isCut, marked: as(true), bare: as(false) };
        });
        // Tables are marked if there is room for all marks.
        const withMarks = chunks.map((each, at) => ({ ...each, text: joined[at]!.marked.text }));
        const isMarked = joined.every(({ marked }, at) => marked.text === chunks[at]!.text);
        if (!isMarked && all.counter !== 'estimate') {
          const count = COUNTERS[all.counter as 'words'] as typeof words;
          const tokens = withMarks.map((each) => count(rendered(each)));
          const spentBy = new Map<unknown, number>();
          for (const [at, { metadata }] of withMarks.entries())
            spentBy.set(metadata?.source, (spentBy.get(metadata?.source) ?? 0) + tokens[at]!);
          const fits =
            tokens.reduce((sum, each) => sum + each, 0) <= maxTokens - all.reserve &&
            [...spentBy.values()].every((each) => each <= (all.perSource ?? Infinity));
          expect(fits).toBe(false);
        }
        for (const [at, { index, text, excerpts }] of chunks.entries()) {
          const original = given[index]?.text as string;
          if (excerpts === undefined) expect(text).toBe(original);
          else if (isRescue) expect(text).toBe(original.slice(excerpts[0]?.start, excerpts[0]?.end));
          else {
            cut++;
            const { units, kept, marked, bare } = joined[at]!;
            expect({ text, excerpts }).toEqual(isMarked ? marked : bare);
            // Read by themselves: with the units that they need, and under their headings.
            const isWhole = !report.degradations.some(({ code }) => code === 'header-over-budget');
            for (const place of kept)
              for (const need of units[place]!.needs) if (isWhole) expect(kept).toContain(need);
            for (const place of kept) {
              const { heading, kind } = units[place]!;
              if (heading !== undefined && kind !== 'heading' && isAnswer(units, kept, place))
                expect(kept).toContain(heading);
            }
          }
        }
      }),
      { numRuns: 4000, seed: 1 },
    );
    expect(cut).toBeGreaterThan(2000);
  });

  /** Kept for its own sake, not because another needs it or leans on it. */
  function isAnswer(units: ReturnType<typeof unitsOf>, kept: ReadonlySet<number>, place: number): boolean {
    return ![...kept].some((other) => units[other]!.needs.includes(place) || units[other]!.leansOn === place);
  }

  test('the same again, and in any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(pool, settings, async (found, all) => {
        // Scores that neither rise nor fall along the list sort it.
        fc.pre(found.length > 2);
        const given = found.map((each, at) => ({ ...each, score: [2, 4, 1, 3, 0][at] as number }));
        const one = await shaped(given, all);
        const again = await shaped(given, all);
        expect(timeless(again.report)).toEqual(timeless(one.report));
        expect(again.chunks).toEqual(one.chunks);
        const other = await shaped(given.toReversed(), all);
        const plain = (chunks: readonly Chunk[]) => chunks.map(({ id, text }) => [id, text]);
        expect(plain(other.chunks)).toEqual(plain(one.chunks));
      }),
      { numRuns: 700, seed: 2 },
    );
  });

  test('shaping a shaped result changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(pool, settings, async (given, all) => {
        const once = await shaped(given, all);
        const twice = await shape(
          once.options,
          once.chunks.map((each) => ({
            id: each.id,
            text: each.text,
            rendered: rendered(each),
            score: each.score,
            metadata: each.metadata,
          })),
          all.query,
        );
        expect(new Map(twice.chunks.map(({ id, text }) => [id, text]))).toEqual(
          new Map(once.chunks.map(({ id, text }) => [id, text])),
        );
      }),
      { numRuns: 1000, seed: 3 },
    );
  });
});
