/** Each command beside a peer that never answers: it ends, or answers, within its limit. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { DEVTOOLS } from '../../adapters/cli/program.js';
import { type Outcome, PROGRAMS, type Program, ROOT, start } from '../adapters/cli/harness.js';
import { builtPackage } from '../built-package.js';
import { FOLDERS } from '../published.js';
import { temporaryFolder } from '../temporary-folder.js';

const BUILT = await builtPackage();
const SETUPS = join(ROOT, 'packages/server/test/http/setups');
const POOL = { query: 'How high is the dam?', chunks: [{ id: 'a', text: 'The dam is 12 m high.' }] };
const NEVER = { ...POOL, chunks: [{ id: 'a', text: 'This one never answers.' }] };

/** The commands of all published programs, without those that only name another package. */
function commands(): string[] {
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    signal: new AbortController().signal,
  };
  const inside = (command: Command, above: string): string[] =>
    command.commands.length === 0
      ? [above]
      : command.commands.flatMap((each) => inside(each, `${above} ${each.name()}`));
  const bins = FOLDERS.flatMap((folder) =>
    Object.keys(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).bin ?? {}),
  );
  const made = bins.flatMap((bin) =>
    // `context-shaping-mcp hook` is a program of its own.
    [[], ['hook']].flatMap((args) => inside(PROGRAMS[bin as Program].make(io, args), bin)),
  );
  return [...new Set(made)];
}

/** A server that accepts, and never sends a byte. */
async function silentServer() {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((socket) => {
    asked += 1;
    sockets.add(socket.on('error', () => {}).resume());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, asked: () => asked };
}

/** A file of a temporary folder. */
function file(name: string, content: unknown): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function pipe(path = join(temporaryFolder(), 'pipe')): string {
  execFileSync('mkfifo', [path]);
  return path;
}

/** A pipe cannot be opened for writing in this way before its reader is there. */
async function whenRead(path: string): Promise<void> {
  for (;;) {
    try {
      const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(writer));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** A program with an open input. It is killed when the test ends. */
function open(name: string, args: string[]) {
  const [program, ...words] = name.split(' ');
  const started = start([...words, ...args], {
    program: program as Program,
    built: BUILT,
    cwd: temporaryFolder(),
  });
  onTestFinished(() => void started.child.kill('SIGKILL'));
  started.child.stdin.on('error', () => {});
  return started;
}

/** Runs a command, and checks its end. */
type Ends = (name: string) => Promise<void>;

const expectEnd = (outcome: Outcome, code: number, says: RegExp) => {
  expect({ code: outcome.code, says: outcome.stderr }).toEqual({ code, says: expect.stringMatching(says) });
};

/** The command reads the pipe, waits for its writer, and ends after the signal. */
const waitsFor =
  (args: (path: string) => string[], signal: NodeJS.Signals = 'SIGTERM'): Ends =>
  async (name) => {
    const path = pipe();
    const { child, outcome } = open(name, args(path));
    await whenRead(path);
    child.kill(signal);
    expect((await outcome).code).toBe(130);
  };

/** The command refuses the pipe. */
const refuses =
  (args: (path: string) => string[], says = /is a pipe|is not a file/, code = 2): Ends =>
  async (name) =>
    expectEnd(await open(name, args(pipe())).outcome, code, says);

/** The command asks a server, and gives up. */
const givesUp =
  (args: (server: { host: string; url: string }) => string[], says: RegExp): Ends =>
  async (name) => {
    const server = await silentServer();
    expectEnd(await open(name, args(server)).outcome, 1, says);
    expect(server.asked()).toBeGreaterThan(0);
  };

const queue = givesUp(({ host }) => ['--queue', `redis://${host}`], /cannot be reached/);

const labelled = Array.from({ length: 20 }, (_, at) =>
  JSON.stringify({
    query: { text: `How high is dam ${at}?`, answer: `${at} m` },
    chunks: [`Dam ${at} is ${at} m high.`, 'It rains.'],
    evidence: { answers: [`${at} m`] },
  }),
).join('\n');
/** @param model an expression for a model at the address `url`. */
const fits = (model: string): Ends =>
  givesUp(
    ({ url }) => [
      ...['--data', file('labelled', labelled), '--setup', setup(model.replace('URL', `'${url}'`))],
      ...['--fit', '-'],
    ],
    /nothing within 200 ms|no answer within 200 ms/,
  );
/** In the built package, so that the module finds it. */
function setup(model: string): string {
  const folder = mkdtempSync(join(BUILT, 'setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'setup.mjs');
  const imports = "import * as logprobs from 'context-shaping/logprobs';";
  writeFileSync(path, `${imports}\nexport default { ecs: { model: logprobs.${model} } };\n`);
  return path;
}

/** A message of MCP. */
const message = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const INITIALIZE = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const TEXT = 'The dam is 12 m high. '.repeat(2000);
/** Answers calls, and nothing else; it does not end with its input. */
const MCP_SERVER = `
  setInterval(() => {}, 1e6);
  const content = [{ type: 'text', text: ${JSON.stringify(TEXT)} }];
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = { content, structuredContent: { dams: [content[0].text] } };
    if (method === 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

const CASES: Record<string, Record<string, Ends>> = {
  'context-shaping shape': {
    'a pipe as the file': waitsFor((path) => [path]),
    'a pipe to save to': refuses((path) => [file('pool', POOL), '--save', path]),
  },
  'context-shaping-devtools explain': { 'a pipe as the file': waitsFor((path) => [path], 'SIGINT') },
  'context-shaping demo': {
    'a pipe in the folder': async (name) => {
      const folder = temporaryFolder();
      pipe(join(folder, 'a.md'));
      writeFileSync(join(folder, 'b.md'), '# The dam\n\nThe dam is 12 m high.\n');
      expectEnd(await open(name, [folder, 'How high is the dam?']).outcome, 0, /^/);
    },
  },
  'context-shaping-mcp hook': {
    'an output without an end': async (name) => {
      const { child, outcome } = open(name, []);
      // A pipe holds far less than a megabyte.
      child.stdin.write(TEXT.repeat(25));
      while (child.stdin.writableLength > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill('SIGTERM');
      expectEnd(await outcome, 0, /interrupted/);
    },
    'an expression that never ends': async (name) => {
      const { child, outcome } = open(name, ['--max-tokens', '9', '--keep', '/^(a+)+$/m', '--timeout', '1']);
      child.stdin.end(`${'a'.repeat(60)}!\n`);
      expectEnd(await outcome, 0, /it takes more than 1 seconds/);
    },
    'a pipe as the store': async (name) => {
      const { child, outcome } = open(name, ['--max-tokens', '9', '--store', pipe()]);
      child.stdin.end(TEXT);
      expect(await outcome).toMatchObject({ code: 0, stdout: TEXT });
    },
  },
  'context-shaping-devtools inspect': {
    'a pipe as the file': waitsFor((path) => [path]),
    'a pipe as the page': refuses((path) => ['--demo', '--to', path]),
  },
  'context-shaping-devtools evaluate': {
    'a pipe as the data': waitsFor((path) => ['--data', path]),
    'a pipe as the result': refuses((path) => ['--data', file('labelled', labelled), '--json', path]),
    'llama-server': fits('llamaServer({ baseUrl: URL, timeoutMs: 200 })'),
    Ollama: fits("ollamaModel({ baseUrl: URL, model: 'm', timeoutMs: 200 })"),
    'an endpoint of OpenAI': fits("openAICompatible({ baseUrl: URL, model: 'm', timeoutMs: 200 })"),
  },
  'context-shaping-devtools record': {
    'a pipe as the file': waitsFor((path) => [path]),
    'a pipe as the lockfile': refuses((path) => [file('pool', POOL), '--to', path]),
  },
  'context-shaping-devtools replay': { 'a pipe as the lockfile': waitsFor((path) => [path]) },
  'context-shaping-devtools diff': { 'pipes as the lockfiles': waitsFor((path) => [path, path]) },
  'context-shaping-server serve': {
    'a pipe as the configuration': waitsFor((path) => ['--config', path]),
    'a client': async (name) => {
      const { child, outcome } = open(name, ['--port', '0', '--workers', '1']);
      const port = await new Promise<number>((resolve) =>
        child.stderr.on('data', (data) => {
          const found = /Listening on http:\S+:(\d+)\./.exec(String(data))?.[1];
          if (found !== undefined) resolve(Number(found));
        }),
      );
      const client = connect(port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void client.destroy());
      await once(client, 'connect');
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`http://127.0.0.1:${port}/v1/shape`, {
        method: 'POST',
        headers,
        body: JSON.stringify(POOL),
      });
      expect(answer.status).toBe(200);
      child.kill('SIGTERM');
      expect((await outcome).code).toBe(0);
    },
    'a request whose work never ends': async (name) => {
      const setup = [
        '--setup',
        join(SETUPS, 'fragile.mjs'),
        '--config',
        file('config', { timeLimitMs: 2000 }),
      ];
      const { child } = open(name, ['--port', '0', '--workers', '1', ...setup]);
      const url = await new Promise<string>((resolve) =>
        child.stderr.on('data', (data) => {
          const found = /Listening on (http:\S+)\./.exec(String(data))?.[1];
          if (found !== undefined) resolve(found);
        }),
      );
      const post = (body: object) =>
        fetch(`${url}/v1/shape`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await post(NEVER)).status).toBe(503);
      // Another thread takes the place of the one that was ended.
      await expect.poll(async () => (await post(POOL)).status, { timeout: 60_000 }).toBe(200);
    },
  },
  'context-shaping-server batch': {
    'a pipe as the input': refuses((path) => ['--in', path, '--out', 'out']),
    'a pipe as the output': refuses((path) => ['--in', file('in', POOL), '--out', path]),
    'a pipe as the checkpoint': refuses(
      (path) => {
        execFileSync('mv', [path, `${path}.checkpoint`]);
        return ['--in', file('in', POOL), '--out', path];
      },
      /is a pipe/,
      1,
    ),
    Redis: async (name) =>
      givesUp(
        ({ host }) => ['--in', file('in', POOL), '--out', 'out', '--queue', `redis://${host}`],
        /cannot be reached/,
      )(name),
    'a line whose work never ends': async (name) => {
      const setup = ['--setup', join(SETUPS, 'fragile.mjs'), '--workers', '1', '--timeout', '2'];
      const lines = file('in', [NEVER, POOL].map((each) => JSON.stringify(each)).join('\n'));
      expectEnd(
        await open(name, ['--in', lines, '--out', 'out', ...setup]).outcome,
        3,
        /1 shaped, 1 rejected/,
      );
    },
  },
  'context-shaping-server worker': { Redis: queue },
  'context-shaping-mcp': {
    'a server': async (name) => {
      const args = ['--store', 'memory', '--max-tokens', '300', '--timeout', '2'];
      const { child, outcome } = open(name, [...args, '--', process.execPath, '-e', MCP_SERVER]);
      child.stdin.write(INITIALIZE + message(2, 'tools/call', { name: 'find', arguments: { query: 'dam' } }));
      const [line] = await once(child.stdout, 'data');
      expect(String(line)).toMatch(/"id":2/);
      child.stdin.end();
      const { code, stdout, stderr } = await outcome;
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining('stays whole'),
      });
      expect(JSON.parse(stdout).result.structuredContent).toEqual({ dams: [TEXT] });
    },
    'a server over HTTP': async (name) => {
      const server = await silentServer();
      const { child, outcome } = open(name, ['--store', 'memory', '--url', server.url]);
      child.stdin.write(INITIALIZE);
      await expect.poll(server.asked, { timeout: 60_000 }).toBe(1);
      child.stdin.end();
      expect((await outcome).code).toBe(0);
    },
    'a client': async (name) => {
      const { child, outcome } = open(name, ['--store', 'memory', '--serve']);
      child.stdin.write(INITIALIZE);
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      expect((await outcome).code).toBe(0);
    },
    'a pipe as the store': refuses((path) => ['--serve', '--store', path]),
    ...(process.getBuiltinModule('node:sqlite') && {
      'a pipe as the key': refuses((path) => {
        execFileSync('mv', [path, `${path}.key`]);
        return ['--serve', '--store', path];
      }),
    }),
    'a pipe as the log': refuses((path) => ['--serve', '--store', 'memory', '--log', path]),
  },
};

/** Commands that wait for nothing, and why. */
const WITHOUT_A_PEER: Record<string, string> = Object.fromEntries(
  ['serve', 'batch', 'worker', 'mcp', 'hook', ...DEVTOOLS].map((name) => [
    `context-shaping ${name}`,
    'It says which other package has the command.',
  ]),
);

test('each command of each program has a case, or a reason', () => {
  const named = [...Object.keys(CASES), ...Object.keys(WITHOUT_A_PEER)];
  expect(named.toSorted()).toEqual(commands().toSorted());
});

/** Most programs at a time. Some only wait, and some need a processor. */
const AT_ONCE = 12;

// Windows has no such pipes and signals.
test.skipIf(process.platform === 'win32')(
  'beside a peer that never answers, each ends within its limit',
  async () => {
    const cases = Object.entries(CASES).flatMap(([name, peers]) =>
      Object.entries(peers).map(([peer, ends]) => ({ name, peer, ends })),
    );
    const failures: string[] = [];
    const left = cases.values();
    const work = async () => {
      for (const { name, peer, ends } of left)
        await ends(name).catch((error) => failures.push(`${name}, ${peer}: ${error.stack}`));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(failures.join('\n\n')).toBe('');
  },
);
