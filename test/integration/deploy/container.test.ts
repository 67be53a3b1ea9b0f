/**
 * The Dockerfile and the compose file, as far as they can be checked without a container engine: by linters, and by their
 * own commands, run in their order in folders that stand for the file systems of the stages.
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
import { COMPOSE, containers, hasTools, REPLICAS, tool } from '../../deploy/compose.js';
import { freePort } from '../../deploy/free-port.js';
import { mustHaveAll } from '../../must-have-all.js';

const DOCKERFILE = readFileSync('deploy/Dockerfile', 'utf8');
const isLinted = hasTools || mustHaveAll;

describe.runIf(isLinted)('linters', () => {
  test('the Dockerfile', () => {
    const { validate } = tool('dockerfile-utils') as { validate(text: string): unknown[] };
    expect(validate(DOCKERFILE)).toEqual([]);
    expect(validate('FROM node\nRUNS true')).not.toEqual([]);
  });

  test.each([COMPOSE, REPLICAS])('%s', async (file) => {
    const dclint = 'tools/node_modules/.bin/dclint';
    const { stdout } = await promisify(execFile)(dclint, [file, '--max-warnings', '0']);
    expect(stdout.trim()).toBe('');
  });

  test('no container can write to its file system, gain rights, or take all of the machine', () => {
    const { balancer } = containers(REPLICAS);
    for (const [name, container] of Object.entries({ ...containers(), balancer })) {
      expect(container, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        deploy: {
          resources: {
            limits: { cpus: expect.any(String), memory: expect.any(String), pids: expect.any(Number) },
          },
        },
      });
      for (const port of container?.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
      for (const [key, value] of Object.entries(container?.environment ?? {}))
        if (/PASSWORD|SECRET/.test(key)) expect(value, `${name} ${key}`).toMatch(/^\/run\/secrets\//);
    }
  });
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
    for (const each of ['fastify', 'ioredis', 'typescript', 'vitest'])
      expect([each, existsSync(join(folder, 'node_modules', each))]).toEqual([
        each,
        /^(?:fastify|ioredis)$/.test(each),
      ]);
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

    // The image has the packages for reviews: the database is missing, and nothing else.
    const plugin = 'node_modules/context-shaping/dist/esm/adapters/cli/main.js';
    const reviews = [plugin, 'reviews', 'list', '--database', 'postgres://127.0.0.1:9/none'];
    const failure = await promisify(execFile)(program, reviews, options).catch((error) => error);
    expect(failure.stderr).toContain('postgres://127.0.0.1:9/none');
    expect(failure.stderr).not.toContain('npm install');
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
  const matches = (file: string, pattern: string) =>
    pattern === '*' || file === pattern || file.startsWith(`${pattern}/`);
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
