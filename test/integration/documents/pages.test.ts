/** Every block of code in the documentation compiles under strict TypeScript and runs, as pasted; and prints what its page says. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { linkHosts, missing, PACKAGES_OF_HOSTS } from '../../../packages/agents/test/hosts/installed.js';
import { newProject } from '../../built-package.js';
import { isRun } from '../../documents/page.js';
import { compile, layOut, runPage } from '../../documents/run-page.js';

const parent = await newProject();
linkHosts(parent);
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** The API is generated. */
const files = execFileSync(
  'git',
  [
    ...['ls-files', '--cached', '--others', '--exclude-standard', 'docs/**.md'],
    'packages/mcp/claude-code/**.md',
    ...['agents', 'devtools', 'mcp', 'server'].map((name) => `packages/${name}/README.md`),
  ],
  {
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((page) => !/^docs\/(?:reference\/api|node_modules)\//.test(page));
const laidOut = await Promise.all(files.map(async (page) => ({ page, ...(await layOut(page, parent)) })));
/** Hosts may need a newer Node. */
const hasHosts = (code: string) =>
  PACKAGES_OF_HOSTS.every((name) => !code.includes(`'${name}`) || missing(name) === undefined);
const pages = laidOut.filter(
  ({ blocks }) => blocks.some(isRun) && blocks.every((block) => !isRun(block) || hasHosts(block.code)),
);

test('the blocks of all pages compile under strict TypeScript', async () => {
  expect(await compile(parent)).toBe('');
});

describe('the blocks run as pasted', () => {
  // Mostly waiting for programs of their own.
  test.concurrent.each(pages)('$page', async ({ page, folder, blocks }) => {
    expect(await runPage(page, folder, blocks)).toBeGreaterThan(0);
  });
});
