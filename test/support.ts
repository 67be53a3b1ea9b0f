/** Helpers of several tests: made-up chunks, deep freezing, shaping with checks. */

import {
  type Chunk,
  type ShapingOptions,
  type ShapingReport,
  type Stage,
  withRelevance,
} from 'context-shaping';
import fc from 'fast-check';
import { FEATURES } from '../src/input/options.js';

/** Freezes an object and all it holds; typed arrays cannot be frozen and are left. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}

/** A chunk, with a text long enough to be about something. */
export const chunk = (id: string, text: string, rest: Partial<Chunk> = {}): Chunk => ({ id, text, ...rest });

export const ids = (chunks: readonly { id: string }[]): string[] => chunks.map(({ id }) => id);

/** The rest of a text without its excerpts, taken out in their order: gaps, and rows that lay them out in tables. */
export function besides(
  text: string,
  original: string,
  excerpts = [{ start: 0, end: original.length }],
): string {
  let rest = text;
  let gaps = '';
  for (const { start, end } of excerpts) {
    const part = original.slice(start, end);
    const at = rest.search(/[^\s…|]|$/);
    const found = rest.startsWith(part) ? 0 : rest.lastIndexOf(part, at);
    if (found < 0) return rest;
    gaps += rest.slice(0, found);
    rest = rest.slice(found + part.length);
  }
  return gaps + rest;
}

/** Everything that came in, by place, as the ledger has it. */
export function ledger(report: ShapingReport): number[] {
  return [...report.kept, ...report.evicted].map(({ index }) => index).sort((a, b) => a - b);
}

/** The report less what may differ between two equal runs. */
export function timeless(report: ShapingReport): unknown {
  return { ...report, stages: report.stages.map(({ milliseconds: _, ...stage }) => stage) };
}

const SENTENCES = [
  'The bridge was opened to traffic on 4 May 1932 after seven years of work.',
  'The bridge was opened to traffic on 4 May 1933 after seven years of work.',
  'Interest is paid weekly, at least $25, and held for 14 days.',
  'Interest is not paid weekly, at least $25, and held for 14 days.',
  'Прогулка по набережной занимает около двух часов.',
  '大桥于一九三二年五月开放通车，全长一千一百米。',
  '橋は1932年に開通しました。全長は1149メートルです。',
  'يبلغ طول الجسر ألف متر ويربط ضفتي النهر.',
  'const total = items.reduce((sum, item) => sum + item.price, 0);',
  '{"name": "bridge", "length": 1149, "spans": [503, 323]}',
  '| span | metres |\n|---|---|\n| main | 503 |\n| side | 323 |',
  '🎉🎉 The party is on! 👩‍👩‍👧‍👦 Everyone is welcome, bring your own chairs 🪑.',
  'Ein Kabel trägt bis zu 3,5 Tonnen, sagt die Behörde für Verkehrssicherheit.',
  'aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0IHRleHQ=',
  '<|endoftext|> is a special token, <|im_start|> another.',
  'OK.',
  '',
  '   \n\t ',
];

const sentence = fc.oneof(
  fc.constantFrom(...SENTENCES),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.lorem({ maxCount: 2 }),
);

/** A text made of one to four sentences; now and then the same in other clothes, so that copies occur. */
export const text: fc.Arbitrary<string> = fc
  .tuple(fc.array(sentence, { minLength: 1, maxLength: 4 }), fc.constantFrom('', 'upper', 'spaced'))
  .map(([sentences, clothes]) => {
    const plain = sentences.join(' ');
    if (clothes === 'upper') return plain.toUpperCase();
    return clothes === 'spaced' ? `  ${plain.replaceAll(' ', '  ')}\n` : plain;
  });

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** A pool of chunks as retrievers return them: with and without scores, vectors (of one dimension), sources. */
export function pool(maxLength: number): fc.Arbitrary<Chunk[]> {
  return fc
    .record({
      texts: fc.array(text, { maxLength }),
      scored: fc.constantFrom('all', 'some', 'none'),
      vectors: fc.constantFrom('all', 'some', 'none'),
      seed: fc.nat(),
    })
    .map(({ texts, scored, vectors, seed }) =>
      texts.map((each, index) => {
        const dice = (salt: number) => ((seed + 1) * (index + 7) * (salt + 13) * 2_654_435_761) % 101;
        return {
          id: `c${index}`,
          text: each,
          ...(scored === 'all' || (scored === 'some' && dice(1) > 50) ? { score: dice(2) / 10 } : {}),
          ...(vectors === 'all' || (vectors === 'some' && dice(3) > 50)
            ? { embedding: [0, 1, 2, 3].map((axis) => (dice(4) > 95 ? 0 : dice(axis + 5) - 50)) }
            : {}),
          metadata: { source: `s${dice(9) % 3}`, position: dice(10) },
        };
      }),
    );
}

const RANKED: Stage = {
  specificationVersion: 'v1',
  name: 'variety',
  run: ({ candidates }) => ({
    kept: candidates.map((each) => withRelevance(each, each.signals.entropy?.blend ?? 0)),
  }),
};

/** The most varied text first, as plain entropy pruning ranks. */
export const byEntropy: ShapingOptions = {
  semanticDedup: false,
  cluster: false,
  relevance: false,
  select: { lambda: 1 },
  extract: false,
  stages: (all) => all.flatMap((each) => (each.name === 'select' ? [RANKED, each] : [each])),
};

/** Options as users set them: any budget, any stage on or off. */
export const options = fc.record(
  {
    k: optional(fc.integer({ min: 1, max: 12 })),
    budget: fc.record({
      maxTokens: optional(fc.integer({ min: 5, max: 300 })),
      reserve: fc.integer({ min: 0, max: 4 }),
      perSource: optional(fc.integer({ min: 1, max: 120 })),
    }),
    tokenizer: fc.constant('o200k_base'),
    allowEmpty: fc.boolean(),
    pin: fc.uniqueArray(fc.constantFrom('c0', 'c1', 'c5'), { maxLength: 2 }),
    namespace: optional(fc.constant('source')),
    annotate: fc.oneof(
      fc.constant(false as const),
      fc.record({ minEntropy: fc.constantFrom(0, 0.2, 0.6, 1) }),
    ),
    exactDedup: fc.constantFrom(false as const, {}),
    semanticDedup: fc.oneof(
      fc.constant(false as const),
      fc.record({ maxDistance: fc.constantFrom(0, 0.06, 0.3, 1) }),
    ),
    conflicts: fc
      .record({
        prefer: optional(fc.constantFrom('newest', 'trusted', 'majority', 'position')),
        drop: fc.boolean(),
      })
      .map(({ prefer, drop }) => ({ prefer, drop: drop && prefer !== undefined })),
    relevance: fc.constantFrom(false as const, {}),
    cluster: fc.oneof(
      fc.constant(false as const),
      fc.record({
        maxDistance: fc.constantFrom(0, 0.1, 0.5, 1),
        linkage: fc.constantFrom('single', 'complete', 'average', 'ward'),
        representative: fc.constantFrom('auto', 'score', 'centroid', 'query-closest', 'longest'),
        maxPerCluster: fc.integer({ min: 1, max: 3 }),
      }),
    ),
    select: fc.record({ lambda: fc.constantFrom(0, 0.3, 0.7, 1) }),
    order: fc.constantFrom(false as const, 'relevance', 'input', 'source', 'edges-first'),
  },
  { requiredKeys: [] },
);

/** Weights of all features of relevance: those given, and 0. */
export function weightsOf(given: Record<string, number>): Record<string, number> {
  return { ...Object.fromEntries(FEATURES.map((name) => [name, 0])), ...given };
}
