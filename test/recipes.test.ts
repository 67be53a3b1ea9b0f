/** Follows the recipes literally: each file is saved under the name in its first line, then each command runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

// Inside the tree, so that packages are found.
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync('.tmp/recipe-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RECIPE = 'docs/recipes/custom-stage.md';
const recipe = readFileSync(RECIPE, 'utf8');
const blocks = Array.from(recipe.matchAll(/```(?<language>js|sh)\n(?<code>[\s\S]*?)```/g), ({ groups }) => ({
  ...(groups as { language: string; code: string }),
}));

test('a stage of your own', () => {
  const said: string[] = [];
  for (const { language, code } of blocks) {
    const file = /^\/\/ (\S+)\n/.exec(code)?.[1];
    if (language === 'js') {
      expect(recipe).toContain(`Save this as \`${file}\``);
      writeFileSync(join(folder, file as string), code);
    } else if (!code.startsWith('npm ')) {
      const env = {
        ...process.env,
        NODE_OPTIONS: `--conditions=context-shaping-source --import=${import.meta.resolve('tsx')}`,
      };
      said.push(execFileSync('sh', ['-c', code], { cwd: folder, env, encoding: 'utf8' }));
    }
  }
  expect(said).toHaveLength(2);
  expect(said[0]).toMatch(/pass 8\n.*fail 0\n/);
  expect(said[1]).toMatch(/4 chunks in, 3 kept[\s\S]*cap-per-author +\d+ +Ann-2 +author Ann, most 2/);
}, 120_000);

test('its links lead to files', () => {
  for (const [, target] of recipe.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
    expect(existsSync(join(dirname(RECIPE), target as string)), target).toBe(true);
  }
});
