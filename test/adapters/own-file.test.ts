/** Files that hold texts: their mode, and links. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlitePassageStore } from 'context-shaping-agents/passage-store';
import { afterAll, describe, expect, test } from 'vitest';
import { type HowToOpen, openOwn, writeOwn } from '../../adapters/own-file/index.js';
import { programNamed } from './cli/harness.js';

const { cli } = programNamed('context-shaping-devtools');

const folder = mkdtempSync(join(tmpdir(), 'own-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pathOf = (name: string) => join(folder, name);
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** A link, and the file that it names: with a content, or absent. */
function link(name: string, content?: string): { path: string; target: string } {
  const [path, target] = [pathOf(name), pathOf(`${name}-precious`)];
  if (content !== undefined) writeFileSync(target, content);
  symlinkSync(target, path);
  return { path, target };
}

describe.each<HowToOpen>(['w', 'wx', 'r+', 'a', 'a+'])('%s', (how) => {
  test('opens no link, and what the link names stays', async () => {
    const { path, target } = link(`link-${how}`, 'precious');
    const reason = how === 'wx' ? 'EEXIST' : `${path} is a symbolic link`;
    await expect(openOwn(path, how)).rejects.toThrow(reason);
    expect(readFileSync(target, 'utf8')).toBe('precious');
    const dangling = link(`dangling-${how}`);
    await expect(openOwn(dangling.path, how)).rejects.toThrow();
    expect(existsSync(dangling.target)).toBe(false);
  });

  test('makes a file that only its owner can read, also of one that all could read', async () => {
    const path = pathOf(`mode-${how}`);
    if (how !== 'wx') {
      writeFileSync(path, 'old');
      chmodSync(path, 0o644);
    }
    await (await openOwn(path, how)).close();
    expect(modeOf(path)).toBe(0o600);
  });
});

test('a whole file takes the place of a longer one', async () => {
  for (const text of ['a longer text', 'short']) await writeOwn(pathOf('whole'), text);
  expect(readFileSync(pathOf('whole'), 'utf8')).toBe('short');
});

const input = { query: 'When?', chunks: [{ id: 'a', text: 'The bridge opened in 1932.' }] };

test.each(['record', 'inspect'])(
  '%s --to writes for the owner alone, and through no link',
  async (command) => {
    const stdin = JSON.stringify(input);
    const to = pathOf(`${command}.out`);
    expect(await cli([command, '-', '--to', to], { stdin })).toMatchObject({ code: 0 });
    expect(modeOf(to)).toBe(0o600);
    const { path, target } = link(`${command}-link`, 'precious');
    const { code, stderr } = await cli([command, '-', '--to', path], { stdin });
    expect(code).toBe(2);
    expect(stderr).toContain(`${path} is a symbolic link`);
    expect(readFileSync(target, 'utf8')).toBe('precious');
  },
);

test('a store of passages does so, too', async () => {
  const { path, target } = link('passages.db', '');
  await expect(sqlitePassageStore({ path })).rejects.toThrow('is a symbolic link');
  expect(readFileSync(target, 'utf8')).toBe('');
});
