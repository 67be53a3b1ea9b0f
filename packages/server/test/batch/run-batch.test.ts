/** Batches in this process, with executors that fail where a test wants it. Real threads and kills: test/integration/batch. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ContextShapingError } from 'context-shaping';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { runBatch } from '../../src/batch/run-batch.js';
import type { BatchOptions, Executor, Outcome } from '../../src/batch/types.js';

const LINES = [
  '{"id":"a"}',
  '  ',
  'no JSON',
  '{"id":7}',
  '',
  `"${'long'.repeat(40)}"`,
  '{"bad":true}',
  '{}',
  'last',
];
const TEXT = LINES.join('\n');

/** Repeats the line, and rejects some. */
const outcomeOf = (text: string): Outcome =>
  text.startsWith('{') && !text.includes('bad')
    ? { is: 'shaped', json: Buffer.from(`{"was":${text}}`) }
    : { is: 'rejected', problem: { detail: `Not ${text}.`, remedy: 'Other.' } };

const executor = (run: (line: number) => void = () => {}) => {
  const shaped: number[] = [];
  const made: Executor = {
    run: async ({ line, bytes }, signal) => {
      run(line);
      signal.throwIfAborted();
      shaped.push(line);
      return outcomeOf(Buffer.from(bytes).toString());
    },
    close: async () => {},
  };
  return { shaped, start: async () => made };
};

function batch(over: Partial<BatchOptions> = {}) {
  const folder = temporaryFolder();
  const files = { in: join(folder, 'in.jsonl'), out: join(folder, 'out.jsonl') };
  writeFileSync(files.in, TEXT);
  const options = {
    ...files,
    executor: executor().start,
    settings: { k: 3 },
    maxLineBytes: 100,
    checkpointMs: 0,
    signal: new AbortController().signal,
    ...over,
  };
  const read = () => ({
    out: readFileSync(files.out, 'utf8'),
    rejects: readFileSync(`${files.out}.rejects.jsonl`, 'utf8'),
  });
  return { folder, files, options, read, checkpoint: `${files.out}.checkpoint` };
}

/** Ends before a line, as if interrupted. */
const endsBefore = (line: number) =>
  executor((each) => {
    if (each >= line) throw new Error('interrupted');
  });

const OUT = `{"line":1,"was":{"id":"a"}}
{"line":4,"was":{"id":7}}
{"line":8,"was":{}}
`;
const REJECTS = [
  { line: 3, error: { detail: 'Not no JSON.', remedy: 'Other.' }, input: 'no JSON' },
  {
    line: 6,
    error: { detail: 'The line is too long.', remedy: 'Give fewer or shorter chunks.' },
    offset: TEXT.indexOf('"long'),
    bytes: 163,
  },
  { line: 7, error: { detail: 'Not {"bad":true}.', remedy: 'Other.' }, input: '{"bad":true}' },
  { line: 9, error: { detail: 'Not last.', remedy: 'Other.' }, input: 'last' },
]
  .map((each) => `${JSON.stringify(each)}\n`)
  .join('');

test('each line is in one of the outputs, in the order of the input; no other file is left', async () => {
  const { folder, options, read } = batch();
  const progress: number[] = [];
  const done = await runBatch({ ...options, onProgress: ({ bytes }) => progress.push(bytes) });
  expect(done).toMatchObject({
    line: 9,
    shaped: 3,
    rejected: 4,
    blank: 2,
    bytes: TEXT.length,
    size: TEXT.length,
  });
  expect(read()).toEqual({ out: OUT, rejects: REJECTS });
  expect(readdirSync(folder).sort()).toEqual(['in.jsonl', 'out.jsonl', 'out.jsonl.rejects.jsonl']);
  expect(progress[0]).toBe(0);
  expect(progress.at(-1)).toBe(TEXT.length);
});

test.each(LINES.map((_, at) => at + 1))('interrupted before line %i, it goes on there', async (line) => {
  const { options, read } = batch();
  const first = endsBefore(line);
  const running = runBatch({ ...options, executor: first.start });
  // Blank lines and lines that are too long need no executor.
  if (![2, 5, 6].includes(line)) await expect(running).rejects.toThrow('interrupted');
  else await running.catch(() => {});
  const second = executor();
  await runBatch({ ...options, executor: second.start });
  expect(read()).toEqual({ out: OUT, rejects: REJECTS });
  expect([...first.shaped, ...second.shaped].sort()).toEqual([1, 3, 4, 7, 8, 9]);
});

test('lines that were written after the checkpoint are written again', async () => {
  const { options, files, read } = batch();
  await expect(runBatch({ ...options, executor: endsBefore(7).start })).rejects.toThrow('interrupted');
  appendFileSync(files.out, '{"line":7,"half of a li');
  appendFileSync(`${files.out}.rejects.jsonl`, '{"line":8}\n\0\0\0');
  await runBatch(options);
  expect(read()).toEqual({ out: OUT, rejects: REJECTS });
});

test('killed before the outputs are there, it begins anew', async () => {
  const { options, files, read } = batch();
  await expect(runBatch({ ...options, executor: endsBefore(1).start })).rejects.toThrow('interrupted');
  truncateSync(files.out);
  await runBatch({ ...options, settings: { k: 4 } });
  expect(read()).toEqual({ out: OUT, rejects: REJECTS });
});

test('the input may end with a line break, or be empty', async () => {
  const { options, files, read } = batch();
  writeFileSync(files.in, `${TEXT}\n`);
  expect(await runBatch(options)).toMatchObject({ line: 9 });
  expect(read()).toEqual({ out: OUT, rejects: REJECTS });
  writeFileSync(files.in, '');
  expect(await runBatch({ ...options, overwrite: true })).toMatchObject({ line: 0, size: 0 });
  expect(read()).toEqual({ out: '', rejects: '' });
});

test('a line that is not UTF-8 is named by its place', async () => {
  const { options, files, read } = batch();
  writeFileSync(files.in, Buffer.from([0x0a, 0xff, 0xfe, 0x41]));
  await runBatch(options);
  expect(JSON.parse(read().rejects)).toMatchObject({ line: 2, offset: 1, bytes: 3 });
});

test('a rejected line keeps its id', async () => {
  const { options, files, read } = batch();
  writeFileSync(files.in, '{"id":"q","bad":1}\n{"id":[],"bad":1}');
  await runBatch(options);
  const ids = read().rejects.trim().split('\n');
  expect(ids.map((line) => (JSON.parse(line) as { id?: unknown }).id)).toEqual(['q', undefined]);
});

const refused = async (running: Promise<unknown>) => {
  const error = (await running.then(
    () => undefined,
    (reason: unknown) => reason,
  )) as ContextShapingError;
  return `${error.kind}: ${error.field} ${error.problem}`;
};

/** The options, when the files are changed. */
const after = (_: unknown, over: Partial<BatchOptions> = {}) => over;

type Made = ReturnType<typeof batch>;
const damage = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));

test.each<[string, (made: Made) => unknown, RegExp]>([
  ['a longer input', ({ files }) => appendFileSync(files.in, '\n{}'), /^invalid-input: in has changed/],
  [
    'another input',
    ({ files }) => damage(files.in, (text) => text.replace('"a"', '"b"')),
    /^invalid-input: in has changed/,
  ],
  ['other settings', () => ({ settings: { k: 4 } }), /^invalid-options: k was 3 when the batch began/],
  ['new settings', () => ({ settings: { k: 3, budget: 9 } }), /^invalid-options: budget was absent/],
  ['a shorter output', ({ files }) => truncateSync(files.out, 5), /^invalid-options: out is shorter/],
  [
    'no rejects',
    ({ files }) => truncateSync(`${files.out}.rejects.jsonl`),
    /^invalid-options: out is shorter/,
  ],
  [
    'half a checkpoint',
    ({ checkpoint }) => damage(checkpoint, (text) => text.slice(0, 90)),
    /out is a damaged checkpoint/,
  ],
  ['an empty checkpoint', ({ checkpoint }) => truncateSync(checkpoint), /out is a damaged checkpoint/],
])('with %s it does not go on, and changes nothing', async (_, change, message) => {
  const made = batch();
  await expect(runBatch({ ...made.options, executor: endsBefore(7).start })).rejects.toThrow('interrupted');
  const over = (change(made) ?? {}) as Partial<BatchOptions>;
  const before = made.read();
  const checkpoint = readFileSync(made.checkpoint);
  expect(await refused(runBatch({ ...made.options, ...over }))).toMatch(message);
  expect(made.read()).toEqual(before);
  expect(readFileSync(made.checkpoint)).toEqual(checkpoint);
  // With overwrite it begins anew.
  const fresh = await runBatch({ ...made.options, ...over, overwrite: true });
  expect(fresh.shaped + fresh.rejected + fresh.blank).toBe(fresh.line);
  expect(existsSync(made.checkpoint)).toBe(false);
});

test.each<[string, (made: Made) => Partial<BatchOptions>, RegExp]>([
  [
    'a finished output',
    ({ files }) => after(writeFileSync(files.out, 'mine'), {}),
    /^invalid-options: out exists/,
  ],
  [
    'finished rejects',
    ({ files }) => after(writeFileSync(`${files.out}.rejects.jsonl`, ''), {}),
    /^invalid-options: out exists/,
  ],
  [
    'the input as its output',
    ({ files }) => ({ out: files.in, overwrite: true }),
    /^invalid-options: out is the input/,
  ],
  [
    'a link to the input',
    ({ files }) => after(symlinkSync(files.in, files.out), { overwrite: true }),
    /out is the input/,
  ],
  [
    'a folder as output',
    ({ files }) => after(mkdirSync(files.out), { overwrite: true }),
    /^invalid-options: out is not a file/,
  ],
  [
    'no such folder',
    ({ folder }) => ({ out: join(folder, 'none/out') }),
    /^invalid-options: out cannot be written/,
  ],
  ['no input', ({ folder }) => ({ in: join(folder, 'none') }), /^invalid-input: in cannot be read: ENOENT/],
  ['a folder as input', ({ folder }) => ({ in: folder }), /^invalid-input: in is not a file/],
])('%s is refused, and stays as it is', async (_, make, message) => {
  const made = batch();
  const over = make(made);
  const before = readdirSync(made.folder).sort();
  expect(await refused(runBatch({ ...made.options, ...over }))).toMatch(message);
  expect(readdirSync(made.folder).sort()).toEqual(before);
  expect(readFileSync(made.files.in, 'utf8')).toBe(TEXT);
});

test('two batches never write one output', async () => {
  const { options, files, read } = batch();
  let proceed = () => {};
  const waiting = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const { start } = executor();
  const slow = async () => ({ ...(await start()), run: () => waiting.then(() => outcomeOf('{}')) });
  const first = runBatch({ ...options, executor: slow });
  await expect.poll(() => existsSync(`${files.out}.lock`)).toBe(true);
  for (const each of [options, { ...options, overwrite: true }])
    expect(await refused(runBatch(each))).toMatch(/is written by process/);
  proceed();
  await first;
  expect(read().out.split('\n')).toHaveLength(7);
});

test.each([
  ['of a process that has ended', `${2 ** 30} ${hostname()}`],
  ['of a process before with the same number', `${process.pid} ${hostname()}`],
  ['that is empty', ''],
])('a lock %s is taken over', async (_, lock) => {
  const { options, files, read, folder } = batch();
  writeFileSync(`${files.out}.lock`, lock);
  await runBatch(options);
  expect(read().out).toBe(OUT);
  expect(readdirSync(folder)).toHaveLength(3);
});

test.each([
  ['of another machine', `${2 ** 30} elsewhere`, /of the machine elsewhere/],
  ['of a living process', `${process.ppid} ${hostname()}`, /is written by process/],
])('a lock %s is not', async (_, lock, message) => {
  const { options, files } = batch();
  writeFileSync(`${files.out}.lock`, lock);
  expect(await refused(runBatch(options))).toMatch(message);
  expect(readFileSync(`${files.out}.lock`, 'utf8')).toBe(lock);
});

test.each(['out', 'rejects'])('%s is for the owner alone, and no link', async (which) => {
  const { files, options, read } = batch({ overwrite: true });
  const path = which === 'out' ? files.out : `${files.out}.rejects.jsonl`;
  writeFileSync(`${files.in}.precious`, 'precious');
  symlinkSync(`${files.in}.precious`, path);
  await expect(runBatch(options)).rejects.toThrow(`${path} is a symbolic link`);
  expect(readFileSync(`${files.in}.precious`, 'utf8')).toBe('precious');
  unlinkSync(path);
  await runBatch(options);
  expect(read().out).not.toBe('');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
