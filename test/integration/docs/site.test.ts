/** The built documentation: its links, and its pages in a real Chromium. Nothing leaves this machine. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from '../../../packages/devtools/test/page/browser.js';
import { CHROMIUM, launchChromium } from '../../chromium.js';
import { type Page as BuiltPage, readPage, resolveLink } from '../../docs/html.js';
import { buildSite, filesOf, hasPackages, type Served, serve } from '../../docs/site.js';
import { mustHaveAll } from '../../must-have-all.js';

describe.skipIf(!hasPackages && !mustHaveAll)('the documentation', () => {
  let folder: string;
  const pages = new Map<string, BuiltPage>();

  beforeAll(() => {
    folder = buildSite();
    for (const file of filesOf(folder, '.html'))
      pages.set(file, readPage(readFileSync(join(folder, file), 'utf8')));
  });

  test('has every kind of page', () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining([
        ...['index.html', '404.html', 'playground.html', 'guide/langchain.html', 'reference/options.html'],
        ...['decisions.html', 'project/design.html', 'examples/on-its-own.html'],
        'reference/api/context-shaping.html',
        'reference/api/context-shaping/langchain.html',
      ]),
    );
  });

  test('is at most 60 MB', () => {
    const size = filesOf(folder, '').reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(size).toBeLessThan(60e6);
  });

  test('every link and every anchor leads somewhere', () => {
    const dead = [...pages].flatMap(([from, { links }]) =>
      links.flatMap((link) => {
        const target = resolveLink(link, from);
        if (target === undefined) return [];
        const { file, anchor } = target;
        const page = pages.get(file);
        const exists =
          page === undefined ? existsSync(join(folder, file)) : anchor === '' || page.ids.has(anchor);
        return exists ? [] : [`${from}: ${link}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  test('links lead to every page', () => {
    const reached = new Set(['index.html', '404.html']);
    for (const from of reached)
      for (const link of pages.get(from)?.links ?? []) {
        const file = resolveLink(link, from)?.file;
        if (file !== undefined && pages.has(file)) reached.add(file);
      }
    expect([...pages.keys()].filter((file) => !reached.has(file))).toEqual([]);
  });

  test('pages, styles and drawings fetch nothing from another host, and every fetched file exists', () => {
    const wrong = [...pages].flatMap(([from, { fetched }]) =>
      fetched.filter((each) => {
        const target = resolveLink(each, from);
        return target === undefined ? !each.startsWith('data:') : !existsSync(join(folder, target.file));
      }),
    );
    expect(wrong).toEqual([]);
    for (const file of [
      ...filesOf(folder, '.css'),
      ...filesOf(folder, '.html'),
      ...filesOf(folder, '.svg'),
    ]) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text, file).not.toMatch(/url\(\s*['"]?(?:https?:)?\/\/|@import\s+(?:url\()?\s*['"]?https?:/);
    }
  });

  describe.skipIf(!existsSync(CHROMIUM) && !mustHaveAll)('in Chromium', () => {
    let site: Served;
    let browser: Browser;
    /** Requests to any other origin, of all tests. */
    const foreign: string[] = [];

    beforeAll(async () => {
      site = await serve(folder);
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser?.close();
      await site?.[Symbol.asyncDispose]();
    });

    /** Opens a page, runs `use` on it, and expects no error, no missing file and no request to another host. */
    async function visit(
      path: string,
      use: (page: Page, context: BrowserContext) => Promise<void>,
      { width = 1280, dark = false } = {},
    ): Promise<void> {
      const context = await browser.newContext({
        viewport: { width, height: 812 },
        colorScheme: dark ? 'dark' : 'light',
      });
      context.setDefaultTimeout(300_000);
      const errors: string[] = [];
      await context.route(
        (url) => url.origin !== site.origin,
        (route) => {
          foreign.push(route.request().url());
          return route.abort();
        },
      );
      try {
        const page = await context.newPage();
        page.on('pageerror', (error) => errors.push(error.message));
        await page.goto(site.origin + path, { waitUntil: 'networkidle' });
        // The program of a page names its switches.
        await page
          .locator('.VPNavBarAppearance [role=switch][title]:not([title=""])')
          .waitFor({ state: 'attached' });
        await use(page, context);
        expect(errors).toEqual([]);
        expect(site.missing).toEqual([]);
        expect(foreign).toEqual([]);
      } finally {
        await context.close();
      }
    }

    /** The keys of the search work once the page has its program. */
    async function openSearch(page: Page) {
      const open = async () => {
        await page.keyboard.press('Control+k');
        return page.getByRole('searchbox').count();
      };
      await expect.poll(open, { timeout: 60_000, interval: 500 }).toBe(1);
    }

    const LOOKED_AT = [
      { name: 'the landing page', path: '/' },
      { name: 'a guide', path: '/guide/langchain.html' },
      { name: 'the options', path: '/reference/options.html' },
      { name: 'the API', path: '/reference/api/' },
      { name: 'an entry of the API', path: '/reference/api/context-shaping/langchain.html' },
      { name: 'a missing page', path: '/404.html' },
      { name: 'the playground', path: '/playground.html' },
    ];
    const VIEWS = [375, 1280].flatMap((width) => [false, true].map((dark) => ({ width, dark })));

    const check = async (page: Page) => {
      expect(await faultsOf(page)).toEqual({ findings: [], surplus: 0 });
    };

    describe.each(LOOKED_AT)('$name', ({ path }) => {
      test.each(VIEWS)('is accessible and not too wide at $width px, dark: $dark', async (view) => {
        await visit(path, check, view);
      });
    });

    test('while the index of the search loads, a sign says so; the first result on the budget is its guide', async () => {
      await visit('/', async (page, context) => {
        const held: (() => void)[] = [];
        await context.route(/@localSearchIndex/, async (route) => {
          await new Promise<void>((resolve) => held.push(resolve));
          await route.continue();
        });
        await openSearch(page);
        await page.getByRole('searchbox').fill('budget');
        const sign = () =>
          page
            .locator('.VPLocalSearchBox .results')
            .evaluate((list) => getComputedStyle(list, '::after').content);
        expect(await sign()).toContain('Searching');
        for (const go of held) go();
        await page.locator('.VPLocalSearchBox .result').first().waitFor();
        expect(await sign()).toBe('none');
        await page.keyboard.press('Enter');
        await page.waitForURL(/\/guide\/budget\.html/);
      });
    });

    test.each([1280, 375])('the playground is the inspector, which shapes again, at %i px', async (width) => {
      await visit(
        '/playground.html',
        async (page) => {
          const frame = page.frameLocator('iframe');
          const passages = frame.locator('.chunk:not(.gone)');
          await passages.first().waitFor();
          // The page around the inspector may still load the programs of pages that its links name.
          const sent: string[] = [];
          page.on('request', (request) => {
            if (request.frame() !== page.mainFrame()) sent.push(request.url());
          });
          expect(await frame.locator('.chunk').count()).toBe(60);
          const before = await passages.count();
          expect(before).toBeGreaterThan(5);
          if (width === 375) await frame.getByText('Shape again').click();
          await frame.getByLabel('k, exactly').fill('3');
          await frame.getByLabel('k, exactly').press('Enter');
          await frame.locator('.effect').waitFor();
          await expect.poll(() => passages.count()).toBe(3);
          expect(sent).toEqual([]);
        },
        { width },
      );
    });
  });
});
