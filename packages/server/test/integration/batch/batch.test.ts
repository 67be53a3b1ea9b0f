/** `context-shaping-server batch` as a program: real threads, kills, a full disk. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createShaper } from 'context-shaping';
import { expect, test } from 'vitest';
import { cliProcess, start } from '../../../../../test/adapters/cli/harness.js';
import { builtPackage } from '../../../../../test/built-package.js';
import { timeless } from '../../../../../test/support.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';

const program = 'context-shaping-server';
const built = await builtPackage();

interface Line {
  id: number;
  query: string;
  chunks: { id: string; text: string }[];
  options?: object;
}

const WORDS = 'bridge toll opened river steel horses pence ferry span tower weight traffic rail paint'.split(
  ' ',
);
const text = (seed: number) =>
  Array.from({ length: 40 }, (_, at) => WORDS[(seed * 31 + at * (1 + (seed % 5))) % WORDS.length]).join(' ');
const lineOf = (id: number): Line => ({
  id,
  query: `When was the ${WORDS[id % WORDS.length]} built?`,
  chunks: Array.from({ length: 4 + (id % 5) }, (_, at) => ({
    id: `c${at}`,
    text: `${text(id * 7 + at)} ${id}.`,
  })),
  ...(id % 3 === 0 ? { options: { budget: { maxTokens: 120 } } } : {}),
});

function files(lines: readonly (string | object)[]) {
  const folder = temporaryFolder();
  const [input, out] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')];
  const bodies = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(input, `${bodies.join('\n')}\n`);
  const args = ['batch', '--in', input, '--out', out, '--workers', '2'];
  const records = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return {
    folder,
    input,
    out,
    args,
    results: () => records(out),
    rejects: () => records(`${out}.rejects.jsonl`),
  };
}

test('the results are those of shaping line by line', async () => {
  const lines = Array.from({ length: 60 }, (_, id) => lineOf(id));
  const { args, results, rejects } = files(lines);
  const outcome = await cliProcess([...args, '--budget', '90', '-k', '3'], { program, built });
  expect(outcome).toMatchObject({ code: 0, stdout: '' });
  expect(outcome.stderr).toMatch(
    /^60 lines: 60 shaped, 0 rejected, 0 blank; 60 of them now, in [\d.]+ seconds/,
  );
  const expected = lines.map(async ({ id, query, chunks, options }) => {
    const shaper = createShaper({ budget: { maxTokens: 90 }, k: 3, ...options });
    const result = await shaper.shape({ query, chunks });
    return {
      line: id + 1,
      id,
      chunks: result.chunks,
      report: timeless(JSON.parse(JSON.stringify(result.report))),
    };
  });
  const found = results().map(({ report, ...rest }) => ({ ...rest, report: timeless(report) }));
  expect(found).toEqual(await Promise.all(expected));
  expect(rejects()).toEqual([]);
});

test('a bad line costs that line only', async () => {
  const good = lineOf(1);
  const setup = resolve(import.meta.dirname, '../../batch/setups/fragile.mjs');
  const bad: [line: string | object, problem: object][] = [
    ['{"query": "cut off', { detail: 'The line is not JSON.' }],
    ['[]', { detail: '$ must be an object.' }],
    [{ chunks: [] }, { field: '$.query' }],
    [{ ...good, chunks: [{ id: 'a', txt: '' }] }, { field: '$.chunks[0].text' }],
    [{ ...good, options: { k: 0 } }, { field: '$.options.k' }],
    [{ ...good, options: { embedder: {} } }, { field: '$.options.embedder' }],
    [{ ...good, id: 2 ** 60 }, { field: '$.id' }],
    [{ ...good, id: ['a'] }, { field: '$.id' }],
    [{ ...good, query: 'x'.repeat(17 * 2 ** 20) }, { detail: 'The line is too long.' }],
    [{ ...good, query: 'It throws.' }, { detail: expect.stringMatching(/^Shaping failed: .*the reason/) }],
    [
      { ...good, query: 'It ends every thread.' },
      { detail: expect.stringMatching(/ended its thread three times/) },
    ],
    [{ ...good, query: 'It never answers.' }, { detail: 'The line took more than 20 seconds.' }],
    ['\u{fffd}', { detail: 'The line is not JSON.' }],
  ];
  const lines = bad.flatMap(([line], at) => [{ ...good, id: `good ${at}` }, '', line]);
  const { input, args, results, rejects } = files([...lines, { ...good, query: 'It takes a while.' }]);
  // Not UTF-8: the replacement character becomes a single byte.
  const bytes = readFileSync(input).toString('latin1').replace('\u{ef}\u{bf}\u{bd}', '\u{ff}');
  writeFileSync(input, bytes, 'latin1');
  const { code, stderr } = await cliProcess([...args, '--setup', setup, '--timeout', '20'], {
    program,
    built,
  });
  expect(stderr).toMatch(/^40 lines: 14 shaped, 13 rejected \(\S+out.jsonl.rejects.jsonl\), 13 blank/m);
  expect(code).toBe(3);
  const shaped = results();
  expect(shaped.map(({ line }) => line)).toEqual([...bad.map((_, at) => 3 * at + 1), 40]);
  expect(shaped.map(({ chunks }) => chunks.length)).toEqual(shaped.map(() => 2));
  const rejected = rejects();
  expect(rejected.map(({ line }) => line)).toEqual(bad.map((_, at) => 3 * at + 3));
  const problems = bad.map(([, problem]) => problem);
  problems[12] = { detail: 'The line is not UTF-8 text.' };
  for (const [at, problem] of problems.entries()) expect(rejected[at].error).toMatchObject(problem);
  expect(rejected[12]).toMatchObject({ bytes: 2 });
  expect(rejected.slice(9, 12).map(({ id, input }) => [id, input])).toEqual(
    bad.slice(9, 12).map(([line]) => [1, JSON.stringify(line)]),
  );
});

test('killed ten times at any instant, it loses no line and writes none twice', async () => {
  const lines = Array.from({ length: 3000 }, (_, id) => (id % 50 === 7 ? 'no JSON' : lineOf(id)));
  const undisturbed = files(lines);
  expect(await cliProcess([...undisturbed.args, '--no-report'], { program, built })).toMatchObject({
    code: 3,
  });
  const killed = files(lines);
  let kills = 0;
  for (let seed = 1; ; seed++) {
    const { child, outcome } = start([...killed.args, '--no-report'], { program, built });
    // At some length of the output, or before it grows at all.
    const least = kills % 4 === 0 ? 0 : sizeOf(killed.out) + ((seed * 7919) % 200_000);
    const timer = setInterval(() => sizeOf(killed.out) >= least && child.kill('SIGKILL'), 1 + (seed % 5));
    if (kills === 10) clearInterval(timer);
    const { code } = await outcome;
    clearInterval(timer);
    if (code !== null) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(3);
  for (const name of ['out', 'out.rejects'] as const) {
    const file = name === 'out' ? '' : '.rejects.jsonl';
    expect(readFileSync(`${killed.out}${file}`)).toEqual(readFileSync(`${undisturbed.out}${file}`));
  }
  expect(existsSync(`${killed.out}.checkpoint`)).toBe(false);
});

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);

test('killed before any of its steps on the disk, it is complete when it runs again', async () => {
  const script = resolve(import.meta.dirname, '../../batch/killed-batch.mjs');
  const contents = ['one', '', 'bad', 'two'].join('\n');
  const run = (folder: string, step: number) =>
    promisify(execFile)(process.execPath, [script, built, folder, String(step)]).catch((error) => error);
  const undisturbed = temporaryFolder();
  writeFileSync(join(undisturbed, 'in.jsonl'), contents);
  const { stdout } = await run(undisturbed, -1);
  const steps = Number(/^2 shaped, (\d+) steps$/m.exec(stdout)?.[1]);
  expect(steps).toBeGreaterThan(20);
  const names = readdirSync(undisturbed).sort();
  expect(names).toEqual(['in.jsonl', 'out.jsonl', 'out.jsonl.rejects.jsonl']);
  // The last steps are the end of the batch.
  for (let step = 0; step < steps; step += process.env.CI === 'true' || step > steps - 15 ? 1 : 5) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'in.jsonl'), contents);
    expect(await run(folder, step), `step ${step}`).toMatchObject({ signal: 'SIGKILL' });
    // Killed while it starts again, too.
    if (step % 2 === 0) await run(folder, step % 11);
    expect(await run(folder, -1), `step ${step}`).toMatchObject({
      stdout: expect.stringMatching(/^2 shaped/),
    });
    for (const name of names)
      expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(undisturbed, name)));
    expect(readdirSync(folder).filter((name) => /\.(?:checkpoint|lock)$/.test(name))).toEqual([]);
  }
});

test('Ctrl-C keeps finished lines; another start meanwhile is refused', async () => {
  const lines = Array.from({ length: 3000 }, (_, id) => lineOf(id));
  const { args, out, results } = files(lines);
  const { child, outcome } = start(args, { program, built });
  await expect.poll(() => sizeOf(out), { timeout: 60_000 }).toBeGreaterThan(0);
  const second = await cliProcess(args, { program, built });
  expect(second.code).toBe(2);
  expect(second.stderr).toContain(`--out is written by process ${child.pid}`);
  child.kill('SIGINT');
  expect(await outcome).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(/^Stopped after line \d+/m),
  });
  const done = results().length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(3000);
  const { code, stderr } = await cliProcess(args, { program, built });
  expect(stderr).toContain(`Going on after line ${done}.`);
  expect(code).toBe(0);
  expect(results().map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
  expect(await cliProcess(args, { program, built })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^context-shaping-server: --out exists, and no batch on it was interrupted/m,
    ),
  });
});

test.skipIf(process.platform === 'win32')('on a full disk it stops, and goes on later', async () => {
  const lines = Array.from({ length: 300 }, (_, id) => lineOf(id));
  const { args, results } = files(lines);
  // In blocks of 1 KB: a write beyond fails, as on a full disk.
  const limited = [
    '-c',
    'ulimit -f 100; exec "$@"',
    'bash',
    process.execPath,
    join(built, 'packages/server/dist/main.js'),
  ];
  const failed = await promisify(execFile)('bash', [...limited, ...args]).catch((error) => error);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^context-shaping-server: --out cannot be written: .*Nothing is lost/m);
  expect(await cliProcess(args, { program, built })).toMatchObject({ code: 0 });
  expect(results().map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
});

test.each([
  [['--in', '-'], /A batch cannot use standard streams/],
  [['--workers', '0'], /--workers must be above 0/],
  [['-k', '0'], /--k must be/],
  [['--setup', 'none.mjs'], /--setup cannot be loaded/],
  [['--in', 'none.jsonl'], /--in cannot be read: ENOENT/],
])('%s is an error of use, and writes nothing', async (wrong, message) => {
  const { args, out } = files([lineOf(1)]);
  const { code, stderr } = await cliProcess([...args, ...wrong], { program, built });
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
  expect(existsSync(out) || existsSync(`${out}.checkpoint`) || existsSync(`${out}.lock`)).toBe(false);
});
