/** `context-shaping-devtools record`, `replay` and `diff`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShaper } from 'context-shaping';
import { fakeLogprobModel } from 'context-shaping/testing';
import { diffContexts, formatDiff, formatLockfile, recordContext } from 'context-shaping-devtools/lockfile';
import { afterAll, describe, expect, test } from 'vitest';
import { programNamed } from '../../../../test/adapters/cli/harness.js';
import { sealed } from '../../src/lockfile/record.js';

const { cli } = programNamed('context-shaping-devtools');

const folder = mkdtempSync(join(tmpdir(), 'lockfile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const INPUT = {
  query: 'When did the bridge open?',
  chunks: [
    { id: 'a', text: 'The bridge opened in 1932.' },
    { id: 'b', text: 'The bridge carries eight lanes and two rail tracks.' },
    { id: 'c', text: 'A ferry crossed the harbour before the bridge was there.' },
  ],
};
const stdin = JSON.stringify(INPUT);
const recorded = (k: number) => recordContext(createShaper({ k }).session(INPUT));

const pathOf = (name: string) => join(folder, name);
function file(name: string, content: unknown): string {
  writeFileSync(pathOf(name), typeof content === 'string' ? content : JSON.stringify(content));
  return pathOf(name);
}
const lockfile = async (name: string, k: number) => file(name, formatLockfile(await recorded(k)));

/** A lockfile whose report is not that of its options, as after a release that decides otherwise. */
async function outdated(name: string): Promise<string> {
  const { report } = await recorded(1);
  return file(name, formatLockfile(sealed({ ...(await recorded(2)), report })));
}

describe('record', () => {
  test('writes the lockfile of the library', async () => {
    const expected = formatLockfile(await recorded(1));
    const piped = await cli(['record', '--k', '1'], { stdin });
    expect(piped).toEqual({ code: 0, stdout: expected, stderr: '' });
    const to = pathOf('to.context.json');
    const written = await cli(['record', file('input.json', INPUT), '--k', '1', '--to', to]);
    expect(written).toEqual({ code: 0, stdout: '', stderr: `Wrote ${to}.\n` });
    expect(readFileSync(to, 'utf8')).toBe(expected);
    const named = await cli(['record', pathOf('input.json'), '--k', '1', '--to', '-']);
    expect(named.stdout).toBe(expected);
  });
});

describe('replay', () => {
  test('equal contexts leave with 0', async () => {
    const files = [await lockfile('one.json', 1), await lockfile('two.json', 2)];
    expect(await cli(['replay', ...files])).toEqual({
      code: 0,
      stdout: files.map((each) => `${each}: equal\n`).join(''),
      stderr: '',
    });
  });

  test('a changed one leaves with 1, and --update writes it', async () => {
    const path = await outdated('old.json');
    const before = readFileSync(path, 'utf8');
    const { code, stdout, stderr } = await cli(['replay', await lockfile('same.json', 1), path]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${path}: changed\n`);
    expect(stderr).toContain('1 of 2 contexts changed');
    expect(readFileSync(path, 'utf8')).toBe(before);
    const updated = await cli(['replay', path, '--update']);
    expect({ code: updated.code, stderr: updated.stderr }).toEqual({ code: 0, stderr: '' });
    expect(updated.stdout).toContain(`${path}: updated\n`);
    expect(readFileSync(path, 'utf8')).toBe(formatLockfile(await recorded(2)));
  });

  test('--setup gives options', async () => {
    const path = await lockfile('setup.json', 1);
    const setup = file('setup.mjs', 'export default () => ({ k: 2 });');
    const { code, stdout } = await cli(['replay', path, '--setup', setup]);
    expect(code).toBe(1);
    expect(stdout).toContain('options.k');
  });

  test('a changed option that needs answers that were not recorded is an error', async () => {
    const shaper = createShaper({
      k: 1,
      ecs: { model: fakeLogprobModel(), trust: 'always' },
    });
    const path = file('unasked.json', formatLockfile(await recordContext(shaper.session(INPUT))));
    const setup = file('ecs.mjs', 'export default { ecs: { withoutAnswer: "judge" } };');
    const { code, stderr } = await cli(['replay', path, '--setup', setup]);
    expect(code).toBe(2);
    expect(stderr).toContain('Record the context again, with these options and the services.');
  });

  test('an option that a setup must give again is named', async () => {
    const tokenizer = (text: string) => text.length;
    const path = file(
      'counter.json',
      formatLockfile(await recordContext(createShaper({ k: 1, tokenizer }).session(INPUT))),
    );
    const without = await cli(['replay', path]);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('options.tokenizer was a function');
    const setup = file('counter.mjs', 'export default { tokenizer: (text) => text.length };');
    const { code, stdout } = await cli(['replay', path, '--setup', setup]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}: equal\n` });
  });
});

describe('diff', () => {
  test('equal contexts leave with 0', async () => {
    const [a, b] = [await lockfile('a.json', 1), await lockfile('b.json', 1)];
    expect((await cli(['diff', a, b])).code).toBe(0);
  });

  test('other contexts leave with 1, as text or as JSON', async () => {
    const [a, b] = [await lockfile('a.json', 1), await lockfile('b.json', 2)];
    const diff = await diffContexts(await recorded(1), await recorded(2));
    const text = await cli(['diff', a, b], { terminal: 60 });
    expect(text).toMatchObject({ code: 1, stdout: `${formatDiff(diff, { width: 60 })}\n` });
    expect(text.stderr).toContain('The contexts differ.');
    const json = await cli(['diff', a, b, '--format', 'json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(JSON.stringify(diff)));
  });
});

test.each([
  [['record', '-', '--k', '0'], '--k must be at least 1'],
  [['record', '-', '--to', pathOf('no/a.json')], 'Name another file with --to.'],
  [['replay'], "missing required argument 'files'"],
  [['replay', pathOf('none.json')], 'none.json: ENOENT'],
  [['replay', file('input-only.json', INPUT)], 'input-only.json'],
  [['replay', file('k.json', '{}'), '--setup', pathOf('none.mjs')], 'Cannot load'],
  [['replay', file('k.json', '{}'), '--setup', file('bad.mjs', 'export default 1;')], 'must export'],
  [['diff', pathOf('none.json'), pathOf('none.json')], 'none.json: ENOENT'],
  [['diff', 'a', 'b', '--format', 'html'], 'Allowed choices are text, json'],
])('%j is a wrong call', async (args, message) => {
  const { code, stdout, stderr } = await cli(args, { stdin });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('Ctrl-C ends it', async () => {
  const path = await lockfile('aborted.json', 1);
  const { code, stdout } = await cli(['replay', path], { signal: AbortSignal.abort() });
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
});
