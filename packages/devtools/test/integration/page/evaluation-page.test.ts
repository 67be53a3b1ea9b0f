/** The page of an evaluation in a real Chromium: sizes, light and dark, accessibility, and hostile texts. */
import { evaluate } from 'context-shaping-devtools/evaluate';
import { evaluationPage } from 'context-shaping-devtools/inspector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bridgeCase } from '../../evaluate/cases.js';
import { faultsOf, Inspector } from '../../page/browser.js';

let inspector: Inspector;
beforeAll(async () => {
  inspector = await Inspector.start();
});
afterAll(() => inspector?.close());

const hostile = `</title></style><script>alert(1)</script>"><img src=x onerror=alert(1)> &lt;b&gt; \u202e`;
const cases = [1, 2, 3, 4].map((number) => ({
  ...bridgeCase(number),
  id: `${number} ${hostile}`,
  evidence: { answers: [String(1800 + number)], ids: ['other-3'] },
}));
const result = await evaluate({
  cases,
  methods: [{ name: hostile }, { name: 'two', options: { k: 2 } }],
  budgets: [12, 30, 400],
  budget: 12,
});

test.each([
  { width: 1280, dark: false },
  { width: 1280, dark: true },
  { width: 375, dark: false },
  { width: 375, dark: true },
])('$width pixels, dark: $dark', async (view) => {
  await inspector.show(
    evaluationPage(result, { title: hostile }),
    async (page) => {
      expect(await faultsOf(page)).toEqual({ findings: [], surplus: 0 });
      expect(await page.locator('script').count()).toBe(0);
      expect(await page.locator('h2').allTextContents()).toEqual([
        'Evidence kept by budget',
        'At 12 tokens',
        'Least budget',
        'Differences',
        'Lost evidence',
      ]);
      const first = page.locator('#at-budget ~ .wide tbody tr').first();
      expect(await first.locator('th').textContent()).toBe(hostile);
      const share = result.methods[0]?.budgets[0]?.evidence.mean as number;
      expect(await first.locator('td').first().textContent()).toBe(`${(100 * share).toFixed(1)} %`);
      expect(await page.locator('.lost li').count()).toBe(result.lost.explained.length);
      expect(result.lost.explained.length).toBeGreaterThan(0);
      // Columns of words begin at the left, as their heads do.
      const words = page.locator('#differences ~ .wide :is(tr > :nth-child(2), tr > :last-child)');
      expect(
        new Set(await words.evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign))),
      ).toEqual(new Set(['left']));
      // Axes, and one line for each method.
      expect(await page.locator('.wide svg[role=img] path[fill=none]').count()).toBe(6);
    },
    view,
  );
});

test('a result of another version is an error', () => {
  expect(() => evaluationPage({ ...result, evaluationVersion: 2 } as never)).toThrow(
    'no result of an evaluation',
  );
});
