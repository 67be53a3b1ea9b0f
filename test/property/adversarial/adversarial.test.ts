/**
 * Is a wrong fact ever taken for a copy? Pairs made by rule from 150 statements: thousands that differ in one
 * fact, which must all stay, and thousands that differ in form alone, which should be merged.
 */
import { createShaper } from 'context-shaping';
import { loadStaticEmbedder } from 'context-shaping/embeddings';
import { afterAll, describe, expect, test } from 'vitest';
import { CONFLICT_RULES, OTHER_WORD_RULES } from '../../adversarial/conflicts.js';
import { EAST_ASIAN } from '../../adversarial/east-asian.js';
import { FORMS } from '../../adversarial/forms.js';
import { REWRITE_RULES } from '../../adversarial/rewrites.js';
import { type MadePair, makePairs } from '../../adversarial/rules.js';

const UNRELATED = 'The gardener waters the roses behind the old mill when evenings are warm and dry.';

interface Outcome extends MadePair {
  merged: boolean;
  reported: boolean;
  lost: boolean;
}

/** Kinds of rewrites that no vector and no reading of facts is needed for. */
const EXACT = /^(?:case|space|punctuation|markdown)/;

type VectorsOf = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[] | undefined>;

async function outcomes(pairs: readonly MadePair[], vectorsOf: VectorsOf): Promise<Outcome[]> {
  const shaper = createShaper();
  const results: Outcome[] = [];
  for (const pair of pairs) {
    const texts = [...pair.texts, UNRELATED];
    const vectors = await vectorsOf(texts);
    const chunks = texts.map((text, at) => ({ id: 'abc'.charAt(at), text, embedding: vectors?.[at] }));
    const { report } = await shaper.shape({ query: '', chunks });
    results.push({
      ...pair,
      merged: report.evicted.some(({ id }) => id === 'b'),
      reported: report.conflicts.some(({ sides }) =>
        ['a', 'b'].every((id) => sides.some(({ ids }) => ids.includes(id))),
      ),
      lost: report.evicted.some(({ id }) => id !== 'b'),
    });
  }
  return results;
}

/**
 * `least`: what share of each kind of conflict must be reported, and of rewrite be merged. Conflicts are found by
 * facts that replace each other, in texts at any distance.
 */
const MODES: [mode: string, least: { reported: number; merged: number }, vectorsOf: VectorsOf][] = [
  ['words', { reported: 0.95, merged: 0.95 }, async () => undefined],
  ['vectors that are all the same', { reported: 0.95, merged: 1 }, async (texts) => texts.map(() => [1, 0])],
];
const model = process.env.CONTEXT_SHAPING_MODEL;
if (model !== undefined) {
  const embedder = await loadStaticEmbedder(model);
  MODES.push(['a static model', { reported: 0.95, merged: 0.75 }, (texts) => embedder.embed(texts, {})]);
}

const conflicts = makePairs(CONFLICT_RULES);
/** The same, one of each pair in another form: each form in its turn. */
const inForms = conflicts
  .filter(({ context }) => context === 'alone')
  .map((pair, at): MadePair => {
    const [form, change] = Object.entries(FORMS)[at % Object.keys(FORMS).length] as [
      string,
      (text: string) => string,
    ];
    const [one, other] = pair.texts;
    return { ...pair, kind: 'in another form', context: 'alone', name: form, texts: [one, change(other)] };
  });
const eastAsian = EAST_ASIAN.map(({ kind, contradicts, texts }): MadePair & { contradicts: boolean } => ({
  kind: `Chinese and Japanese, ${kind}`,
  name: kind,
  context: 'alone',
  texts,
  contradicts,
}));
const otherWords = makePairs(OTHER_WORD_RULES);
const rewrites = makePairs(REWRITE_RULES);

const lines: string[] = [];
afterAll(() => console.log(lines.join('\n')));

/** Shares by kind and context, each printed. */
function shares(mode: string, results: readonly Outcome[], what: 'merged' | 'reported'): Map<string, number> {
  const groups = new Map<string, Outcome[]>();
  for (const result of results) {
    const group = `${result.kind}, ${result.context}`;
    groups.set(group, [...(groups.get(group) ?? []), result]);
  }
  return new Map(
    Array.from(groups, ([group, of]): [string, number] => {
      const count = of.filter((result) => result[what]).length;
      lines.push(`by ${mode}: ${group}: ${count} of ${of.length} ${what}`);
      return [group, count / of.length];
    }),
  );
}

const wrong = (results: readonly Outcome[]) =>
  results.filter(({ merged, lost }) => merged || lost).map(({ name, texts }) => [name, ...texts]);

test('there are thousands of pairs', () => {
  expect(conflicts.length).toBeGreaterThan(2_000);
  expect(rewrites.length).toBeGreaterThan(2_000);
});

describe.each(MODES)('by %s', (mode, least, vectorsOf) => {
  test('no changed fact is merged, and nearly every one is reported', async () => {
    const results = await outcomes(conflicts, vectorsOf);
    const reported = shares(mode, results, 'reported');
    expect(wrong(results)).toEqual([]);
    for (const [group, share] of reported) expect([group, share >= least.reported]).toEqual([group, true]);
  });

  test('capitals, articles, punctuation, headings and citations hide no contradiction', async () => {
    const results = await outcomes(inForms, vectorsOf);
    expect(wrong(results)).toEqual([]);
    for (const [group, share] of shares(mode, results, 'reported'))
      expect([group, share >= 0.95]).toEqual([group, true]);
  });

  test('contradictions in Chinese and Japanese are reported, and what says the same is not', async () => {
    const results = await outcomes(
      eastAsian.filter(({ contradicts }) => contradicts),
      vectorsOf,
    );
    expect(wrong(results)).toEqual([]);
    const missed = results.filter(({ reported }) => !reported);
    expect(missed.length / results.length).toBeLessThanOrEqual(0.1);
    const same = await outcomes(
      eastAsian.filter(({ contradicts }) => !contradicts),
      vectorsOf,
    );
    expect(same.filter(({ reported }) => reported).map(({ texts }) => texts)).toEqual([]);
  });

  test('no other word is merged', async () => {
    expect(wrong(await outcomes(otherWords, vectorsOf))).toEqual([]);
  });

  test('rewrites are merged', async () => {
    const merged = shares(mode, await outcomes(rewrites, vectorsOf), 'merged');
    for (const [group, share] of merged) {
      expect([group, share >= (EXACT.test(group) ? 1 : least.merged)]).toEqual([group, true]);
    }
  });
});
