/** The container installs the packages that the tests run on. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { packages: installed } = read('deploy/image/package-lock.json');
const { packages: tested } = read('package-lock.json');

test('the container has the versions of the tests', () => {
  expect(installed[''].dependencies).toEqual(read('deploy/image/package.json').dependencies);
  const { 'context-shaping': _, ...ofServer } = read('packages/server/package.json').dependencies;
  const {
    'context-shaping': plugin,
    'context-shaping-server': server,
    ...others
  } = installed[''].dependencies;
  expect([plugin, server]).toEqual(['file:../..', 'file:../../packages/server']);
  const names = [...Object.keys(ofServer), ...Object.keys(others)].map((name) => `node_modules/${name}`);
  const versionsOf = (packages: typeof tested) =>
    names.map((name) => [name, (packages[`packages/server/${name}`] ?? packages[name])?.version]);
  expect(versionsOf(installed)).toEqual(versionsOf(tested));
});

test.each([
  ['context-shaping', 'package.json'],
  ['context-shaping-server', 'packages/server/package.json'],
])('the lock file of the container knows the dependencies of %s', (name, manifest) => {
  expect(installed[`node_modules/${name}`].dependencies).toEqual(read(manifest).dependencies);
});
