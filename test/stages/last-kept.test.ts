/** The evidence of chunks for which no room was left: the last one that was kept, and how far below it they were. */
import { createShaper, type Eviction, type ShapingOptions, type ShapingReport } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../scripts/report-schema.js';
import { chunks, question } from '../pool.js';

type OverBudget = Extract<Eviction, { reason: 'over-budget' }>;

async function shape(
  options: ShapingOptions,
  pool = chunks,
): Promise<{ report: ShapingReport; gone: OverBudget[] }> {
  const { report } = await createShaper(options).shape({ query: question, chunks: pool });
  expect(reportSchema.safeParse(report).error).toBeUndefined();
  return { report, gone: report.evicted.filter((each) => each.reason === 'over-budget') };
}

/** The least relevant of the kept chunks that count. */
const leastOf = (
  { kept }: ShapingReport,
  counts: (entry: ShapingReport['kept'][number]) => boolean = () => true,
) =>
  Math.min(
    ...kept
      .filter((entry) => !entry.pinned && entry.tokens > 0 && counts(entry))
      .map(({ relevance = 1 }) => relevance),
  );

describe('whole chunks', () => {
  test('the last is the least relevant kept one; the chunks above it did not fit', async () => {
    let above = 0;
    for (const maxTokens of [60, 90, 120, 200, 300]) {
      const { report, gone } = await shape({ extract: false, budget: { maxTokens } });
      expect(gone.length).toBeGreaterThan(0);
      for (const { lastKept, margin, relevance = 0, tokens } of gone) {
        expect(lastKept?.relevance).toBe(leastOf(report));
        expect(report.kept.find(({ id }) => id === lastKept?.id)?.relevance).toBe(lastKept?.relevance);
        expect(margin).toBe((lastKept?.relevance as number) - relevance);
        if ((margin as number) > 0) continue;
        above++;
        expect(report.tokens.output + tokens).toBeGreaterThan(maxTokens);
      }
    }
    expect(above).toBeGreaterThan(0);
  });

  test('pinned chunks are neither the last nor compared with it', async () => {
    const pin = ['blog.md#9'];
    const { report, gone } = await shape({ extract: false, pin, budget: { maxTokens: 120 } });
    expect(report.kept.find(({ pinned }) => pinned)?.relevance).toBeLessThan(leastOf(report));
    for (const { lastKept } of gone) expect(lastKept?.relevance).toBe(leastOf(report));
    const all = await shape({ extract: false, pin: chunks.map(({ id }) => id), budget: { maxTokens: 120 } });
    expect(all.gone.length).toBeGreaterThan(0);
    for (const { lastKept, margin } of all.gone) expect([lastKept, margin]).toEqual([undefined, undefined]);
  });

  test('under a limit of the source, the last kept chunk of that source counts', async () => {
    const pool = chunks.map((chunk, index) => ({
      ...chunk,
      metadata: { source: index % 2 === 0 ? 'even.md' : 'odd.md' },
    }));
    const { report, gone } = await shape({ extract: false, cluster: false, budget: { perSource: 70 } }, pool);
    expect(new Set(gone.map(({ source }) => source)).size).toBe(2);
    for (const { lastKept, source } of gone)
      expect(lastKept?.relevance).toBe(leastOf(report, ({ sources }) => sources[0]?.source === source));
  });

  test('under a limit of the tier, the last kept chunk of that tier counts', async () => {
    const pool = chunks.map((chunk, index) => ({
      ...chunk,
      metadata: { trust: index % 2 === 0 ? 'own' : 'web' },
    }));
    const trust = [{ value: 'own' }, { value: 'web', maxTokens: 70 }];
    const { report, gone } = await shape({ extract: false, cluster: false, trust }, pool);
    expect(gone.length).toBeGreaterThan(0);
    for (const { lastKept } of gone)
      expect(lastKept?.relevance).toBe(leastOf(report, ({ tier }) => tier === 1));
  });

  test('without a measured relevance, or if nothing was kept for it, there is no last one', async () => {
    const { gone } = await shape({ relevance: false, extract: false, budget: { maxTokens: 120 } });
    const none = await shape({ extract: false, budget: { maxTokens: 3 } });
    for (const each of [gone, none.gone]) {
      expect(each.length).toBeGreaterThan(0);
      for (const eviction of each) expect(eviction).not.toHaveProperty('lastKept');
    }
  });
});

describe('sentences', () => {
  const pool = [
    {
      id: 'both',
      text: 'The harbour bridge opened in 1932. Ferries leave from the old pier on the other side of the town every hour of the day.',
    },
    {
      id: 'late',
      text: 'The harbour has a long pier of wood. It was repaired after the storm of that winter by the city.',
    },
    { id: 'good', text: 'When the harbour bridge opened, ferries stopped for some years.' },
    { id: 'cats', text: 'Most of the cats in the harbour sleep all day long there.' },
  ];

  /** For each chunk without room: the relevance of its best sentence, and its margin. And the last sentence. */
  const within = async (maxTokens: number) => {
    const { report } = await createShaper({ budget: { maxTokens } }).shape({
      query: 'When was the harbour bridge opened?',
      chunks: pool,
    });
    const gone = report.evicted.filter((each) => each.reason === 'over-budget');
    const [last] = gone.map(({ lastKept }) => lastKept);
    for (const { stage, lastKept } of gone) expect([stage, lastKept]).toEqual(['extract', last]);
    return {
      last: last as NonNullable<typeof last>,
      margins: Object.fromEntries(gone.map(({ id, margin }) => [id, margin as number])),
    };
  };

  test.each([
    [10, ['good', 'late', 'cats'], 'both'],
    // There is room for a sentence of `late`, and none for the longer one of `good`.
    [18, ['good', 'cats'], 'late'],
    [22, ['late', 'cats'], 'good'],
    [30, ['cats'], 'late'],
  ])('in %d tokens: the last is the least relevant sentence that was taken', async (maxTokens, gone, id) => {
    const { last, margins } = await within(maxTokens);
    expect([Object.keys(margins), last.id]).toEqual([gone, id]);
    // The values of the sentences do not depend on the budget.
    const worths = {
      both: (await within(10)).last.relevance,
      good: (await within(22)).last.relevance,
      late: (await within(30)).last.relevance,
    };
    expect(worths.both).toBeGreaterThan(worths.good);
    expect(worths.good).toBeGreaterThan(worths.late);
    expect(last.relevance).toBe(worths[id as keyof typeof worths]);
    for (const [each, margin] of Object.entries(margins)) {
      const worth = worths[each as keyof typeof worths];
      if (worth !== undefined) expect(margin).toBeCloseTo(last.relevance - worth, 12);
      else expect(margin).toBeGreaterThan(0);
    }
  });

  test('a chunk whose sentences were not compared has no margin', async () => {
    const many = Array.from({ length: 200 }, (_, at) => ({
      id: `c${at}`,
      text: `The harbour bridge number ${at} was opened by the mayor of place ${at} in the year ${1000 + at}.`,
    }));
    const { report } = await createShaper({
      semanticDedup: false,
      cluster: false,
      budget: { maxTokens: 100 },
    }).shape({
      query: 'When was the harbour bridge opened?',
      chunks: many,
    });
    const gone = report.evicted.filter((each) => each.reason === 'over-budget');
    const unread = gone.filter(({ margin }) => margin === undefined);
    expect(unread.length).toBeGreaterThan(100);
    for (const { lastKept } of unread) expect(lastKept).toBeDefined();
    expect(gone.length).toBeGreaterThan(unread.length);
  });
});
