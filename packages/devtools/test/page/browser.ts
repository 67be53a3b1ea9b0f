/** The inspector's page in a real Chromium, opened from disk. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { inspectorPage } from 'context-shaping-devtools/inspector';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchChromium } from '../../../../test/chromium.js';

export interface View {
  width?: number;
  dark?: boolean;
  title?: string;
}

export class Inspector {
  readonly #folder = mkdtempSync(join(tmpdir(), 'inspector-'));
  #pages = 0;

  private constructor(readonly browser: Browser) {}

  static async start(): Promise<Inspector> {
    return new Inspector(await launchChromium());
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** Opens a page with these runs. */
  visit(
    runs: Parameters<typeof inspectorPage>[0],
    use: (page: Page) => Promise<void>,
    view: View = {},
  ): Promise<void> {
    return this.show(inspectorPage(runs, { title: view.title }), use, view);
  }

  /** Opens a page, and expects no error, no message of the browser, and no request but for the file. */
  async show(
    html: string,
    use: (page: Page) => Promise<void>,
    { width = 1280, dark = false }: Omit<View, 'title'> = {},
  ): Promise<void> {
    const file = join(this.#folder, `${this.#pages++}.html`);
    writeFileSync(file, html);
    const context = await this.browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: dark ? 'dark' : 'light',
      bypassCSP: false,
    });
    context.setDefaultTimeout(60_000);
    const problems: string[] = [];
    const requests: string[] = [];
    try {
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => problems.push(message.text()));
      page.on('dialog', (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      await use(page);
      expect(problems).toEqual([]);
      expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href]);
    } finally {
      await context.close();
    }
  }
}

/** Serious and critical findings of axe, and the width that the page has too much. */
export async function faultsOf(page: Page): Promise<{ findings: object[]; surplus: number }> {
  // The policy of the page forbids further scripts; the debugger may evaluate one.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  const findings = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => ({ id, target, failureSummary })));
  return { findings, surplus: await surplusOf(page) };
}

/** The pixels by which the page is too wide. */
export const surplusOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Indices of the kept chunks, in the order of the list. */
export const keptIn = (page: Page): Promise<number[]> =>
  page
    .locator('.chunk:not(.gone)')
    .evaluateAll((rows) => rows.map(({ id }) => Number(id.replace('chunk-', ''))));

/** Gives exact values to the field beside a slider. */
export const slide = (page: Page, name: string, ...values: number[]): Promise<void> =>
  page.locator(`#exact-${name}`).evaluate((input, all) => {
    for (const value of all) {
      (input as HTMLInputElement).value = String(value);
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }, values);
