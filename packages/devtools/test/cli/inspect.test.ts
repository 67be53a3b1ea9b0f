/** `context-shaping-devtools inspect`: its inputs, and its output files. The tests of the page itself are beside the page. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createShaper } from 'context-shaping';
import { type InspectorRun, inspectorPage } from 'context-shaping-devtools/inspector';
import { openLockfile, recordContext } from 'context-shaping-devtools/lockfile';
import { afterAll, describe, expect, test } from 'vitest';
import { programNamed, type Setting } from '../../../../test/adapters/cli/harness.js';

const { cli } = programNamed('context-shaping-devtools');

const folder = mkdtempSync(join(tmpdir(), 'inspect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const INPUT = {
  query: 'When did the bridge open?',
  chunks: [
    { id: 'a', text: 'The bridge opened in 1932.' },
    { id: 'b', text: 'the bridge opened, in 1932' },
    { id: 'c', text: 'Cats sleep all day.' },
  ],
  options: { k: 1 },
};
const shaped = () => createShaper(INPUT.options).shape(INPUT);

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const runsOf = (html: string): (InspectorRun & { name: string })[] =>
  JSON.parse(/id="context-shaping-data">([^<]*)</.exec(html)?.[1] ?? '').runs;

/** The runs of the page on standard output. */
async function inspected(args: string[], setting?: Setting) {
  const { code, stdout, stderr } = await cli(['inspect', ...args, '--to', '-'], setting);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return runsOf(stdout);
}

describe('files', () => {
  test('the input of shape is shaped and recorded, so that the page can shape again', async () => {
    const [run] = await inspected([file('input.json', INPUT)]);
    const { report } = await shaped();
    expect(run?.report.digest).toBe(report.digest);
    expect(run).toMatchObject({ name: INPUT.query, origin: join(folder, 'input.json') });
    const again = await openLockfile(run?.lockfile as never).at({ k: 2 });
    expect(again.chunks.map(({ id, text }) => ({ id, text }))).toEqual([INPUT.chunks[0], INPUT.chunks[2]]);
  });

  test('contexts, reports and results are shown as they are, in the order of the arguments', async () => {
    const result = await shaped();
    const lockfile = await recordContext(result);
    const runs = await inspected([
      file('report.json', result.report),
      file('result.json', result),
      file('lockfile.json', lockfile),
    ]);
    expect(runs.map(({ report }) => report.digest)).toEqual(Array(3).fill(result.report.digest));
    expect(runs.map((run) => run.lockfile?.digest)).toEqual([undefined, undefined, lockfile.digest]);
    expect(runs[1]?.report).toEqual(JSON.parse(JSON.stringify(result.report)));
    expect(JSON.stringify(runs.toSpliced(2, 1))).not.toContain('Cats sleep');
  });

  test('standard input is one, too', async () => {
    const [run] = await inspected(['-'], { stdin: JSON.stringify(INPUT) });
    expect(run).toMatchObject({ origin: 'standard input', report: { kept: [{ id: 'a' }] } });
  });

  test('the page goes to a file, and the answer says where it is', async () => {
    const to = join(folder, 'a page.html');
    const { code, stdout } = await cli(['inspect', file('input.json', INPUT), '--to', to]);
    expect(code).toBe(0);
    expect(stdout).toBe(`${to} has 1 run. Open it in a browser: ${pathToFileURL(to).href}\n`);
    const html = readFileSync(to, 'utf8');
    expect(html).toBe(inspectorPage(runsOf(html)));
  });
});

test('the demo has two runs to compare', async () => {
  const runs = await inspected(['--demo']);
  expect(runs.map(({ report }) => report.tokens.budget)).toEqual([1500, 600]);
  for (const { report, lockfile } of runs) {
    expect(report.input).toHaveLength(60);
    expect(lockfile?.input.chunks[0]?.text).toMatch(/\w/);
  }
});

describe('errors', () => {
  test.each([
    ['nothing', []],
    ['files and the demo', ['a.json', '--demo']],
  ])('%s to show', async (_, args) => {
    const { code, stderr } = await cli(['inspect', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain('Give files, or --demo.');
  });

  test.each([
    ['a file that is not there', ['none.json'], 'Cannot read none.json: ENOENT'],
    ['no JSON', [file('no.json', '{')], 'no.json is not JSON'],
    ['another JSON', [file('other.json', '[1]')], 'other.json is none of these: a recorded context'],
    ['half a report', [file('half.json', { report: { kept: [] } })], 'half.json is none of these'],
    ['a lockfile of later', [file('later.json', { lockfileVersion: 9 })], 'Install a later release'],
    [
      'a wrong chunk',
      [file('chunk.json', { ...INPUT, chunks: [{ id: 'a' }] })],
      '$.chunks[0].text must be a string',
    ],
    ['a wrong option', [file('option.json', { ...INPUT, options: { k: 0 } })], '$.options.k must be'],
    [
      'a folder that is not there',
      [file('input.json', INPUT), '--to', join(folder, 'no/page.html')],
      'Name another file with --to.',
    ],
  ])('%s is named', async (_, args, message) => {
    const { code, stdout, stderr } = await cli(['inspect', '--to', '-', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
