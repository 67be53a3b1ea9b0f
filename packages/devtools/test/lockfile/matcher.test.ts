import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShaper } from 'context-shaping';
import { type ContextMatchers, parseLockfile, toMatchContext } from 'context-shaping-devtools/lockfile';
import { afterAll, expect, test } from 'vitest';
import { chunks, question } from '../../../../test/pool.js';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that it adds to has this parameter
  interface Matchers<T = any> extends ContextMatchers<Promise<T extends never ? void : void>> {}
}
expect.extend({ toMatchContext });

const folder = mkdtempSync(join(tmpdir(), 'lockfile-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shape = (k: number) => createShaper({ k }).shape({ query: question, chunks });
const runner = (_updateSnapshot: string) => ({
  testPath: join(folder, 'a.test.ts'),
  snapshotState: { _updateSnapshot },
});

test('writes an absent file, passes, fails on a change and names it, and writes again on -u', async () => {
  const file = join(folder, 'a.context.json');
  expect((await toMatchContext.call(runner('none'), await shape(4), 'a.context.json')).pass).toBe(false);
  expect(existsSync(file)).toBe(false);
  expect((await toMatchContext.call(runner('new'), await shape(4), 'a.context.json')).pass).toBe(true);
  const first = readFileSync(file, 'utf8');
  await expect(await shape(4)).toMatchContext(file);
  const failed = await toMatchContext.call(runner('new'), await shape(5), 'a.context.json');
  expect(failed.pass).toBe(false);
  expect(failed.message()).toMatch(/options\.k +4 +5/);
  expect(readFileSync(file, 'utf8')).toBe(first);
  expect((await toMatchContext.call(runner('all'), await shape(5), 'a.context.json')).pass).toBe(true);
  expect(parseLockfile(readFileSync(file, 'utf8')).options).toEqual({ k: 5 });
});
