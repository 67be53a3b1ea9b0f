/** The container installs the packages that the tests run on. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('the container has the versions of the tests, and every package of the service and the worker', () => {
  const { devDependencies, peerDependencies } = read('package.json');
  const { 'context-shaping': clone, ...installed } = read('deploy/image/package.json').dependencies;
  expect(clone).toBe('file:../..');
  for (const [name, version] of Object.entries(installed)) expect(devDependencies[name], name).toBe(version);
  const ofService = Object.keys(peerDependencies).filter((name) =>
    /bullmq|fastify|ioredis|piscina|prom-client/.test(name),
  );
  expect(Object.keys(installed)).toEqual(expect.arrayContaining(ofService));
});

test('the lock file of the container knows the dependencies of the package', () => {
  const { packages } = read('deploy/image/package-lock.json');
  expect(packages[''].dependencies).toEqual(read('deploy/image/package.json').dependencies);
  expect(packages['node_modules/context-shaping'].dependencies).toEqual(read('package.json').dependencies);
});
