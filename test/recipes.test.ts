/** Follows the recipes literally: each file is saved under the name in its first line, then each command runs. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What the commands of each recipe print. */
const RECIPES: Record<string, RegExp[]> = {
  'custom-stage': [
    /pass 8\n.*fail 0\n/,
    /4 chunks in, 3 kept[\s\S]*cap-per-author +\d+ +Ann-2 +author Ann, most 2/,
  ],
  'custom-port': [/pass \d+\n.*fail 0\n/, /^bridge: .*\bcosine\b/],
};

test.each(Object.entries(RECIPES))(
  '%s',
  (name, expected) => {
    const recipe = readFileSync(`docs/recipes/${name}.md`, 'utf8');
    const blocks = Array.from(
      recipe.matchAll(/```(?<language>js|sh)\n(?<code>[\s\S]*?)```/g),
      ({ groups }) => groups as { language: string; code: string },
    );
    // Inside the tree, so that packages are found.
    mkdirSync('.tmp', { recursive: true });
    const folder = mkdtempSync('.tmp/recipe-');
    const said: string[] = [];
    try {
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
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(said).toHaveLength(expected.length);
    for (const [place, pattern] of expected.entries()) expect(said[place]).toMatch(pattern);
  },
  120_000,
);
