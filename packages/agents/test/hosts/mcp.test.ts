/** The proxy as a client starts it, before real servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtPackage } from '../../../../test/built-package.js';

const SERVERS = join(import.meta.dirname, 'node_modules/@modelcontextprotocol');
const FILESYSTEM = join(SERVERS, 'server-filesystem/dist/index.js');
const EVERYTHING = join(SERVERS, 'server-everything/dist/index.js');
const CLI = [join(await builtPackage(), 'packages/mcp/dist/main.js')];
/** A character for a token is far more than any tokenizer counts. */
const BUDGET = 2000;

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'context-shaping-mcp-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

const text = (result: unknown) =>
  (result as { content: { text?: string }[] }).content.map((item) => item.text ?? '').join('\n\n');
const handleIn = (result: unknown) => /recall_passage ([\w-]+)/.exec(text(result))?.[1] as string;

/** A client with answers for the requests of servers. */
function newClient(): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { sampling: {}, elicitation: {}, roots: {} } },
  );
  client.setRequestHandler('sampling/createMessage', async () => ({
    model: 'scripted',
    role: 'assistant',
    content: { type: 'text', text: 'Sampled.' },
  }));
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///tmp', name: 'tmp' }] }));
  return client;
}

/** A client of the SDK that starts a command, in front of it the proxy if there are flags for it. */
async function open(flags: string[] | undefined, server: string[]) {
  const args = flags === undefined ? server : [...CLI, ...flags, ...server];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: process.env as Record<string, string>,
    stderr: 'ignore',
  });
  const client = newClient();
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

const stdio = (...server: string[]) => ['--', process.execPath, ...server];

describe.skipIf(!existsSync(FILESYSTEM))('the reference server of file systems', () => {
  const manual = Array.from(
    { length: 2000 },
    (_, at) => `## Pump ${at}\n\nThe pump ${at} has a pressure of ${at * 31} bar.`,
  ).join('\n\n');

  test('a long file is shaped; recall works after the proxy was killed; the log has no text', async () => {
    const dir = folder();
    const [file, store, log] = ['manual.md', 'state/passages.sqlite', 'calls.jsonl'].map((name) =>
      join(dir, name),
    ) as [string, string, string];
    writeFileSync(file, manual);
    const limits = ['--max-tokens', '--read-tokens'].flatMap((flag) => [flag, String(BUDGET)]);
    const flags = [...limits, '--store', store, '--log', log];
    const first = await open(flags, stdio(FILESYSTEM, dir));
    const { tools } = await first.client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => name === 'recall_passage')).toHaveLength(1);
    const result = await first.client.callTool({ name: 'read_text_file', arguments: { path: file } });
    expect(text(result).length).toBeLessThan(manual.length / 4);
    // The server repeats the text as structured content, and the client has validated it.
    expect((result.structuredContent as { content: string }).content).toBe(text(result));
    const line = readFileSync(log, 'utf8');
    expect(JSON.parse(line)).toMatchObject({
      tool: 'read_text_file',
      tokens: { content: { given: expect.any(Number) } },
    });
    expect(line).not.toContain('pump');
    for (const each of [store, `${store}.key`]) expect(statSync(each).mode & 0o777).toBe(0o600);

    process.kill(first.transport.pid as number, 'SIGKILL');
    const second = await open(flags, stdio(FILESYSTEM, dir));
    const recalled = await second.client.callTool({
      name: 'recall_passage',
      arguments: { handle: handleIn(result), query: 'pressure of pump 1717' },
    });
    expect(recalled.isError).toBeFalsy();
    expect(text(recalled)).toContain('The pump 1717 has a pressure of 53227 bar.');

    // Another server, and another store, do not know the handle.
    for (const other of [
      ['--thread', 'another'],
      ['--store', join(dir, 'other.sqlite')],
    ]) {
      const { client } = await open([...flags, ...other], stdio(FILESYSTEM, dir));
      const refused = await client.callTool({
        name: 'recall_passage',
        arguments: { handle: handleIn(result) },
      });
      expect(refused.isError).toBe(true);
    }
  });

  test('short results, lists and errors are those of the server', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'a.txt'), 'short');
    const calls = [
      ['read_text_file', { path: join(dir, 'a.txt') }],
      ['list_directory', { path: dir }],
      ['read_text_file', { path: '/etc/passwd' }],
    ] as const;
    const [direct, proxied] = await Promise.all(
      [undefined, ['--store', 'memory']].map(async (flags) => {
        const { client } = await open(
          flags,
          flags === undefined ? [FILESYSTEM, dir] : stdio(FILESYSTEM, dir),
        );
        const results = [];
        for (const [name, args] of calls) results.push(await client.callTool({ name, arguments: args }));
        return { results, server: client.getServerVersion(), tools: (await client.listTools()).tools };
      }),
    );
    expect(proxied?.results).toEqual(direct?.results);
    expect(proxied?.server).toEqual(direct?.server);
    const sized = direct?.tools.map((tool) => ({
      ...tool,
      _meta: { 'anthropic/maxResultSizeChars': 160_000, ...tool._meta },
    }));
    expect(proxied?.tools.slice(0, -1)).toEqual(sized);
  });
});

/** The calls of a client to the server that has every feature. */
async function exercise(client: Client) {
  const progress: unknown[] = [];
  const logs: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.level));
  const call = (name: string, args = {}) => client.callTool({ name, arguments: args });
  return {
    echo: await call('echo', { message: 'hello' }),
    image: await call('get-tiny-image'),
    structured: await call('get-structured-content', { location: 'Chicago' }),
    links: await call('get-resource-links', { count: 3 }),
    sampled: await call('trigger-sampling-request', { prompt: 'p', maxTokens: 5 }),
    long: await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } },
      { onprogress: (each) => progress.push(each.progress) },
    ),
    // The last one comes together with the answer, and the client of the SDK may drop it then.
    progress: progress.slice(0, 3),
    cancelled: await client
      .callTool(
        { name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 2 } },
        { signal: AbortSignal.timeout(300) },
      )
      .catch(({ name }) => name),
    resources: await client.listResources(),
    templates: await client.listResourceTemplates(),
    prompts: await client.listPrompts(),
    prompt: await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo' } }),
    missing: await client.getPrompt({ name: 'no such prompt' }).catch(({ code, message }) => [code, message]),
    capabilities: client.getServerCapabilities(),
    tools: (await client.listTools()).tools
      .map(({ name }) => name)
      .filter((name) => name !== 'recall_passage'),
  };
}

describe.skipIf(!existsSync(EVERYTHING))('the reference server of every feature', () => {
  test('over standard streams, a client sees no difference', async () => {
    const direct = await exercise((await open(undefined, [EVERYTHING, 'stdio'])).client);
    const proxied = await exercise((await open(['--store', 'memory'], stdio(EVERYTHING, 'stdio'))).client);
    expect(direct.progress).toEqual([1, 2, 3]);
    expect(text(direct.sampled)).toContain('Sampled.');
    expect(proxied).toEqual(direct);
  });

  test('over HTTP, a client sees no difference to standard streams, and results are shaped', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill());
    for await (const line of child.stderr) if (String(line).includes('listening')) break;
    const url = `http://127.0.0.1:${port}/mcp`;
    const direct = await exercise((await open(undefined, [EVERYTHING, 'stdio'])).client);
    const proxied = await exercise((await open(['--store', 'memory', '--url', url], [])).client);
    expect(proxied).toEqual(direct);

    const { client } = await open(['--store', 'memory', '--url', url, '--max-tokens', '60'], []);
    const shaped = await client.callTool({ name: 'get-resource-links', arguments: { count: 10 } });
    expect(shaped.content).toHaveLength(11);
  });

  test('a server over HTTP that is not there: each request has an error, and the proxy lives', async () => {
    const { child, ask } = raw(['--store', 'memory', '--url', `http://127.0.0.1:${await freePort()}/mcp`]);
    for (const id of [1, 2])
      expect(await ask({ jsonrpc: '2.0', id, method: 'ping' })).toMatchObject({
        id,
        error: { code: -32603 },
      });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

/** The proxy with its streams in the hands of the test. */
function raw(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...CLI, ...args], {
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr: string[] = [];
  child.stderr.on('data', (data) => stderr.push(String(data)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (message: object) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return JSON.parse((await lines.next()).value);
  };
  return { child, stderr, ask };
}

const script = (code: string) => ['--store', 'memory', '--', process.execPath, '-e', code];
const ECHO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => console.log(line))`;

describe('the end of a connection', () => {
  test.each([
    ['process.exit(7)', 7],
    ['process.exit(0)', 0],
    ['process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)', 137],
  ])('a server that ends: %s', async (code, expected) => {
    const { child } = raw(script(code));
    expect(await once(child, 'exit')).toEqual([expected, null]);
  });

  test('a server that ends in the middle of a call: its earlier output is passed on', async () => {
    const { child, ask, stderr } = raw(
      script(
        `console.error('warning'); process.stdin.once('data', () => { process.stdout.write('{"id":1,"result":{}}\\n', () => process.exit(3)); });`,
      ),
    );
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} })).toEqual({
      id: 1,
      result: {},
    });
    expect(await once(child, 'exit')).toEqual([3, null]);
    expect(stderr.join('')).toContain('warning');
  });

  test('a client that goes away ends the server', async () => {
    const { child, ask } = raw(script(ECHO));
    expect(await ask({ jsonrpc: '2.0', method: 'a' })).toEqual({ jsonrpc: '2.0', method: 'a' });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('a server that ignores the end of its input, and SIGTERM, is killed', async () => {
    const { child, ask } = raw(
      script(
        `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(JSON.stringify({ pid: process.pid }))`,
      ),
    );
    const { pid } = await ask({ jsonrpc: '2.0', method: 'a' });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the proxy and its server', async (signal) => {
    const { child, ask } = raw(script(`${ECHO}; console.log(JSON.stringify({ pid: process.pid }))`));
    const { pid } = await ask({ jsonrpc: '2.0', method: 'a' });
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('a command that does not exist, wrong flags, and a store that cannot be opened', async () => {
    for (const [args, said] of [
      [['--', 'no-such-command-here'], 'COMMAND cannot be started'],
      [[], 'No server is given'],
      [['--serve', '--url', 'http://x'], 'exclude each other'],
      [['--url', 'ftp://x'], 'must begin with http'],
      [['--url', 'http://x', '--header', 'secret'], "Write --header as 'NAME: VALUE'"],
      [['--store', '/dev/null/x', '--', 'true'], 'cannot be used as a store'],
    ] as const) {
      const { child, stderr } = raw([...args]);
      const [code] = await once(child, 'close');
      expect([code, stderr.join('')]).toEqual([2, expect.stringContaining(said)]);
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
