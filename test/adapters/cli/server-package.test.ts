/** `server/package.json`: the package that brings the packages of the service. `npm run test:package` installs it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INSTALL } from '../../../adapters/cli/serve-command.js';
import { ROOT } from './harness.js';

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const own = read('package.json');
const server = read('server/package.json');

test('has the version, the licence and the Node of this package, and depends on exactly this version', () => {
  expect(INSTALL).toBe(`npm install ${server.name}`);
  for (const field of ['version', 'license', 'engines']) expect(server[field]).toEqual(own[field]);
  expect(server.dependencies['context-shaping']).toBe(own.version);
});

test('depends on all packages that the service imports, in the ranges of the peers', () => {
  const names = ['fastify', 'piscina', 'prom-client'];
  const peers = Object.entries(own.peerDependencies as Record<string, string>).filter(
    ([name]) => names.includes(name) || name.startsWith('@fastify/'),
  );
  expect(peers).toHaveLength(8);
  expect(server.dependencies).toMatchObject(Object.fromEntries(peers));
});

test('pins what declares a newer Node, and has nothing else', () => {
  const { 'context-shaping': _, ...dependencies } = server.dependencies;
  const pins = Object.keys(dependencies).filter((name) => !(name in own.peerDependencies));
  expect(pins).toEqual(['@fastify/static', 'light-my-request']);
  for (const name of pins) expect(dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});

test('has its command', () => {
  const file = join(ROOT, 'server', server.bin[server.name]);
  expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(statSync(file).mode & 0o111).toBe(0o111);
});
