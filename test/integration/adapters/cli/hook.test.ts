/** `context-shaping hook` as a program, and the plugin that runs it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { estimateTokens as tokens } from '../../../../src/index.js';
import { cliProcess, ROOT } from '../../../adapters/cli/harness.js';
import { builtPackage } from '../../../built-package.js';
import { temporaryFolder } from '../../../temporary-folder.js';

const BUILT = await builtPackage();
const MAIN = join(BUILT, 'dist/esm/adapters/cli/main.js');
const PLUGIN = join(ROOT, 'claude-code');
const json = (...path: string[]) => JSON.parse(readFileSync(join(PLUGIN, ...path), 'utf8'));

/** A log of a megabyte with one failure. */
const log = Array.from({ length: 16_000 }, (_, at) =>
  at === 9000
    ? 'Error: the pressure of pump 7 is 3 bar, expected 4'
    : `[INFO] 2026-11-20 Downloading package-${at} from the registry in 12 ms`,
).join('\n');
const event = (stdout: string) =>
  JSON.stringify({
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
  });

test('a megabyte is shaped, in a pipe and in an event', async () => {
  const { code, stdout, stderr } = await cliProcess(['hook'], { stdin: log, built: BUILT });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Error: the pressure of pump 7');
  expect(tokens(stdout)).toBeLessThanOrEqual(4000);
  const answer = await cliProcess(['hook'], { stdin: event(log), built: BUILT });
  const { updatedToolOutput } = JSON.parse(answer.stdout).hookSpecificOutput;
  expect(`${updatedToolOutput.stdout}\n`).toBe(stdout);
});

test('bytes that are no text pass as they are', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256));
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'hook'], { input: bytes });
  expect(status).toBe(0);
  expect(stdout.equals(bytes)).toBe(true);
  expect(stderr.toString()).toMatch(/^context-shaping hook: The output passes as it is: [^\n]+\n$/);
});

test('a wrong flag does not fail the tool', async () => {
  const args = ['hook', '--max-token', '5'];
  const outcome = await cliProcess(args, { stdin: 'the output', built: BUILT });
  expect(outcome).toMatchObject({ code: 0, stdout: 'the output' });
  expect(outcome.stderr).toContain("Unknown option '--max-token'");
});

test('a reader that closes the pipe early is no failure', async () => {
  const setting = { stdin: log, built: BUILT, shell: '| head -1' };
  const { code, stdout, stderr } = await cliProcess(['hook', '--max-tokens', '1000000'], setting);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`${log.split('\n', 1)[0]}\n`);
});

test.each(['SIGTERM', 'SIGINT'] as const)('after %s, what there is of the output passes', async (signal) => {
  const child = spawn(process.execPath, [MAIN, 'hook'], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'exit')]);
  child.stdin.write(log);
  // The program reads: a pipe holds far less than a megabyte.
  while (child.stdin.writableLength > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill(signal);
  const [stdout, stderr, [code]] = await written;
  expect(code).toBe(0);
  expect(log.startsWith(stdout.toString())).toBe(true);
  expect(stdout.length).toBeGreaterThan(log.length / 2);
  expect(stderr).toContain('interrupted');
});

test('the plugin has what Claude Code looks for, and the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { name, ...plugin } = json('.claude-plugin', 'plugin.json');
  expect({ name, version: plugin.version }).toEqual({ name: 'context-shaping', version });
  const { plugins } = json('.claude-plugin', 'marketplace.json');
  expect(plugins).toEqual([expect.objectContaining({ name, source: './' })]);
  for (const skill of readdirSync(join(PLUGIN, 'skills'))) {
    const page = readFileSync(join(PLUGIN, 'skills', skill, 'SKILL.md'), 'utf8');
    const [, header = ''] = /^---\n(name: [a-z-]+\ndescription: [^\n]+)\n---\n/.exec(page) ?? [];
    expect(header).toContain(`name: ${skill}\n`);
    expect(header.length).toBeLessThan(1100);
  }
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(files).toContain('claude-code');
});

test('the hook of the plugin keeps what it shapes, and the server of the plugin recalls it', async () => {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, main] of [
    ['context-shaping', MAIN],
    ['context-shaping-mcp', join(BUILT, 'packages/mcp/dist/main.js')],
  ] as const) {
    chmodSync(main, 0o755);
    symlinkSync(main, join(bin, name));
  }
  const env = {
    ...(process.env as Record<string, string>),
    NODE_OPTIONS: '',
    PATH: [bin, process.env.PATH].join(delimiter),
    CLAUDE_PLUGIN_DATA: join(folder, 'data'),
  };

  const [{ matcher, hooks }] = json('hooks', 'hooks.json').hooks.PostToolUse;
  expect(hooks).toHaveLength(1);
  for (const tool of ['Bash', 'Grep', 'WebFetch', 'PowerShell', 'mcp__files__read'])
    expect(tool).toMatch(new RegExp(`^(${matcher})$`));
  const [{ command }] = hooks;
  const run = (input: string) => spawnSync('sh', ['-c', command], { input, env, encoding: 'utf8' });
  expect(run(event('short'))).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const recalled = {
    ...JSON.parse(event('')),
    tool_name: 'mcp__plugin_context-shaping_outputs__recall_output',
  };
  const answer = JSON.stringify({ ...recalled, tool_response: [{ type: 'text', text: log }] });
  expect(run(answer)).toMatchObject({ status: 0, stdout: '', stderr: '' });

  const { status, stdout } = run(event(log));
  expect(status).toBe(0);
  const shown = JSON.parse(stdout).hookSpecificOutput.updatedToolOutput.stdout as string;
  const [, handle = ''] = /\[Whole: recall_output ([\w-]{22})\]$/.exec(shown) ?? [];
  expect(handle).not.toBe('');

  const [{ command: server, args }] = Object.values<{ command: string; args: string[] }>(
    json('.mcp.json').mcpServers,
  ) as [{ command: string; args: string[] }];
  // Claude Code puts the values of variables into its arguments.
  const given = args.map((arg) => arg.replace('${CLAUDE_PLUGIN_DATA}', env.CLAUDE_PLUGIN_DATA));
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: server, args: given, env, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['recall_output']);
  const recall = async (own: Record<string, string>) => {
    const { content, isError } = await client.callTool({ name: 'recall_output', arguments: own });
    return {
      isError: isError ?? false,
      text: (content as { text: string }[]).map((each) => each.text).join(),
    };
  };
  const lines = log.split('\n');
  expect(await recall({ handle, lines: '5001-5003' })).toEqual({
    isError: false,
    text: lines.slice(5000, 5003).join('\n'),
  });
  expect(await recall({ handle, pattern: 'PUMP \\d' })).toEqual({
    isError: false,
    text: lines
      .slice(8998, 9003)
      .map((line, at) => `${8999 + at}${at === 2 ? ':' : '-'}${line}`)
      .join('\n'),
  });
  expect((await recall({ handle: 'x'.repeat(22) })).isError).toBe(true);
});
