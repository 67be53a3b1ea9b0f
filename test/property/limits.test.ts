/**
 * All limits together: pins, tiers, frames, hidden characters, conversations, and stages of users at any place.
 *
 * More cases than usual: CONTEXT_SHAPING_CASES=100000 npx vitest run test/property/limits.test.ts
 */
import {
  type Chunk,
  createShaper,
  estimateTokens,
  renderContext,
  type ShapingOptions,
  type Stage,
  sanitise,
  withRelevance,
} from 'context-shaping';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { besides, deepFreeze, ids, ledger, options, pool, timeless } from '../support.js';
import { document } from '../text/documents.js';

const CASES = Number(process.env.CONTEXT_SHAPING_CASES ?? 2000);
/** As the caller would count, not as the package does: special tokens are ordinary text. */
const exact = (text: string) => countTokens(text, { disallowedSpecial: new Set() });
const characters = (text: string) => text.length;
const NONE = Number.POSITIVE_INFINITY;

const COUNTERS = new Map<unknown, (text: string) => number>([
  ['estimate', estimateTokens],
  [characters, characters],
]);

/** Beginnings of texts: marks join the character before them, and directions are open until they are closed. */
const HEADS = ['', '', '', '\u0301\u0301', '\u2067', '\u200f', '\ufe0f', '\u05d0\u200f ', ' \n'];

/** Texts in which nothing may answer by itself: they announce, title or separate. */
const UNITLESS = [
  'The results:',
  '# The bridge',
  '---',
  '***\n---',
  '## Opening\n\n### In 1932',
  'Title\n=====',
  '…',
];

const chunks: fc.Arbitrary<Chunk[]> = fc
  .tuple(
    pool(14),
    fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
    fc.array(fc.oneof(document, fc.constantFrom(...UNITLESS)), { maxLength: 4 }),
  )
  .map(([given, dice, texts]) =>
    given.map((each, at) => {
      const die = (which: number, sides: number) => (((dice[which] as number) % 997) * (at + 3)) % sides;
      const own = die(3, 3) === 0 ? (texts[at % 5] ?? each.text) : each.text;
      const text = (HEADS[die(0, HEADS.length)] as string) + own;
      const trust = ['own', 'web', undefined][die(1, 3)];
      return { ...each, text, metadata: { ...each.metadata, ...(trust === undefined ? {} : { trust }) } };
    }),
  );

const turns = fc.constantFrom(
  [],
  [
    { role: 'user' as const, text: 'Tell me about the bridge.' },
    { role: 'assistant' as const, text: 'It is long.' },
  ],
);
const query = fc.record({
  text: fc.constantFrom('', 'How long is the bridge?', 'And when was it opened?', '橋の全長は？'),
  history: turns,
});

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: undefined, freq: 2 });
const trust = fc.uniqueArray(
  fc.record({ value: fc.constantFrom('own', 'web', '*'), k: limit(5), maxTokens: limit(150) }),
  { selector: ({ value }) => value, maxLength: 3 },
);

/** The same in every order of the input. */
const numberOf = ({ id }: { id: string }) => Number(id.slice(1));

/** Stages of users. None evicts a pinned candidate. */
const OWN: Record<string, Stage['run']> = {
  reversed: ({ candidates }) => ({ kept: candidates.toReversed() }),
  thinned: ({ candidates }) => ({
    kept: candidates.filter((each) => each.pinned || numberOf(each) % 3 > 0),
    evicted: candidates.flatMap((candidate) =>
      candidate.pinned || numberOf(candidate) % 3 > 0 ? [] : { candidate, evidence: {} },
    ),
  }),
  weighed: ({ candidates }) => ({
    kept: candidates.map((each) => withRelevance(each, (numberOf(each) % 7) / 7)),
  }),
};
/** The place counts back from the end, as no stage may come before `annotate`. */
const own = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...Object.keys(OWN)), before: fc.nat({ max: 10 }) }),
  { selector: ({ name }) => name, maxLength: 2 },
);
const withStages =
  (added: readonly { name: string; before: number }[]): NonNullable<ShapingOptions['stages']> =>
  (defaults) => {
    const all: (Stage | (typeof defaults)[number])[] = [...defaults];
    for (const { name, before } of added) {
      const first = all.findIndex((each) => each.name === 'annotate') + 1;
      const stage = { specificationVersion: 'v1', name: `own-${name}`, run: OWN[name] } as Stage;
      all.splice(Math.max(first, all.length - before), 0, stage);
    }
    return all;
  };

const settings = fc
  .record({
    base: options,
    pin: fc.uniqueArray(fc.constantFrom('c0', 'c1', 'c3', 'c5', 'c8'), { maxLength: 4 }),
    trust,
    own,
    extract: fc.constantFrom(false as const, {}, {}, { gap: '' }),
    maxTokens: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 5, max: 500 })),
    perSource: limit(120),
    chunksPerSource: limit(4),
    frame: fc.constantFrom(
      false as const,
      false as const,
      { spotlight: 'delimiter' as const },
      { spotlight: 'datamark' as const },
      { spotlight: 'none' as const },
    ),
    sanitise: fc.constantFrom(false as const, 'strip' as const, 'escape' as const),
    tokenizer: fc.constantFrom('o200k_base' as const, 'estimate' as const, characters),
  })
  .map(({ base, own: added, maxTokens, perSource, chunksPerSource, ...rest }): ShapingOptions => {
    const { select: _, ...others } = base;
    return {
      ...others,
      ...rest,
      budget: {
        ...base.budget,
        maxTokens: maxTokens + (base.budget?.reserve ?? 0),
        perSource,
        chunksPerSource,
      },
      ...(added.length === 0 ? {} : { stages: withStages(added) }),
    } as ShapingOptions;
  });

const sum = (entries: readonly { tokens: number }[]) => entries.reduce((all, { tokens }) => all + tokens, 0);
const sourceOf = ({ sources }: { sources: readonly { source?: string }[] }) => sources[0]?.source;

test(`${CASES} generated cases: nothing lost, within all limits, pins told, nothing changed`, {
  timeout: 0,
}, async () => {
  const seen = { kept: 0, cut: 0, framed: 0, pinsGone: 0, withStages: 0, atK: 0 };
  await fc.assert(
    fc.asyncProperty(chunks, query, settings, async (given, question, all) => {
      const before = JSON.stringify([given, question]);
      const input = deepFreeze({ query: question, chunks: given });
      const shaper = createShaper(all);
      const { report, chunks: kept } = await shaper.shape(input);
      expect(ledger(report)).toEqual(given.map((_, at) => at));
      expect(ids(kept)).toEqual(ids(report.kept));
      expect(JSON.stringify([given, question])).toBe(before);
      // Never empty without leave, unless not one word fits.
      if (given.length > 0 && !all.allowEmpty && all.stages === undefined && kept.length === 0)
        expect(report.degradations.map(({ code }) => code)).toContain('nothing-fits');
      const again = await shaper.shape(input);
      expect(timeless(again.report)).toEqual(timeless(report));
      expect(again.chunks).toEqual(kept);

      const { k, tokenizer, frame, sanitise: mode } = all;
      const { maxTokens, reserve = 0, perSource, chunksPerSource } = all.budget ?? {};
      const available = (maxTokens as number) - reserve;
      const tierOf = ({ index }: { index: number }) => {
        const tierWith = (value: unknown) => all.trust?.find((tier) => tier.value === value);
        return tierWith(given[index]?.metadata?.trust) ?? tierWith('*');
      };
      /** Each group of chunks that a limit binds, and the limit. */
      const groups = [
        { entries: report.kept, tokens: report.tokens.budget, places: k },
        ...['s0', 's1', 's2'].map((source) => ({
          entries: report.kept.filter((each) => sourceOf(each) === source),
          tokens: perSource,
          places: chunksPerSource,
        })),
        ...(all.trust ?? []).map((tier) => ({
          entries: report.kept.filter((each) => tierOf(each) === tier),
          tokens: tier.maxTokens,
          places: tier.k,
        })),
      ];
      for (const { entries, tokens, places } of groups) {
        expect(sum(entries)).toBeLessThanOrEqual(tokens ?? NONE);
        const pinned = entries.filter((each) => each.pinned).length;
        expect(entries.length).toBeLessThanOrEqual(Math.max(places ?? NONE, pinned));
      }
      // Counted again: as the tokenizer counts the block, and exactly where it is exact.
      const shown = frame ? [renderContext(kept, frame).text] : kept.map(({ text }) => text);
      const count = COUNTERS.get(tokenizer) ?? exact;
      if (frame || tokenizer !== 'estimate')
        expect(shown.reduce((tokens, each) => tokens + count(each), 0)).toBeLessThanOrEqual(available);

      // A pinned chunk goes as a copy, or because it does not fit beside other pinned ones, and the report says so.
      const pins = new Set(all.pin as readonly string[]);
      const stay = report.kept.filter(({ pinned }) => pinned);
      for (const each of report.evicted) {
        if (!pins.has(each.id) || each.reason === 'exact-duplicate') continue;
        expect(each.reason).toBe('over-budget');
        const code = 'pinned-over-budget';
        const message = expect.stringContaining(`Pinned chunk ${JSON.stringify(each.id)} `);
        expect(report.degradations).toContainEqual(expect.objectContaining({ code, message }));
        const tier = tierOf(each);
        const room = Math.min(
          (report.tokens.budget ?? NONE) - sum(stay),
          (perSource ?? NONE) - sum(stay.filter((other) => sourceOf(other) === each.source)),
          (tier?.maxTokens ?? NONE) - sum(stay.filter((other) => tierOf(other) === tier)),
        );
        // The block of a frame can be estimated at a few tokens more than its passages.
        expect(each.tokens).toBeGreaterThan(room - (frame && tokenizer === 'estimate' ? 3 : 0));
        seen.pinsGone++;
      }
      // Whole, or parts of the text in their order, with nothing of other texts between.
      for (const { index, text, excerpts, sanitised } of kept)
        if (!sanitised) expect(besides(text, given[index]?.text as string, excerpts)).toMatch(/^[\s…|]*$/);
      // A sanitised text stays so when it is cut.
      if (mode) for (const { text } of kept) expect(sanitise(text, mode)).toEqual({ text, edits: [] });

      seen.kept += kept.length;
      seen.cut += kept.filter(({ excerpts }) => excerpts !== undefined).length;
      if (frame && kept.length > 0) seen.framed++;
      if (all.stages !== undefined) seen.withStages++;
      if (kept.length === k) seen.atK++;
    }),
    { numRuns: CASES },
  );
  console.log(`${CASES} cases: ${JSON.stringify(seen)}`);
  for (const [what, number] of Object.entries(seen)) expect(number, what).toBeGreaterThan(CASES / 50);
});
