/** A run says up to which budget others are equal to it. Each of those is compared with a run of its own. */
import { createShaper, type ShapingOptions } from 'context-shaping';
import { expect, test } from 'vitest';
import { insideOf } from '../../src/internal.js';

const TOPICS = ['toll', 'ferry', 'cables', 'lamps'];
const CHUNKS = TOPICS.flatMap((topic, at) => [
  {
    id: topic,
    text: `# The ${topic}\n\nThe ${topic} of the bridge was planned in ${1920 + at}. It took ${at + 2} years, because the ${topic} had to be brought by ship.\n\n| year | ${topic} |\n|---|---|\n| ${1930 + at} | ${at * 7} |\n| ${1931 + at} | ${at * 9} |\n\nHow long it would stay was not known. See the ${topic} of other bridges.`,
    metadata: { source: `${at % 3}.md`, tier: at % 2 === 0 ? 'own' : 'web' },
  },
  { id: `${topic} 2`, text: `Nobody paid for the ${topic}. Ships passed below the bridge.` },
]);
const input = { query: 'How long did the bridge and its cables take?', chunks: CHUNKS, ranked: false };

const SETTINGS: Record<string, ShapingOptions> = {
  'a budget alone': {},
  'with k': { k: 3 },
  'whole chunks': { extract: false },
  'whole chunks and k': { extract: false, k: 4 },
  'a limit for each source': { budget: { perSource: 40, reserve: 7 } },
  tiers: { fields: { trust: 'tier' }, trust: [{ value: 'own' }, { value: 'web', maxTokens: 30, k: 2 }] },
  'a frame': { frame: { spotlight: 'delimiter' } },
  pins: { pin: ['ferry', 'lamps 2'] },
  'clusters and diversity': { cluster: { maxDistance: 0.9 }, select: { lambda: 0.5 } },
};

test.each(Object.keys(SETTINGS))('%s', async (name) => {
  const options = { tokenizer: 'characters/4', ...SETTINGS[name] } as ShapingOptions;
  const { reserve = 0 } = options.budget ?? {};
  const budgetOf = (maxTokens: number) => ({ ...options.budget, maxTokens });
  const shaper = createShaper({ ...options, budget: budgetOf(500) });
  const inside = insideOf(shaper.session(input));
  if (inside === undefined) throw new Error('There is no session.');
  let runs = 0;
  const [from, to] = [reserve + 1, 250];
  for (let next = from; next <= to; runs++) {
    const { kept, slack } = await inside.atBudget(next);
    expect(slack).toBeGreaterThanOrEqual(0);
    const last = Math.min(to, next + slack);
    for (const maxTokens of new Set([next, Math.floor((next + last) / 2), last])) {
      const own = await shaper.with({ budget: budgetOf(maxTokens) }).shape(input);
      const found = own.report.kept.map(
        ({ index, excerpts }) => [index, excerpts === undefined ? 'whole' : 'cut'] as const,
      );
      expect(new Map(found), `${maxTokens}, as with ${next}`).toEqual(kept);
    }
    next = last + 1;
  }
  expect(runs).toBeLessThan(to - from);
  if (options.extract === false) expect(runs).toBeLessThan((to - from) / 4);
});

test('a stage of the user may read budgets in evictions, so every budget is run', async () => {
  const stages: ShapingOptions['stages'] = (defaults) => [
    ...defaults,
    { specificationVersion: 'v1', name: 'own', run: ({ candidates }) => ({ kept: candidates }) },
  ];
  const session = createShaper({ stages, budget: { maxTokens: 500 } }).session(input);
  expect((await insideOf(session)?.atBudget(100))?.slack).toBe(0);
});
