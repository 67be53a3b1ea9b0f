/** `context-shaping demo` as a program. */
import { expect, test } from 'vitest';
import { DEFAULT_QUESTION } from '../../../../adapters/cli/demo-corpus.js';
import { cliProcess } from '../../../adapters/cli/harness.js';
import { temporaryFolder } from '../../../temporary-folder.js';

test('shows question, before and after, passages with sources, and the chunks left out; the same every time', async () => {
  const here = await cliProcess(['demo']);
  expect(here).toMatchObject({ code: 0, stderr: '' });
  const page = here.stdout;
  expect(page.split('\n')[0]).toBe(DEFAULT_QUESTION);
  expect(page).toMatch(/^Found in \d+ chunks of \d+ Markdown files: a made-up manual/m);
  const [, kept] =
    /^60 chunks, [\d,]+ tokens {2}→ {2}\d+ chunks, ([\d,]+) of 1,500 tokens$/m.exec(page) ?? [];
  expect(Number(kept?.replace(',', ''))).toBeLessThanOrEqual(1500);
  expect(page).toMatch(/^ 1 {2}\S+\.md:\d+ · \S/m);
  expect(page).toMatch(/^Left out \d+$/m);
  expect(page).not.toContain('\u001b');

  expect((await cliProcess(['demo'], { cwd: temporaryFolder() })).stdout).toBe(page);
});
