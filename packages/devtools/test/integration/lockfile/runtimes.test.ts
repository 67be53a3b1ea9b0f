/** A hundred contexts, recorded in Node and replayed in Chromium; and a change of each of them. */
import { existsSync } from 'node:fs';
import type { ShapingOptions } from 'context-shaping';
import { type ContextLockfile, parseLockfile, replayContext } from 'context-shaping-devtools/lockfile';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { CHROMIUM, launchChromium } from '../../../../../test/chromium.js';
import { mustHaveAll } from '../../../../../test/must-have-all.js';
import { segmentAll } from '../../lockfile/in-page.js';
import { recordedContexts } from '../../lockfile/recorded.js';

let texts: string[];
let lockfiles: ContextLockfile[];
beforeAll(async () => {
  texts = await recordedContexts();
  lockfiles = texts.map((text) => parseLockfile(text));
});

test.skipIf(!existsSync(CHROMIUM) && !mustHaveAll)('Chromium finds the digests that Node found', async () => {
  const { outputFiles } = await build({
    entryPoints: ['packages/devtools/test/lockfile/in-page.ts'],
    write: false,
    bundle: true,
    format: 'iife',
    globalName: 'inPage',
    platform: 'browser',
    conditions: ['context-shaping-source'],
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    const { digests, segments } = await page.evaluate(async (all) => {
      const { inPage } = globalThis as unknown as {
        inPage: typeof import('../../lockfile/in-page.js');
      };
      return { digests: await inPage.replayAll(all), segments: inPage.segmentAll(all) };
    }, texts);
    // Both have dictionaries of their own for scripts without spaces. No other context may differ.
    const own = segmentAll(texts);
    const alike = texts.flatMap((_, at) => (own[at] === segments[at] ? [at] : []));
    expect(alike.length).toBeGreaterThan(90);
    expect(alike.map((at) => digests[at])).toEqual(alike.map((at) => lockfiles[at]?.report.digest));
    console.log(`${alike.length} of ${texts.length} contexts have the words and the digests of Node.`);
  } finally {
    await browser.close();
  }
});

test('an option that is changed is the one difference', async () => {
  let changed = 0;
  for (const [at, lockfile] of lockfiles.entries()) {
    const { k, budget } = lockfile.options as ShapingOptions;
    const { kept } = lockfile.report;
    const tokens = kept.reduce((sum, entry) => sum + entry.tokens, 0);
    // One less than the context takes, so that it changes; or another value, if that was the limit already.
    const less = (taken: number, limit: number | null | undefined, least: number) => {
      const value = Math.max(least, taken - 1);
      return value === limit ? value + 1 : value;
    };
    const reserve = budget?.reserve ?? 0;
    const maxTokens = less(tokens + reserve, budget?.maxTokens, reserve + 1);
    const isOfK = at % 2 === 0;
    const path = isOfK ? 'options.k' : 'options.budget.maxTokens';
    const options = isOfK ? { k: less(kept.length, k, 1) } : { budget: { maxTokens } };
    const replayed = await replayContext(lockfile, { options }).catch((error: unknown) => String(error));
    if (typeof replayed === 'string') {
      // Another room can need scores of chunks that the recorded run did not ask for.
      expect(replayed, `context ${at}`).toContain('lacks as many answers of services');
      expect(lockfile.services).toHaveProperty('model');
      continue;
    }
    const { changes } = replayed;
    expect(changes.differences, `context ${at}`).toMatchObject([{ path }]);
    if (!changes.isEqual) changed += 1;
  }
  expect(changed).toBeGreaterThan(80);
});
