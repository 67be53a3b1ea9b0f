/** The inspector's page in a real Chromium: by mouse, by keyboard, with sliders, and with hostile texts. */
import { type Conflict, type ConflictSide, renderContext } from 'context-shaping';
import { type ContextLockfile, openLockfile } from 'context-shaping-devtools/lockfile';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunks } from '../../../../../test/pool.js';
import { sealed } from '../../../src/lockfile/record.js';
import { faultsOf, Inspector, keptIn, slide, surplusOf } from '../../page/browser.js';
import { cut, HOSTILE, parcels, record, withVectors } from '../../page/runs.js';

let inspector: Inspector;
beforeAll(async () => {
  inspector = await Inspector.start();
});
afterAll(() => inspector?.close());

const row = (page: Page, index: number) => page.locator(`#chunk-${index}`);
const open = async (page: Page, index: number) => {
  await row(page, index).locator('.chunk-head').click();
  await row(page, index).locator('.sentences').waitFor();
};
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('li')?.id ?? document.activeElement?.id);
const kept = ({ report }: Pick<ContextLockfile, 'report'>) => report.kept.map(({ index }) => index);

test.each([1280, 375])('the first passage is in sight without scrolling at %i px', async (width) => {
  const shaped = await record(chunks, { budget: { maxTokens: 160 } }, 'When did the toll bridge open?');
  await inspector.visit(
    [shaped, await cut()],
    async (page) => {
      const text = page.locator('.chunk .text').first();
      const { y = 0, height = 0 } = (await text.boundingBox()) ?? {};
      expect(y).toBeLessThan(480);
      expect(y + height).toBeLessThan(800);
      const conflicts = await page.locator('#conflicts > summary').boundingBox();
      expect(conflicts?.y).toBeLessThan(y);
      expect(await page.locator('.figures').textContent()).not.toContain(shaped.report.digest.slice(0, 12));
    },
    { width },
  );
});

test('the passages are the texts of the context, and the prompt is copied with and without its frame', async () => {
  const lockfile = await cut();
  const { chunks: passages } = await openLockfile(lockfile).at({});
  const plain = passages.map(({ text }) => text);
  await inspector.visit([lockfile], async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async () => {
      await page.getByRole('button', { name: 'Copy the prompt' }).click();
      await page.getByText('Copied.').waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    // The page shapes the run once more, to have them.
    await expect
      .poll(() => page.locator('.chunk:not(.gone) .text').allTextContents(), { timeout: 30_000 })
      .toEqual(plain);
    expect(await copied()).toBe(plain.join('\n\n'));
    await page.getByLabel('With frame').check();
    const framed = (await page.locator('.prompt').textContent()) ?? '';
    expect(await copied()).toBe(framed);
    const [, boundary = ''] = /^\[BEGIN (\d+)\]/.exec(framed) ?? [];
    expect(framed).toBe(renderContext(passages, { boundary }).text);
    expect(await page.locator('q').textContent()).toBe(renderContext(passages, { boundary }).instruction);
  });
});

test('a run that cannot be repeated shows the recorded parts of its texts, and says so', async () => {
  const lockfile = await cut();
  const { kept: entries } = lockfile.report;
  await inspector.visit([sealed({ ...lockfile, functions: ['stages'] })], async (page) => {
    expect(await page.locator('main').textContent()).toContain(
      '“ … ” marks a place at which a passage was cut.',
    );
    expect(await page.locator('.chunk:not(.gone) .text').allTextContents()).toEqual(
      entries.map(({ index, excerpts }) => {
        const { text = '' } = chunks[index] ?? {};
        return excerpts?.map(({ start, end }) => text.slice(start, end)).join(' … ') ?? text;
      }),
    );
  });
});

test('the figures add up', async () => {
  const lockfile = await record(chunks, { preview: 120, budget: { maxTokens: 160 } });
  const { input, kept: stayed, evicted, conflicts } = lockfile.report;
  const isKept = ({ indices }: ConflictSide) => indices.some((index) => kept(lockfile).includes(index));
  const met = conflicts.filter(({ sides }) => sides.filter(isKept).length > 1).length;
  await inspector.visit([lockfile], async (page) => {
    expect(await page.locator('.figures dd').allTextContents()).toEqual(
      expect.arrayContaining([
        `${stayed.length} of ${input.length}`,
        `${lockfile.report.tokens.output} of 160`,
        `${evicted.length} `,
      ]),
    );
    expect(stayed.length + evicted.length).toBe(input.length);
    const counts = await page.locator('.reasons b').allTextContents();
    expect(counts.reduce((sum, each) => sum + Number(each), 0)).toBe(evicted.length);
    const titles = page.locator('#conflicts-title');
    expect(await titles.textContent()).toBe(`Conflicts in the context: ${met}`);
    expect(await page.locator('#conflicts > .conflicts > li').count()).toBe(met);
    expect(await page.locator('.conflicts > li').count()).toBe(conflicts.length);
  });
});

test('every chunk is kept, cut or gone, in the order of the result', async () => {
  const lockfile = await cut();
  const { report } = lockfile;
  await inspector.visit([lockfile], async (page) => {
    expect(await keptIn(page)).toEqual(kept(lockfile));
    expect(await page.locator('.chunk.cut').count()).toBe(
      report.kept.filter(({ excerpts }) => excerpts !== undefined).length,
    );
    expect(await page.locator('.chunk.gone').count()).toBe(report.evicted.length);
    await page.getByText('Stages', { exact: true }).click();
    const stages = await page.locator('.stages').textContent();
    for (const { name } of report.stages) expect(stages).toContain(name);
  });
});

test('the struck parts are those that were cut', async () => {
  const lockfile = await cut();
  const entry = lockfile.report.kept.find(({ excerpts }) => excerpts !== undefined);
  if (entry === undefined) throw new Error('No chunk of the test is cut.');
  await inspector.visit([lockfile], async (page) => {
    await open(page, entry.index);
    const text = row(page, entry.index).locator('.text');
    const { text: original = '' } = chunks[entry.index] ?? {};
    expect(await text.textContent()).toBe(original);
    const left = await text.locator('> span').allTextContents();
    expect(left).toEqual(entry.excerpts?.map(({ start, end }) => original.slice(start, end)));
    expect(await text.locator('del').count()).toBeGreaterThan(0);
  });
});

test('by mouse: a reason filters, and a copy leads to the chunk that stayed', async () => {
  const lockfile = await cut();
  const copy = lockfile.report.evicted.find(({ reason }) => reason === 'exact-duplicate');
  if (copy?.reason !== 'exact-duplicate') throw new Error('No chunk of the test is a copy.');
  const standIn = lockfile.report.input.indexOf(copy.keptId);
  await inspector.visit([lockfile], async (page) => {
    await page.getByRole('button', { name: /^\d+ exact-duplicate$/ }).click();
    expect(await page.locator('.chunk.gone').count()).toBe(
      lockfile.report.evicted.filter(({ reason }) => reason === 'exact-duplicate').length,
    );
    await open(page, copy.index);
    await row(page, copy.index).locator('.links').getByRole('button').first().click();
    await row(page, standIn).locator('.details').waitFor();
    expect(await focused(page)).toBe(`chunk-${standIn}`);
  });
});

test('an explanation states a value that keeps a chunk, and its button shapes with that value', async () => {
  const lockfile = await cut();
  const { index } = lockfile.report.evicted.find(({ reason }) => reason === 'over-budget') ?? { index: -1 };
  await inspector.visit([lockfile], async (page) => {
    await open(page, index);
    const attempt = row(page, index).locator('.range').first().getByRole('button', { name: /^Try/ });
    await attempt.click();
    await page.locator(`#chunk-${index}:not(.gone)`).waitFor();
    expect(await row(page, index).locator('.tag.came').count()).toBe(1);
  });
});

test('by keyboard: search, open, and go to another chunk', async () => {
  const lockfile = await cut();
  const [first] = lockfile.report.kept;
  await inspector.visit([lockfile], async (page) => {
    await page.locator('#search').focus();
    await page.keyboard.type(first?.id ?? '');
    const head = page.locator(`#chunk-${first?.index} > .chunk-head`);
    for (
      let moves = 0;
      moves < 40 && !(await head.evaluate((own) => own === document.activeElement));
      moves++
    )
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await row(page, first?.index ?? -1)
      .locator('.details')
      .waitFor();
  });
});

describe('sliders', () => {
  const cases: [string, () => Promise<ContextLockfile>][] = [
    ['words', cut],
    ['vectors', withVectors],
    ['sixty chunks', () => record(parcels(60), { budget: { maxTokens: 700 } })],
  ];
  test.each(cases)('keep what a run in Node keeps: %s', async (_, make) => {
    const lockfile = await make();
    const session = openLockfile(lockfile);
    await inspector.visit([lockfile], async (page) => {
      const total = lockfile.report.tokens.input;
      for (const share of [0.05, 0.13, 0.3, 0.62, 0.9]) {
        const maxTokens = Math.round(share * total);
        await slide(page, 'maxTokens', maxTokens);
        await expectKept(page, kept(await session.at({ budget: { maxTokens } })));
      }
      const maxTokens = Math.round(0.4 * total);
      await slide(page, 'maxTokens', maxTokens);
      for (const k of [1, 3, 8]) {
        await slide(page, 'k', k);
        await expectKept(page, kept(await session.at({ budget: { maxTokens }, k })));
      }
      for (const lambda of [0, 0.37, 1]) {
        await slide(page, 'lambda', lambda);
        await expectKept(page, kept(await session.at({ budget: { maxTokens }, k: 8, lambda })));
      }
      await page.getByRole('button', { name: 'Back to the recorded run' }).click();
      await expectKept(page, kept(lockfile));
    });
  });

  async function expectKept(page: Page, indices: number[]) {
    await expect.poll(() => keptIn(page), { timeout: 30_000 }).toEqual(indices);
  }

  test('after a fast move, the last value counts, and the result is announced', async () => {
    const lockfile = await record(parcels(60), { budget: { maxTokens: 700 } });
    const session = openLockfile(lockfile);
    await inspector.visit([lockfile], async (page) => {
      const values = Array.from({ length: 60 }, (_, step) => 100 + 21 * step);
      await slide(page, 'maxTokens', ...values);
      const { report } = await session.at({ budget: { maxTokens: values.at(-1) } });
      await expectKept(page, kept({ report }));
      await page
        .locator('aside [role=status]')
        .filter({ hasText: `${report.kept.length} chunks kept` })
        .waitFor({ state: 'attached' });
      const before = new Set(kept(lockfile));
      const came = report.kept.filter(({ index }) => !before.has(index)).length;
      expect(await page.locator('.chunk .tag.came').count()).toBe(came);
      const went = kept(lockfile).filter((index) => !kept({ report }).includes(index)).length;
      expect(await page.locator('.effect > p').first().textContent()).toBe(
        `${before.size} chunks − ${went} + ${came} = ${report.kept.length}`,
      );
    });
  });

  test('by keyboard, the budget goes from stop to stop, to no limit', async () => {
    const lockfile = await cut();
    const session = openLockfile(lockfile);
    await inspector.visit([lockfile], async (page) => {
      const slider = page.locator('#slide-maxTokens');
      const budget = async () => Number(await page.locator('#exact-maxTokens').inputValue());
      expect(await budget()).toBe(160);
      await slider.focus();
      let last = 160;
      for (let steps = 0; steps < 5; steps++) {
        await page.keyboard.press('ArrowLeft');
        await expect.poll(budget).toBeLessThan(last);
        last = await budget();
      }
      await expectKept(page, kept(await session.at({ budget: { maxTokens: last } })));
      await page.keyboard.press('End');
      await expectKept(page, kept(await session.at({ budget: { maxTokens: null } })));
      expect(await slider.getAttribute('aria-valuetext')).toBe('no limit');
    });
  });

  test('an exact counter is replaced by the estimate, and the page says so', async () => {
    const lockfile = await record(chunks, { tokenizer: 'o200k_base', budget: { maxTokens: 160 } });
    await inspector.visit([lockfile], async (page) => {
      expect(await page.locator('.sliders').textContent()).toContain('counted tokens by o200k_base');
      expect(await keptIn(page)).toEqual(kept(lockfile));
      await slide(page, 'maxTokens', 90);
      const session = openLockfile(lockfile, { options: { tokenizer: 'estimate' } });
      await expectKept(page, kept(await session.at({ budget: { maxTokens: 90 } })));
    });
  });

  test('without texts there are none, and the page names the file that it needs', async () => {
    const { report } = await cut();
    await inspector.visit([report], async (page) => {
      expect(await page.locator('.sliders input').count()).toBe(0);
      expect(await page.locator('.sliders').textContent()).toContain('context-shaping-devtools record');
      await open(page, report.evicted[0]?.index ?? -1);
      expect(await page.locator('.details').textContent()).toContain('was not recorded');
      expect(await page.locator('main').textContent()).not.toContain('in the same process');
      expect(await page.getByRole('button', { name: 'Copy the prompt' }).count()).toBe(0);
    });
  });
});

test('a conflict is a table of its sides, above the texts with the place marked', async () => {
  const lockfile = await record(chunks, { preview: 120 });
  const [found] = lockfile.report.conflicts as [Conflict];
  const [one, other] = found.sides as [ConflictSide, ConflictSide];
  const conflict = {
    ...found,
    about: 'the bridge opened on',
    sides: [
      { ...one, says: '4 May 1933', version: 'v2' },
      { ...other, says: '4 May 1932' },
    ],
  };
  const shown = { ...lockfile.report, conflicts: [conflict] };
  await inspector.visit([{ lockfile, report: shown }], async (page) => {
    const line = page.locator('#conflicts > summary');
    expect(await line.textContent()).toContain('the bridge opened on');
    const first = page.locator('.conflicts > li').first();
    expect(await first.isVisible()).toBe(false);
    await line.click();
    expect(await first.locator('caption').textContent()).toContain('the bridge opened on');
    expect(await first.getByRole('rowheader').allTextContents()).toEqual(['4 May 1933', '4 May 1932']);
    const [left, right] = (await first.getByRole('cell').allTextContents()) as [string, string];
    expect(left).toContain('version v2');
    expect(right).not.toContain('version');
    await first.getByText('Texts side by side').click();
    expect(await first.locator('.side').count()).toBe(2);
    expect(await first.locator('mark').allTextContents()).toEqual(['4 May 1933', '4 May 1932']);
    const places = one.indices.map((index) => kept(lockfile).indexOf(index) + 1);
    expect(
      await row(page, other.indices[0] as number)
        .locator('.chunk-head')
        .textContent(),
    ).toContain(`conflicts with ${places.join(', ')}`);
    await first.getByRole('button', { name: other.ids[0] as string }).click();
    expect(
      await row(page, other.indices[0] as number)
        .locator('.details')
        .count(),
    ).toBe(1);
  });
});

test('two runs side by side', async () => {
  const [one, other] = [await cut(), await record(chunks, { budget: { maxTokens: 160 }, k: 2 })];
  const left = kept(other);
  const went = kept(one).filter((index) => !left.includes(index));
  await inspector.visit(
    [
      { ...run(one), name: 'first' },
      { ...run(other), name: 'second' },
    ],
    async (page) => {
      await page.getByText('Compare', { exact: true }).click();
      await page.locator('.pairs').waitFor();
      expect(await page.locator('.pairs .tag.went').count()).toBe(went.length);
      expect(await page.locator('.options').textContent()).toMatch(/options\.k.*→.*2/);
      await page.locator('.run-choice select').selectOption('1');
      expect(await keptIn(page)).toEqual(left);
    },
  );
});

const run = (lockfile: ContextLockfile) => ({ lockfile, report: lockfile.report });

test('hostile texts are texts, and hidden characters are seen', async () => {
  const lockfile = await record(HOSTILE, {}, 'Within how many days </script><script>alert(0)</script>?');
  await inspector.visit([lockfile], async (page) => {
    for (const index of HOSTILE.keys()) await open(page, index);
    expect(await page.locator('#context-shaping-inspector :is(img, script, style, svg svg)').count()).toBe(0);
    const textOf = (index: number) => row(page, index).locator('.text').textContent();
    expect(await textOf(0)).toBe(HOSTILE[0]?.text);
    expect(await textOf(2)).toMatch(/U\+202E.*03.*U\+202C.*U\+2066.*now.*U\+2069/);
    expect(await textOf(2)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(await textOf(3)).toMatch(/U\+200B U\+200B U\+200B.*U\+E0049 U\+E0067 U\+E006E.*U\+0000 U\+0007/);
    expect(await row(page, 3).locator('.chunk-head').textContent()).toContain('U+200B');
    expect((await textOf(4))?.length).toBeLessThan(5000);
    await row(page, 4)
      .getByRole('button', { name: /^Show the other/ })
      .click();
    await expect.poll(async () => (await textOf(4))?.length).toBe(HOSTILE[4]?.text.length);
    expect(await surplusOf(page)).toBe(0);
  });
});

const VIEWS = [375, 1280].flatMap((width) => [false, true].map((dark) => ({ width, dark })));
test.each(VIEWS)('is accessible and not too wide at $width px, dark: $dark', async (view) => {
  const [one, other] = [await cut(), await record(chunks, { k: 3 })];
  await inspector.visit(
    [one, other],
    async (page) => {
      expect(await faultsOf(page)).toEqual({ findings: [], surplus: 0 });
      await page.locator('.sliders').evaluate((sliders: HTMLDetailsElement) => {
        sliders.open = true;
      });
      await slide(page, 'maxTokens', 90);
      await page.locator('.effect').waitFor();
      await open(page, (await keptIn(page))[0] ?? -1);
      await page.locator('.chunk.gone .chunk-head').first().click();
      await page.locator('.range').first().waitFor();
      expect(await faultsOf(page)).toEqual({ findings: [], surplus: 0 });
      await page.locator('details').evaluateAll((all) => {
        for (const each of all as HTMLDetailsElement[]) each.open = true;
      });
      await page.locator('.pairs').waitFor();
      await page.getByLabel('With frame').check();
      expect(await faultsOf(page)).toEqual({ findings: [], surplus: 0 });
      await page.getByText('Dark / light').click();
      await expect
        .poll(() => page.evaluate(() => document.documentElement.dataset.theme))
        .toBe(view.dark ? 'light' : 'dark');
      expect(await faultsOf(page)).toEqual({ findings: [], surplus: 0 });
    },
    view,
  );
});

test('on paper there are the chunks, and no controls', async () => {
  await inspector.visit([await cut()], async (page) => {
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.sliders').isVisible()).toBe(false);
    expect(await page.getByLabel('Search').isVisible()).toBe(false);
    expect(await page.locator('.chunk').last().isVisible()).toBe(true);
  });
});

test('five hundred chunks are all there, and the search finds one', async () => {
  await inspector.visit([await record(parcels(500), { budget: { maxTokens: 2000 } })], async (page) => {
    expect(await page.locator('.chunk').count()).toBe(500);
    await page.getByLabel('Search').fill('parcel 417 left');
    await expect.poll(() => page.locator('.chunk').count()).toBe(1);
    await row(page, 417).waitFor();
  });
});

test.each([
  [
    'texts',
    'The bridge opened in 1932.\n\n\nthe bridge opened, in 1932\n\nCats sleep\nall day.',
    ['1', '3', '2'],
  ],
  ['JSON', JSON.stringify([{ id: 'a', text: 'The bridge opened in 1932.' }]), ['a']],
])('the reader gives chunks as %s, and the page shapes them without a request', async (_, text, ids) => {
  await inspector.visit([await cut()], async (page) => {
    await page.getByText('Your own chunks').click();
    await page.getByLabel('Question').fill('When did the bridge open?');
    const field = page.getByLabel('Chunks', { exact: true });
    await field.fill('[{ "id": 7 }]');
    await page.getByRole('button', { name: 'Shape them' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('chunks[0].id');
    await field.fill(text);
    await page.getByRole('button', { name: 'Shape them' }).click();
    await expect.poll(() => page.locator('h1').textContent()).toBe('When did the bridge open?');
    expect(await page.locator('.chunk .id').allTextContents()).toEqual(ids);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.locator('.run-choice select').selectOption('0');
    await expect.poll(() => page.locator('.chunk').count()).toBe(chunks.length);
  });
});

test('the title of the page is at its head', async () => {
  const title = '</title> Contexts of 3 May';
  await inspector.visit(
    [await cut()],
    async (page) => {
      expect(await page.title()).toBe(title);
      expect(await page.locator('.product').textContent()).toBe(title);
    },
    { title },
  );
});

test('a page without runs says so', async () => {
  await inspector.visit([], async (page) => {
    expect(await page.locator('#context-shaping-inspector').textContent()).toContain('no run');
  });
});
