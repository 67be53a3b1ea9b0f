import { createShaper, type ShapingOptions } from 'context-shaping';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { besides, deepFreeze, ids, ledger, options, pool, timeless } from '../support.js';

const CASES = 10_000;
const query = fc.oneof(
  fc.constantFrom('', 'How long is the bridge?', '橋の全長は？', '<|endoftext|>'),
  fc.lorem({ maxCount: 1 }),
);
/** As the caller would count, not as the package does: special tokens are ordinary text. */
const exact = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

test(`${CASES} generated cases: conservation, budget, no mutation, determinism`, async () => {
  let chunks = 0;
  let evicted = 0;
  let overBudget = 0;
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(pool(14), query, options, async (given, question, settings) => {
      const before = JSON.stringify(given);
      const input = deepFreeze({ query: question, chunks: given });
      const shaper = createShaper(deepFreeze({ tokenizer: 'o200k_base', ...settings }) as ShapingOptions);
      const first = await shaper.shape(input);
      const second = await shaper.shape(input);

      // Every chunk is in the ledger exactly once.
      expect(ledger(first.report)).toEqual(given.map((_, index) => index));
      expect(first.report.input).toEqual(ids(given));
      expect(ids(first.chunks)).toEqual(ids(first.report.kept));
      // Never a token over, counted independently.
      const spent = first.chunks.reduce((sum, chunk) => sum + exact(chunk.text), 0);
      const { maxTokens, reserve = 0, perSource } = settings.budget ?? {};
      if (spent > (maxTokens ?? Number.POSITIVE_INFINITY) - reserve) overBudget++;
      expect(spent).toBeLessThanOrEqual((maxTokens ?? Number.POSITIVE_INFINITY) - reserve);
      for (const source of ['s0', 's1', 's2']) {
        const ofSource = first.chunks.filter(({ metadata }) => metadata?.source === source);
        expect(ofSource.reduce((sum, { text }) => sum + exact(text), 0)).toBeLessThanOrEqual(
          perSource ?? Number.POSITIVE_INFINITY,
        );
      }
      // At most k, but for those that are pinned.
      const pinned = first.report.kept.filter((entry) => entry.pinned).length;
      expect(first.chunks.length).toBeLessThanOrEqual(Math.max(settings.k ?? Infinity, pinned));
      // Whole, or parts of the text in their order, with nothing of other texts between.
      for (const { index, text, excerpts } of first.chunks) {
        expect(besides(text, given[index]?.text as string, excerpts)).toMatch(/^[\s…|]*$/);
        if (excerpts !== undefined) cut++;
      }
      // Never empty without leave, unless not one word fits.
      if (given.length > 0 && !settings.allowEmpty && first.chunks.length === 0) {
        expect(first.report.degradations.map(({ code }) => code)).toContain('nothing-fits');
      }
      expect(JSON.stringify(given)).toBe(before);
      expect(JSON.stringify(timeless(second.report))).toBe(JSON.stringify(timeless(first.report)));
      expect(second.chunks).toEqual(first.chunks);
      chunks += given.length;
      evicted += first.report.evicted.length;
    }),
    { numRuns: CASES, seed: 20_261_121 },
  );
  expect(overBudget).toBe(0);
  expect(cut).toBeGreaterThan(CASES / 20);
  console.log(
    `${CASES} cases, ${chunks} chunks, ${evicted} evicted, 0 lost, 0 tokens over budget, 0 mutations`,
  );
});

test('shaping a shaped result changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(pool(12), query, options, async (given, question, settings) => {
      const shaper = createShaper(settings as ShapingOptions);
      const once = await shaper.shape({ query: question, chunks: given });
      // A text that was cut is another text: it may be a copy of another now, or vary less.
      const isCut = once.chunks.some(({ excerpts }) => excerpts !== undefined);
      const again = isCut ? { annotate: false, exactDedup: false, semanticDedup: false } : {};
      const twice = await createShaper({ ...settings, ...again } as ShapingOptions).shape({
        query: question,
        chunks: once.chunks.map(({ id, text, ...rest }) => ({ ...rest, id, text })),
      });
      expect(ids(twice.chunks).toSorted()).toEqual(ids(once.chunks).toSorted());
    }),
    { numRuns: 1000, seed: 8 },
  );
});

test('do no harm: if the chunks fit k and budget after de-duplication, all are kept', async () => {
  await fc.assert(
    fc.asyncProperty(pool(12), query, async (given, question) => {
      const deduplicated = await createShaper().shape({ query: question, chunks: given });
      const tokens = deduplicated.report.tokens.output;
      const k = Math.max(1, deduplicated.chunks.length);
      const tight = await createShaper({ k, budget: { maxTokens: Math.max(1, tokens) } }).shape({
        query: question,
        chunks: given,
      });
      expect(ids(tight.chunks)).toEqual(ids(deduplicated.chunks));
      const reasons = new Set(tight.report.evicted.map(({ reason }) => reason));
      expect(
        [...reasons].filter((reason) => reason !== 'exact-duplicate' && reason !== 'semantic-duplicate'),
      ).toEqual([]);
    }),
    { numRuns: 1000, seed: 9 },
  );
});
