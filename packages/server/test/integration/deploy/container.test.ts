/**
 * The Dockerfile and the compose file, as far as they can be checked without a container engine: by the commands of the
 * Dockerfile, run in their order in folders that stand for the file systems of the stages.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../../test/free-port.js';

const FOLDER = 'packages/server/deploy';
const DOCKERFILE = readFileSync(join(FOLDER, 'Dockerfile'), 'utf8');

test('the compose file builds the Dockerfile, and its container can neither write nor gain rights', () => {
  const compose = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8');
  const [, context = '', dockerfile = ''] = /context: (\S+)\s+dockerfile: (\S+)/.exec(compose) ?? [];
  expect(resolve(FOLDER, context, dockerfile)).toBe(resolve(FOLDER, 'Dockerfile'));
  for (const rule of [
    /read_only: true/,
    /cap_drop:\s+- ALL/,
    /no-new-privileges:true/,
    /pids: \d+/,
    /memory: \d/,
  ])
    expect(compose).toMatch(rule);
  expect(compose.match(/\S+:8000/g)).toEqual(["'127.0.0.1:8000:8000"]);
});

describe('the commands of the Dockerfile', () => {
  const machine = mkdtempSync(join(tmpdir(), 'container-'));
  // The user of the container goes through this folder.
  chmodSync(machine, 0o755);
  afterAll(() => rmSync(machine, { recursive: true, force: true }));

  test('build the service, which runs for a user without rights', async () => {
    const image = await built(machine);
    const { user, entrypoint, command, health, folder, env } = image;
    expect(user).toBe('node');
    for (const each of ['fastify', 'typescript', 'vitest'])
      expect([each, existsSync(join(folder, 'node_modules', each))]).toEqual([each, each === 'fastify']);
    execFileSync('chmod', ['-R', 'a-w', folder]);

    const port = await freePort();
    // Two services cannot listen on one port of this machine, and others may use that of the container.
    const at = (words: readonly string[]) => words.map((word) => word.replaceAll('8000', String(port)));
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env }, ...unprivileged() };
    const [program = '', ...args] = entrypoint;
    const service = spawn(program, [...args, ...command, '--port', String(port)], options);
    const ended = once(service, 'exit');
    try {
      const said = await firstText(service.stderr, service.stdout);
      expect(said).toContain(`:${port}.`);
      const [check = '', ...flags] = at(health);
      await promisify(execFile)(check, flags, options);
      const answer = await fetch(`http://127.0.0.1:${port}/v1/shape`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'cat', chunks: [{ id: 'a', text: 'The cat.' }] }),
      });
      expect(await answer.json()).toMatchObject({ chunks: [{ id: 'a' }] });
      service.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      await expect(promisify(execFile)(check, flags, options)).rejects.toMatchObject({ code: 1 });
    } finally {
      service.kill('SIGKILL');
    }
  });
});

interface Image {
  /** The working folder of the last stage. */
  folder: string;
  user: string;
  env: Record<string, string>;
  entrypoint: string[];
  command: string[];
  health: string[];
}

/** Runs each instruction; the root of a stage is a folder of its name. */
async function built(machine: string): Promise<Image> {
  const context = join(machine, 'context');
  for (const file of contextFiles()) {
    mkdirSync(dirname(join(context, file)), { recursive: true });
    cpSync(file, join(context, file));
  }
  const image = { user: 'root', env: {}, entrypoint: [], command: [], health: [] } as Omit<Image, 'folder'>;
  let [root, folder] = ['', '/'];
  const here = (path: string) => join(root, resolve(folder, path));
  for (const { keyword, rest } of instructions()) {
    const words = rest.split(/\s+/);
    if (keyword === 'FROM') {
      const [base, , name = 'last'] = words;
      expect(base).toMatch(/^node:24-\w*-?slim$/);
      root = join(machine, name);
      folder = '/';
    } else if (keyword === 'WORKDIR') {
      folder = resolve(folder, rest);
      mkdirSync(here('.'), { recursive: true });
    } else if (keyword === 'COPY') {
      const from = words[0]?.startsWith('--from=')
        ? join(machine, (words.shift() as string).slice(7))
        : context;
      const to = words.pop() as string;
      for (const source of words) copy(join(from, source), here(to), to.endsWith('/'));
    } else if (keyword === 'RUN') {
      const run = promisify(execFile)('sh', ['-ec', rest], { cwd: here('.'), maxBuffer: 2 ** 26 });
      await run.catch((error) => {
        throw new Error(`${rest}\n${error.stdout}\n${error.stderr}`);
      });
    } else if (keyword === 'ENV') {
      const [key = '', value = ''] = rest.split('=');
      image.env = { ...image.env, [key]: value };
    } else if (keyword === 'USER') {
      image.user = rest;
    } else if (keyword === 'HEALTHCHECK') {
      image.health = JSON.parse(rest.slice(rest.indexOf('[')));
    } else if (keyword === 'ENTRYPOINT') {
      image.entrypoint = JSON.parse(rest);
    } else if (keyword === 'CMD') {
      image.command = JSON.parse(rest);
    } else if (keyword !== 'EXPOSE') {
      throw new Error(`${keyword} is not known to this test`);
    }
  }
  return { ...image, folder: here('.') };
}

const instructions = () =>
  DOCKERFILE.replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ keyword: line.split(' ', 1)[0] as string, rest: line.replace(/^\w+\s+/, '').trim() }));

/** A file into a folder or as a file; of a folder its contents. */
function copy(from: string, to: string, isFolder: boolean): void {
  const isFile = !statSync(from).isDirectory();
  cpSync(from, isFile && isFolder ? join(to, basename(from)) : to, {
    recursive: true,
    verbatimSymlinks: true,
  });
}

/** The files that `.dockerignore` lets through: of the lines that match a file, the last one decides. */
function contextFiles(): string[] {
  const rules = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  // A star is any name, and a folder has all that is below it.
  const matches = (file: string, pattern: string) =>
    new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')}(?:/|$)`).test(file);
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return files
    .split('\n')
    .filter((file) => file !== '' && existsSync(file))
    .filter((file) => rules.findLast((rule) => matches(file, rule.replace('!', '')))?.startsWith('!'));
}

/** Only root can become another user; any other user has few rights already. */
const unprivileged = () => (process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {});

/** The first output of the first stream, or all output of the other one by its end. */
async function firstText(stream: NodeJS.ReadableStream, other: NodeJS.ReadableStream): Promise<string> {
  let log = '';
  other.on('data', (data) => {
    log += data;
  });
  for await (const data of stream) return String(data);
  throw new Error(`It ended. ${log}`);
}
