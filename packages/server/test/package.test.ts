/** The packages that are published beside the plugin. `npm run test:package` installs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../test/adapters/cli/harness.js';
import { FOLDERS, PACKAGES } from '../../../test/published.js';

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const own = read('package.json');

test('a release has one version, a section of changes, and is published as a whole, with its origin', () => {
  expect(read('package-lock.json').version).toBe(own.version);
  const [section] = /^## .+$/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  expect(section).toMatch(new RegExp(`^## (?:Unreleased|${own.version.replaceAll('.', '\\.')})$`));
  expect(own.publishConfig).toEqual({ access: 'public', provenance: true });
});

test.each(FOLDERS)('npm publishes the manifest of %s as it is, with its command', (folder) => {
  const paths = Object.values<string>(read(`${folder}/package.json`).bin ?? {});
  expect(paths.filter((path) => path.startsWith('.'))).toEqual([]);
});

describe.each(PACKAGES)('packages/%s', (name) => {
  const manifest = read(`packages/${name}/package.json`);

  test('has the version, the licence, the Node and the registry of the plugin, and depends on exactly this version', () => {
    for (const field of ['version', 'license', 'engines', 'publishConfig'])
      expect(manifest[field]).toEqual(own[field]);
    const ours = Object.entries(manifest.dependencies).filter(([each]) => each.startsWith('context-shaping'));
    expect(ours.map(([each]) => each)).toContain('context-shaping');
    for (const [each, version] of ours) expect([each, version]).toEqual([each, own.version]);
  });

  test.runIf(manifest.bin)('has its command', () => {
    const file = join(ROOT, `packages/${name}`, manifest.bin[manifest.name].replace('dist', 'src'));
    expect(readFileSync(file.replace(/js$/, 'ts'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

test('the server pins a package whose later versions need a newer Node', () => {
  const pins = Object.entries<string>(read('packages/server/package.json').dependencies).filter(
    ([name, range]) => name !== 'context-shaping' && /^\d/.test(range),
  );
  expect(pins.map(([name]) => name)).toEqual(['light-my-request']);
});
