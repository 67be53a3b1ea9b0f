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

    /** The playground with the result of its sample. */
    async function playground(use: (page: Page) => Promise<void>, view?: { width?: number; dark?: boolean }) {
      await visit(
        '/playground.html',
        async (page) => {
          await shaped(page);
          await use(page);
        },
        view,
      );
    }
    const status = (page: Page) => page.locator('.output > [role=status]');
    const shaped = (page: Page) =>
      status(page)
        .filter({ hasText: /chunks kept/ })
        .waitFor();

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
        await (path === '/playground.html' ? playground(check, view) : visit(path, check, view));
      });
    });

    test('while the index of the search loads, a sign says so; the first result opens a page', async () => {
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
        await page.waitForURL(/\.html/);
      });
    });

    test('the playground shapes its sample of 60 chunks', async () => {
      await playground(async (page) => {
        expect(await status(page).textContent()).toMatch(/^\d+ of 60 chunks kept, [\d]+ of \d{4} tokens\.$/);
        const passages = page.locator('.passages > li');
        const [kept, gone] = [await passages.count(), await page.locator('.evicted > li').count()];
        expect(kept).toBeGreaterThan(5);
        expect(kept + gone).toBe(60);
        expect(await page.locator('.stages tbody tr').count()).toBeGreaterThan(8);
        expect(await passages.first().locator('.text').textContent()).toContain('retries');
        expect(await page.locator('.passages del').count()).toBe(0);
        await page.getByLabel('Show the cuts').check();
        expect(await page.locator('.passages del').count()).toBeGreaterThan(0);
        const line = page.getByText(/^Contradictions in the context: \d+$/);
        const { y = 0 } = (await line.boundingBox()) ?? {};
        expect(y).toBeLessThan((await passages.first().boundingBox())?.y ?? 0);
        await line.click();
        const contradictions = page.getByRole('table', { name: 'Contradictions in the context' });
        expect(await contradictions.getByRole('cell', { name: /webhooks\.md/ }).count()).toBeGreaterThan(1);
        await page.getByRole('button', { name: /^\d+ exact-duplicate$/ }).click();
        expect(await page.locator('.evicted > li').count()).toBeLessThan(gone);
        await page.getByLabel('With frame').check();
        expect(await page.getByRole('region', { name: 'the prompt' }).textContent()).toMatch(
          /^\[BEGIN \d+\]/,
        );
      });
    });

    test.each([1280, 375])('the first passage of the playground is in sight at %i px', async (width) => {
      await playground(
        async (page) => {
          const { y = 0 } = (await page.locator('.passages .text').first().boundingBox()) ?? {};
          expect(y).toBeGreaterThan(0);
          expect(y).toBeLessThan(width === 375 ? 700 : 400);
        },
        { width },
      );
    });

    test('the playground copies the prompt', async () => {
      await visit('/playground.html', async (page, context) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await shaped(page);
        await page.getByRole('button', { name: 'Copy the prompt' }).click();
        await page.getByText('Copied.').waitFor();
        const passages = await page.locator('.passages .text').allTextContents();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(passages.join('\n\n'));
      });
    });

    test('no request contains a pasted text', async () => {
      await playground(async (page) => {
        const sent: string[] = [];
        page.on('request', (request) => {
          const { origin } = new URL(request.url());
          if (origin === site.origin || !request.url().startsWith('blob:'))
            sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`);
        });
        await page.getByLabel('Question').fill('Where is the zanzibar ledger?');
        await page
          .getByLabel('Chunks', { exact: true })
          .fill('The zanzibar ledger is in the attic.\n\nCats sleep.');
        await status(page).filter({ hasText: 'of 2 chunks kept' }).waitFor();
        expect(sent).toEqual([]);
      });
    });

    test('an option out of range shows the error of the library beside its field', async () => {
      await playground(async (page) => {
        await page.getByLabel('Lambda').fill('7');
        const problem = page.locator('#problem');
        await problem.waitFor();
        expect(await problem.textContent()).toMatch(/select\.lambda must be .*1/);
        expect(await page.getByLabel('Lambda').getAttribute('aria-invalid')).toBe('true');
        expect(await page.getByLabel('Lambda').getAttribute('aria-describedby')).toBe('problem');
        await page.getByLabel('Lambda').fill('');
        await shaped(page);
        expect(await problem.count()).toBe(0);
      });
    });

    test.each([
      [
        'a JSON array',
        JSON.stringify([
          { id: 'a', text: 'Bridges opened in 1932.' },
          { id: 'b', text: 'Cats.' },
        ]),
        2,
      ],
      [
        'JSON Lines',
        '{"id":"a","text":"Bridges opened in 1932."}\n{"id":"b","text":"Cats."}\n{"id":"c","text":"C"}',
        3,
      ],
      ['text', 'Bridges opened in 1932.\n\nCats sleep.\n\n\nDogs bark.\nLoudly.', 3],
      ['the body of a request', '{"query":"Bridges?","chunks":[{"id":"a","text":"Bridges."}]}', 1],
    ])('the playground reads %s', async (_, text, chunks) => {
      await playground(async (page) => {
        await page.getByLabel('Chunks', { exact: true }).fill(text);
        await status(page)
          .filter({ hasText: `of ${chunks} chunks kept` })
          .waitFor();
      });
    });

    test('a fault in pasted JSON is shown with its line', async () => {
      await playground(async (page) => {
        await page.getByLabel('Chunks', { exact: true }).fill('[{"id":"a",\n"text":oops}]');
        expect(await page.locator('#problem').textContent()).toContain('line 2, column 8');
      });
    });

    test('the playground gives the report, and a program that makes it', async () => {
      await playground(async (page) => {
        await page.getByLabel('Chunks (k)').fill('3');
        await status(page)
          .filter({ hasText: /^3 of 60/ })
          .waitFor();
        await page.getByText('Report', { exact: true }).click();
        expect(await page.getByRole('region', { name: 'the report as JSON' }).textContent()).toContain(
          '"version": 2',
        );
        await page.getByText('Program', { exact: true }).click();
        const program = await page.getByRole('region', { name: 'the program' }).textContent();
        expect(program).toContain("from 'context-shaping'");
        expect(program).toContain('k: 3,');
      });
    });

    test('the playground works with the keyboard alone', async () => {
      await playground(async (page) => {
        await page.getByLabel('Question').focus();
        await page.keyboard.press('Tab');
        for (const label of ['Chunks', 'Load the sample of 60', 'Clear']) {
          await page.keyboard.press('Tab');
          expect(
            await page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id),
          ).toMatch(new RegExp(label, 'i'));
        }
        await page.locator('.reasons button').last().focus();
        await page.keyboard.press('Enter');
        expect(await page.locator('.reasons [aria-pressed=true]').count()).toBe(1);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.locator('.evicted details[open] .text').waitFor();
      });
    });

    test('the page stays responsive while 2,000 chunks are shaped', async () => {
      await playground(async (page) => {
        const chunks = Array.from({ length: 2000 }, (_, at) => ({
          id: `c${at}`,
          text: `Note ${at}: delivery ${at * 7} of parcel ${at % 13} was retried ${at % 5} times before hour ${at % 24}. `.repeat(
            4,
          ),
        }));
        await page.evaluate(() => {
          const gaps: number[] = [];
          Object.assign(globalThis, { gaps });
          new PerformanceObserver((list) =>
            gaps.push(...list.getEntries().map(({ duration }) => duration)),
          ).observe({
            entryTypes: ['longtask'],
          });
        });
        await page.getByLabel('Chunks', { exact: true }).fill(JSON.stringify(chunks));
        await status(page).filter({ hasText: 'Shaping' }).waitFor();
        // While the worker computes, the page still answers: the text of a field appears at once.
        await page.getByLabel('Pinned ids').focus();
        await page.keyboard.type('c1');
        expect(await page.getByLabel('Pinned ids').inputValue()).toBe('c1');
        await status(page).filter({ hasText: 'of 2000 chunks kept' }).waitFor();
        const [gaps, milliseconds] = await page.evaluate(() => [
          (globalThis as unknown as { gaps: number[] }).gaps,
          document.querySelector('.figures div:last-child dd')?.textContent,
        ]);
        console.log(
          `2,000 chunks: ${milliseconds} in the worker; longest tasks of the page: ${gaps
            .sort((a, b) => b - a)
            .slice(0, 5)
            .map(Math.round)
            .join(', ')} ms`,
        );
      });
    });
  });
});
