/** The plugin for Claude Code: its files, the hook that it runs, and the server that recalls outputs. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { builtPackage } from '../../../../test/built-package.js';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { event, log } from '../hook-input.js';

const BUILT = await builtPackage();
const PLUGIN = 'packages/mcp/claude-code';
const json = (...path: string[]) => JSON.parse(readFileSync(join(PLUGIN, ...path), 'utf8'));

test('the plugin has the files of a plugin, and the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
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
  const { files } = JSON.parse(readFileSync('packages/mcp/package.json', 'utf8'));
  expect(files).toContain('claude-code');
});

test('the hook of the plugin keeps an output that it shapes, and the server of the plugin recalls it', async () => {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const main = join(BUILT, 'packages/mcp/dist/main.js');
  chmodSync(main, 0o755);
  symlinkSync(main, join(bin, 'context-shaping-mcp'));
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
  const given = args.map((arg) => arg.replace(/\$\{CLAUDE_PLUGIN_DATA\}/, env.CLAUDE_PLUGIN_DATA));
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
