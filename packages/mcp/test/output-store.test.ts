import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { keepOutput, readOutput } from '../src/output-store.js';

test('every text is read as it was kept, and has one handle', async () => {
  const folder = join(temporaryFolder(), 'a', 'outputs');
  const handles = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (output) => {
      const handle = await keepOutput(folder, output);
      expect(handle).toMatch(/^[\w-]{22}$/);
      expect(await readOutput(folder, handle)).toBe(output);
      expect(await keepOutput(folder, output)).toBe(handle);
      expect(handles.get(handle) ?? output).toBe(output);
      handles.set(handle, output);
    }),
    { numRuns: 15 },
  );
  expect(readdirSync(folder)).toHaveLength(handles.size);
});

test('only their owner can read the folder and its files', async () => {
  const folder = join(temporaryFolder(), 'outputs');
  const handle = await keepOutput(folder, 'secret');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, `${handle}.txt`)).mode & 0o777).toBe(0o600);
});

test('a file that has changed is none of this handle, and is written anew', async () => {
  const folder = temporaryFolder();
  const handle = await keepOutput(folder, 'the output');
  const file = join(folder, `${handle}.txt`);
  writeFileSync(file, 'the output of another program');
  expect(await readOutput(folder, handle)).toBeUndefined();
  await keepOutput(folder, 'the output');
  expect(readFileSync(file, 'utf8')).toBe('the output');
});

test('a link in the place of a file is replaced, not followed', async () => {
  const folder = temporaryFolder();
  const handle = await keepOutput(folder, 'the output');
  const other = temporaryFolder();
  const [victim, outputs] = [join(other, 'victim'), join(other, 'outputs')];
  writeFileSync(victim, 'as before');
  mkdirSync(outputs);
  symlinkSync(victim, join(outputs, `${handle}.txt`));
  expect(await keepOutput(outputs, 'the output')).toBe(handle);
  expect(readFileSync(victim, 'utf8')).toBe('as before');
  expect(await readOutput(outputs, handle)).toBe('the output');
});

test.each(['', '../secret', 'x'.repeat(22), `${'x'.repeat(21)}/`, '.'.repeat(22)])(
  'there is no output of the handle %j',
  async (handle) => {
    expect(await readOutput(temporaryFolder(), handle)).toBeUndefined();
    expect(await readOutput('no such folder', handle)).toBeUndefined();
  },
);

test('the oldest outputs go beyond the limit; the newest stays, also if it is larger', async () => {
  const folder = temporaryFolder();
  const handles: string[] = [];
  for (const [at, letter] of ['a', 'b', 'c', 'd'].entries()) {
    const handle = await keepOutput(folder, letter.repeat(100), 250);
    utimesSync(join(folder, `${handle}.txt`), at, at);
    handles.push(handle);
  }
  writeFileSync(join(folder, 'of another program'), 'x'.repeat(1000));
  const left = async () =>
    Promise.all(handles.map(async (each) => (await readOutput(folder, each)) !== undefined));
  expect(await left()).toEqual([false, false, true, true]);
  handles.push(await keepOutput(folder, 'e'.repeat(300), 250));
  expect(await left()).toEqual([false, false, false, false, true]);
  expect(readdirSync(folder)).toContain('of another program');
});
