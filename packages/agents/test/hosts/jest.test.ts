/** The matcher in a real Jest, with the package as it is published. Vitest has it in `packages/devtools/test/evaluate/matcher.test.ts`. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { newProject } from '../../../../test/built-package.js';
import { linkHosts, missing } from './installed.js';

const why = missing('jest');

const TESTS = `
import { jest } from '@jest/globals';
import { createShaper } from 'context-shaping';
import { toKeepEvidence } from 'context-shaping-devtools/evaluate';

jest.setTimeout(600_000);
expect.extend({ toKeepEvidence });

const chunks = [
  { id: 'bridge', text: 'The bridge opened in 1932.' },
  { id: 'ferry', text: 'The last ferry crossed in 1934.' },
];
const shaped = () => createShaper({ k: 1 }).shape({ query: 'When did the bridge open?', chunks });

test('keeps', async () => expect(await shaped()).toKeepEvidence({ answers: ['1932'] }));
test('negated', async () => expect(await shaped()).not.toKeepEvidence({ answers: ['1934'] }));
test('loses', async () => expect(await shaped()).toKeepEvidence({ answers: ['1932', '1934'] }));
test('negated, and keeps', async () => expect(await shaped()).not.toKeepEvidence({ answers: ['1932'] }));
`;

test.skipIf(why !== undefined)('toKeepEvidence passes and fails in Jest, with its messages', async () => {
  const project = resolve(await newProject());
  try {
    linkHosts(project);
    writeFileSync(join(project, 'evidence.test.js'), TESTS);
    const out = join(project, 'out.json');
    const jest = resolve(import.meta.dirname, 'node_modules/jest/bin/jest.js');
    const flags = ['--rootDir', project, '--ci', '--runInBand', '--json', '--outputFile', out];
    const { stderr } = spawnSync(process.execPath, ['--experimental-vm-modules', jest, ...flags], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const { testResults } = JSON.parse(readFileSync(out, 'utf8'));
    const outcomes = testResults[0].assertionResults as {
      title: string;
      status: string;
      failureMessages: string[];
    }[];
    expect(
      outcomes.map(({ title, status }) => [title, status]),
      stderr,
    ).toEqual([
      ['keeps', 'passed'],
      ['negated', 'passed'],
      ['loses', 'failed'],
      ['negated, and keeps', 'failed'],
    ]);
    const said = outcomes.map(({ failureMessages }) => failureMessages.join());
    expect(said[2]).toContain('The context loses 1 of 2 units of evidence.');
    expect(said[2]).toContain('chunk "ferry" was evicted by select: outranked');
    expect(said[3]).toContain('The context keeps all of this evidence.');
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
