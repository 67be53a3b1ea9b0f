/** `context-shaping demo` as a program. */
import { expect, test } from 'vitest';
import { DEFAULT_QUESTION } from '../../../../adapters/cli/demo-corpus.js';
import { cliProcess } from '../../../adapters/cli/harness.js';
import { temporaryFolder } from '../../../temporary-folder.js';

/** Without times, and without what their width moves: the columns and rules of tables. */
const timeless = (page: string) =>
  page.replace(/[\d,.]+ ms|\d+\.\d$/gm, '·').replace(/(?:(?!\n)\s|─)+/g, ' ');

test('shows question, before and after, passages with sources, and the chunks left out; the same every time', async () => {
  const here = await cliProcess(['demo', '--report']);
  expect(here).toMatchObject({ code: 0, stderr: '' });
  const page = here.stdout;
  expect(page.split('\n')[0]).toBe(DEFAULT_QUESTION);
  expect(page).toMatch(/^Found in \d+ chunks of \d+ Markdown files: a made-up manual/m);
  const [, kept] =
    /^60 chunks, [\d,]+ tokens {2}→ {2}\d+ chunks, ([\d,]+) of 1,500 tokens$/m.exec(page) ?? [];
  expect(Number(kept?.replace(',', ''))).toBeLessThanOrEqual(1500);
  expect(page).toMatch(/^ 1 {2}\S+\.md:\d+ · \S/m);
  expect(page).toMatch(/^Left out \d+$/m);
  expect(page).toMatch(/^60 chunks in, \d+ kept, \d+ evicted/m);
  expect(page).toMatch(/^ {2}exact-dedup +\d+ +– {2}\S+\.md#\d+ /m);
  expect(page).toMatch(/^ +same text as \S+\.md#\d+$/m);
  expect(page).not.toContain('\u001b');

  const elsewhere = await cliProcess(['demo', '--report'], { cwd: temporaryFolder() });
  expect(timeless(elsewhere.stdout)).toBe(timeless(page));
});
