/** The container installs the packages that the tests run on. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { packages: installed } = read('packages/server/deploy/package-lock.json');
const { packages: tested } = read('package-lock.json');

test('the container has the versions of the tests', () => {
  expect(installed[''].dependencies).toEqual({
    'context-shaping': 'file:../../..',
    'context-shaping-server': 'file:..',
  });
  const { 'context-shaping': _, ...others } = read('packages/server/package.json').dependencies;
  const versionsOf = (packages: typeof tested) =>
    Object.keys(others).map((name) => [
      name,
      (packages[`packages/server/node_modules/${name}`] ?? packages[`node_modules/${name}`])?.version,
    ]);
  expect(versionsOf(installed)).toEqual(versionsOf(tested));
});

test.each([
  ['context-shaping', 'package.json'],
  ['context-shaping-server', 'packages/server/package.json'],
])('the lock file of the container knows the dependencies of %s', (name, manifest) => {
  expect(installed[`node_modules/${name}`].dependencies).toEqual(read(manifest).dependencies);
});
