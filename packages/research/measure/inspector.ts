/**
 * The time from a move of the inspector's slider to the redrawn page, in Chromium, for pools of 60, 200 and 500 chunks:
 * `npm run research -- measure/inspector [steps]`. Each step moves the budget to another value, and ends when the frame
 * with the changed list is painted. `CHROMIUM` names the browser.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createShaper } from 'context-shaping';
import { inspectorPage } from 'context-shaping-devtools/inspector';
import { recordContext } from 'context-shaping-devtools/lockfile';
import { type Browser, chromium } from 'playwright-core';
import { question } from '../../../test/pool.js';
import { parcels } from '../../devtools/test/page/runs.js';

/** Steps that are not counted: the engine compiles the program in them. */
const WARM_UP = 10;

const steps = Number(process.argv[2] ?? 60);
const folder = mkdtempSync(join(tmpdir(), 'inspector-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless=new', '--no-sandbox', '--disable-gpu'],
});
try {
  const rows: Record<string, object> = {};
  for (const count of [60, 200, 500]) {
    const times = (await stepsOf(browser, count)).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(10 * (times[Math.floor(share * times.length)] ?? 0)) / 10;
    rows[`${count} chunks`] = { steps: times.length, 'median ms': at(0.5), '90th percentile ms': at(0.9) };
  }
  console.table(rows);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function stepsOf(browser: Browser, count: number): Promise<number[]> {
  const chunks = parcels(count);
  const shaper = createShaper({ budget: { maxTokens: 15 * count } });
  const lockfile = await recordContext(shaper.session({ query: question, chunks }));
  const file = join(folder, `${count}.html`);
  writeFileSync(file, inspectorPage([lockfile]));
  const page = await browser.newPage({ viewport: { width: 1280, height: 812 } });
  await page.goto(pathToFileURL(file).href);
  const budgets = Array.from({ length: steps + WARM_UP }, (_, at) =>
    Math.round(lockfile.report.tokens.input * (0.05 + 0.9 * ((at * 0.618) % 1))),
  );
  const times = await page.evaluate(timesOf, budgets);
  await page.close();
  return times.slice(WARM_UP);
}

/**
 * In the page: the time of each step, in milliseconds. No function in it has a name, because the loader would wrap it in
 * a call of a helper that the page does not have.
 */
async function timesOf(budgets: number[]): Promise<number[]> {
  const slider = document.querySelector<HTMLInputElement>('#exact-maxTokens');
  const figures = document.querySelector('.figures');
  if (slider === null || figures === null) throw new Error('The page has no slider.');
  const times: number[] = [];
  for (const budget of budgets) {
    await new Promise((done) => requestAnimationFrame(done));
    const began = performance.now();
    slider.value = String(budget);
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    // The figures have the budget of the result, so each result changes them, in the same update as the list.
    await new Promise((done) => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        done(undefined);
      }).observe(figures, { subtree: true, childList: true, characterData: true });
    });
    await new Promise((done) => requestAnimationFrame(done));
    // A task after the frame runs once it is laid out and painted.
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(undefined);
    });
    times.push(performance.now() - began);
  }
  return times;
}
