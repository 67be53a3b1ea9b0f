import { expect, test } from 'vitest';
import { oldNode } from '../../src/runtime/node-version.js';

test.each(['18.20.8', '20.18.3', '12.0.0'])(
  'Node %s is too old, and the message says which to install',
  (version) => {
    expect(oldNode(version)).toBe(
      `context-shaping needs Node 20.19 or newer, and this is Node ${version}. Install a newer Node: https://nodejs.org/en/download`,
    );
  },
);

test.each(['20.19.0', '22.0.0', '24.1.0-nightly', undefined])('Node %s is new enough', (version) => {
  expect(oldNode(version)).toBeUndefined();
});
