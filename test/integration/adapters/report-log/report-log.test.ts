import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShaper, reportLines, type ShapingReport } from 'context-shaping';
import { reportLog } from 'context-shaping/report-log';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

const chunks = ['Kestrels hover.', 'Buzzards soar.', 'Kestrels hover.'].map((text, i) => ({
  id: `c${i}`,
  text,
}));
const textOf = (name: string) => readFile(join(folder, name), 'utf8');
const shaped = async (): Promise<ShapingReport> =>
  (await createShaper().shape({ query: 'birds', chunks })).report;
const linesOf = (...reports: ShapingReport[]) =>
  reports
    .flatMap(reportLines)
    .map((line) => `${line}\n`)
    .join('');

it('appends the lines of every report, in a folder that it makes', async () => {
  const file = join(folder, 'logs', 'deep.log');
  const shaper = createShaper({ onReport: reportLog({ file }) });
  const first = await shaper.shape({ query: 'birds', chunks });
  const second = await createShaper({ onReport: reportLog({ file }) }).shape({ query: 'soar', chunks });
  expect(await textOf('logs/deep.log')).toBe(linesOf(first.report, second.report));
});

it('keeps the order of calls that are not waited for', async () => {
  const onReport = reportLog({ file: join(folder, 'a.log') });
  const report = await shaped();
  const reports = Array.from({ length: 30 }, (_, i) => ({ ...report, digest: `${i}` }));
  await Promise.all(reports.map(onReport));
  expect(await textOf('a.log')).toBe(linesOf(...reports));
});

it('puts full files aside, keeps the last ones, and leaves other files alone', async () => {
  const file = join(folder, 'a.log');
  const report = await shaped();
  const size = linesOf(report).length;
  await reportLog({ file: join(folder, 'a.log.old') })(report);
  const onReport = reportLog({ file, maxBytes: 2 * size, keep: 2 });
  for (let i = 0; i < 9; i++) await onReport({ ...report, digest: report.digest.replace(/.$/, `${i}`) });
  expect((await readdir(folder)).sort()).toEqual(['a.log', 'a.log.3', 'a.log.4', 'a.log.old']);
  const digits = async (name: string) =>
    (await textOf(name)).match(/(?<="event":"shaped","digest":"[^"]*)\d(?=")/g);
  expect(await digits('a.log.3')).toEqual(['4', '5']);
  expect(await digits('a.log.4')).toEqual(['6', '7']);
  expect(await digits('a.log')).toEqual(['8']);
});

it('says in the report of the call that the log could not be written', async () => {
  const { report, chunks: kept } = await createShaper({ onReport: reportLog({ file: folder }) }).shape({
    query: 'birds',
    chunks,
  });
  expect(kept).toHaveLength(2);
  expect(report.degradations).toMatchObject([
    { code: 'observer-failed', message: expect.stringContaining('EISDIR') },
  ]);
});

it('goes on after a failure', async () => {
  const file = join(folder, 'a.log');
  const onReport = reportLog({ file });
  const report = await shaped();
  const { mkdir, rmdir } = await import('node:fs/promises');
  await mkdir(file);
  await expect(onReport(report)).rejects.toMatchObject({ code: 'EISDIR' });
  await rmdir(file);
  await onReport(report);
  expect(await textOf('a.log')).toBe(linesOf(report));
});

it.each([
  ['file', { file: '' }],
  ['maxBytes', { maxBytes: 0 }],
  ['keep', { keep: 0 }],
  ['size', { size: 3 }],
])('refuses a wrong %s', (field, options) => {
  expect(() => reportLog(options as never)).toThrow(
    expect.objectContaining({ kind: 'invalid-options', field }),
  );
});

it('loses and tears no line when four processes write 500 reports each while it rotates', async () => {
  const file = join(folder, 'a.log');
  const maxBytes = 20_000;
  const writers = ['w0', 'w1', 'w2', 'w3'].map(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const child = spawn(
          process.execPath,
          [
            '--conditions=context-shaping-source',
            '--import',
            'tsx',
            'test/adapters/report-log/write-reports.ts',
            ...[file, name, '500', String(maxBytes), '100000'],
          ],
          { stdio: ['ignore', 'ignore', 'inherit'] },
        );
        child.on('error', reject);
        child.on('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`${name} exited with ${code}`)),
        );
      }),
  );
  await Promise.all(writers);
  const names = await readdir(folder);
  const texts = await Promise.all(names.map(textOf));
  const entries = texts.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line));
  const count = (event: string) => {
    const digests = entries.filter((entry) => entry.event === event).map(({ digest }) => digest);
    return { all: digests.length, different: new Set(digests).size };
  };
  expect(count('shaped')).toEqual({ all: 2000, different: 2000 });
  expect(count('kept')).toEqual({ all: 2000, different: 2000 });
  expect(texts.every((text) => text === '' || text.endsWith('\n'))).toBe(true);
  expect(names.length).toBeGreaterThan(20);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  expect(Math.max(...sizes)).toBeLessThan(2 * maxBytes);
});
