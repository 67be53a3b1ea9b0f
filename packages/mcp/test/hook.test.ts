/** Outputs of tools on their way to a model: long ones are shaped, and every other one passes. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { estimateTokens as tokens } from '../../../src/index.js';
import { programNamed, ROOT } from '../../../test/adapters/cli/harness.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { hookCommand } from '../src/hook/command.js';
import { hookFlagsIn } from '../src/hook/flags.js';
import { readOutput } from '../src/output-store.js';

const { cli } = programNamed('context-shaping-mcp');

type Json = Record<string, unknown>;

/** A word of every output that no message may repeat. */
const SECRET = 'hunter2';
const BUDGET = 300;

/** A log with one failure, far more than the budget. */
const log = Array.from({ length: 1000 }, (_, at) =>
  at === 700 ? 'Error: expected 3, got 4' : `[INFO] Downloading ${SECRET}-${at} from the registry`,
).join('\n');
const rows = JSON.stringify(
  Array.from({ length: 400 }, (_, at) => ({ pump: at, name: SECRET, bar: at * 31 })),
);

interface Outcome {
  stdout: Buffer;
  stderr: string;
}

async function hook(
  args: readonly string[],
  stdin: string | Uint8Array | Readable,
  signal = new AbortController().signal,
): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([buffer(stdout), text(stderr)]);
  const input = stdin instanceof Readable ? stdin : Readable.from([Buffer.from(stdin)]);
  await hookCommand(() => hookFlagsIn(args), { stdin: input, stdout, stderr, env: {}, signal });
  stdout.end();
  stderr.end();
  const [out, error] = await written;
  return { stdout: out, stderr: error };
}

const flags = ['--max-tokens', String(BUDGET)];

/** An event of Claude Code, as it was recorded, with another output. */
const events: Json[] = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/claude-code-events.json'), 'utf8'));
function eventOf(tool: string, response: (recorded: Json) => unknown = (same) => same): Json {
  const event = events.find(({ tool_name }) => tool_name === tool) as Json;
  return { ...event, tool_response: response(event.tool_response as Json) };
}
const bash = (more: Json = {}) => eventOf('Bash', (recorded) => ({ ...recorded, stdout: log, ...more }));

/** The output that an answer puts in the place of the one of the event. */
async function replaced(event: Json, args: readonly string[] = flags): Promise<unknown> {
  const { stdout, stderr } = await hook(args, JSON.stringify(event));
  expect(stderr).toBe('');
  const { hookSpecificOutput } = JSON.parse(stdout.toString());
  expect(hookSpecificOutput.hookEventName).toBe('PostToolUse');
  return hookSpecificOutput.updatedToolOutput;
}

describe('a filter', () => {
  test('writes the best lines of a long output, and a note about the rest', async () => {
    const { stdout, stderr } = await hook([...flags, '--kind', 'log'], log);
    const shown = stdout.toString();
    expect(stderr).toBe('');
    expect(shown).toContain('Error: expected 3, got 4');
    expect(shown).toMatch(/\n\n\[[\d,]+ of 1,000 lines left out[^\n]*\]\n$/);
    expect(tokens(shown)).toBeLessThanOrEqual(BUDGET);
    expect(await hook([...flags, '--kind', 'log'], log)).toEqual({ stdout, stderr });
  });

  test.each([
    ['lines that nothing tells apart', Array.from({ length: 2000 }, (_, at) => `line ${at + 1}`).join('\n')],
    ['one line without a space', SECRET.repeat(1000)],
  ])('writes the beginning of %s', async (_, given) => {
    const { stdout, stderr } = await hook(flags, given);
    const shown = stdout.toString();
    expect(stderr).toBe('');
    expect(shown.slice(0, 40)).toBe(given.slice(0, 40));
    expect(shown).toMatch(/…\n[\s\S]*\n\[[^\n]*\]\n$/);
    expect(tokens(shown)).toBeLessThanOrEqual(BUDGET);
  });

  test('passes an output that fits, and one up to --min-tokens', async () => {
    const size = tokens(log);
    for (const args of [
      ['--max-tokens', String(size)],
      [...flags, '--min-tokens', String(size)],
    ])
      expect((await hook(args, log)).stdout.toString()).toBe(log);
    const { stdout } = await hook([...flags, '--min-tokens', String(size - 1)], log);
    expect(tokens(stdout.toString())).toBeLessThanOrEqual(BUDGET);
  });

  test('keeps what a query asks for', async () => {
    const { stdout } = await hook([...flags, '--query', `which line has ${SECRET}-431?`], log);
    expect(stdout.toString()).toContain(`${SECRET}-431 `);
  });

  test('keeps exact values, by a name or by an expression', async () => {
    const dated = log.replace(`${SECRET}-431 `, `${SECRET}-431 of 2026-11-20 `);
    for (const [what, given] of [
      ['/HUNTER2-431 /i', log],
      ['dates', dated],
    ] as const) {
      const { stdout, stderr } = await hook([...flags, '--keep', what], given);
      expect({ stderr, isKept: stdout.includes(`${SECRET}-431 `) }).toEqual({ stderr: '', isKept: true });
    }
    expect((await hook(flags, log)).stdout.toString()).not.toContain(`${SECRET}-431 `);
  });

  test('is a command of the program, with the same flags', async () => {
    const { code, stdout } = await cli(['hook', ...flags, '--kind', 'log'], { stdin: log });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: (await hook([...flags, '--kind', 'log'], log)).stdout.toString(),
    });
    const terminal = await cli(['hook'], { terminal: 80 });
    expect(terminal).toMatchObject({ code: 2, stderr: expect.stringContaining('Pipe one in') });
  });
});

describe('an event of Claude Code', () => {
  test('of Bash is answered in the form of Bash', async () => {
    const event = bash();
    const now = (await replaced(event)) as Json;
    expect(now).toEqual({ ...(event.tool_response as Json), stdout: now.stdout });
    expect(now.stdout).toContain('Error: expected 3, got 4');
    expect(tokens(now.stdout as string)).toBeLessThanOrEqual(BUDGET);
  });

  test('of Bash with a file is answered from the file, which is not named any more', async () => {
    const file = join(temporaryFolder(), 'whole.txt');
    writeFileSync(file, log);
    const more = { stdout: log.slice(0, 2000), persistedOutputPath: file, persistedOutputSize: log.length };
    const now = (await replaced(bash(more))) as Json;
    expect(now.stdout).toContain('Error: expected 3, got 4');
    expect(now).not.toHaveProperty('persistedOutputPath');
    expect(now).not.toHaveProperty('persistedOutputSize');
  });

  test('of Grep and WebFetch is answered in their form', async () => {
    for (const [tool, field, response] of [
      ['Grep', 'content', { mode: 'content', numFiles: 2, filenames: [], content: log, numLines: 1000 }],
      ['WebFetch', 'result', { bytes: 9, code: 200, codeText: 'OK', result: log, durationMs: 5, url: 'x' }],
    ] as const) {
      const now = (await replaced({ ...bash(), tool_name: tool, tool_response: response })) as Json;
      expect(now).toEqual({ ...response, [field]: now[field] });
      expect(tokens(now[field] as string)).toBeLessThanOrEqual(BUDGET);
    }
  });

  test('of a tool of MCP with items is answered with items, and the others stay', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const now = (await replaced(
      eventOf('mcp__t__rows', () => [{ type: 'text', text: rows }, image]),
    )) as Json[];
    expect(now).toContainEqual(image);
    const [json, ...others] = now.filter(({ type }) => type === 'text') as { text: string }[];
    for (const row of JSON.parse(json?.text ?? '')) expect(JSON.parse(rows)).toContainEqual(row);
    expect(others).toHaveLength(1);
    expect(tokens(now.map(({ text = '' }) => text).join('\n\n'))).toBeLessThanOrEqual(BUDGET);
  });

  test('of a tool of MCP with an embedded resource is answered with the resource, shorter', async () => {
    const resource = { uri: 'file:///rows.json', text: rows };
    const [now, note] = (await replaced(
      eventOf('mcp__t__rows', () => [{ type: 'resource', resource }]),
    )) as Json[];
    const text = (now as { resource: { text: string } }).resource.text;
    expect(now).toEqual({ type: 'resource', resource: { ...resource, text } });
    expect(JSON.parse(rows)).toEqual(expect.arrayContaining(JSON.parse(text)));
    expect(tokens([text, note?.text].join('\n\n'))).toBeLessThanOrEqual(BUDGET);
  });

  test('of a tool of MCP with structured content is answered with a text', async () => {
    const now = (await replaced(eventOf('mcp__t__structured', () => rows))) as string;
    expect(tokens(now)).toBeLessThanOrEqual(BUDGET);
    expect(now).toMatch(/^\[\{"pump":[\s\S]*\]\n\n\[[^\n]+\]$/);
  });

  test('is answered for the tools that the flags leave, by a name or a part of it', async () => {
    for (const [args, isAnswered] of [
      [['--tools', 'Bash'], true],
      [['--tools', 'Grep', '--tools', 'Ba*'], true],
      [['--tools', 'Grep'], false],
      [['--except', 'mcp__*', '--except', 'Bash'], false],
      [['--except', 'mcp__*'], true],
    ] as const) {
      const { stdout } = await hook([...flags, ...args], JSON.stringify(bash()));
      expect(stdout.length > 0, args.join(' ')).toBe(isAnswered);
    }
  });

  const whole = events.filter(({ tool_response: of }) => !(of as Json | undefined)?.persistedOutputPath);
  test.each(whole.map((event) => [event.hook_event_name, event.tool_name, event] as const))(
    'as it was recorded is small and has no answer: %s of %s',
    async (_, __, event) => {
      expect(await hook([], JSON.stringify(event))).toEqual({ stdout: Buffer.alloc(0), stderr: '' });
    },
  );
});

describe('a store', () => {
  test('has each shaped output whole, for its owner alone, under the handle of the note', async () => {
    const folder = join(temporaryFolder(), 'outputs');
    const shown = (await hook([...flags, '--store', folder], log)).stdout.toString();
    expect(tokens(shown)).toBeLessThanOrEqual(BUDGET);
    const [, handle = ''] = /\[Whole: recall_output ([\w-]{22})\]\n$/.exec(shown) ?? [];
    expect(await readOutput(folder, handle)).toBe(log);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, `${handle}.txt`)).mode & 0o777).toBe(0o600);
    const event = (await replaced(bash(), [...flags, '--store', folder])) as Json;
    expect(event.stdout).toContain(`recall_output ${handle}]`);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('gets nothing from an output that passes', async () => {
    const folder = join(temporaryFolder(), 'outputs');
    await hook(['--store', folder], 'short');
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });
});

describe('after an error, the output passes', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
    mkdirSync(join(folder, 'folder'));
  });
  const deep = `${'['.repeat(100_000)}"${SECRET}"${']'.repeat(100_000)}`;
  const mcp = (response: unknown) => () => eventOf('mcp__t__rows', () => response);

  /** Faults of events: the name of the fault, the event, the flags. An event that has no answer leaves its output as it is. */
  const wrongEvents: [name: string, event: () => unknown, args?: string[]][] = [
    ['an unknown event', () => ({ ...bash(), hook_event_name: 'PostToolThought' })],
    ['an event without output', () => ({ ...bash(), hook_event_name: 'SessionStart' })],
    ['an event before a call', () => ({ ...bash(), hook_event_name: 'PreToolUse' })],
    ['a failure', () => ({ ...bash(), hook_event_name: 'PostToolUseFailure', error: log })],
    ['no name of a tool', () => ({ ...bash(), tool_name: undefined })],
    ['a number as the name of a tool', () => ({ ...bash(), tool_name: 3 })],
    ['an unknown tool', () => ({ ...bash(), tool_name: 'Bashful' })],
    ['a tool with the name of a method', () => ({ ...bash(), tool_name: 'constructor' })],
    ['no output', () => ({ ...bash(), tool_response: undefined })],
    ['null as output', () => ({ ...bash(), tool_response: null })],
    ['a number as output', () => ({ ...bash(), tool_response: 3 })],
    ['a text as output of Bash', () => ({ ...bash(), tool_response: log })],
    ['a list as output of Bash', () => ({ ...bash(), tool_response: [log] })],
    ['Bash without standard output', () => bash({ stdout: undefined })],
    ['a number as standard output', () => bash({ stdout: 3 })],
    ['null as standard output', () => bash({ stdout: null })],
    ['an image as standard output', () => bash({ isImage: true })],
    [
      'a read file',
      () => eventOf('Read', (same) => ({ ...same, file: { ...(same.file as Json), content: log } })),
    ],
    ['an edit', () => eventOf('Edit', (same) => ({ ...same, originalFile: log }))],
    ['a written file', () => eventOf('Write', (same) => ({ ...same, content: log }))],
    [
      'a report of an agent',
      () => eventOf('Agent', (same) => ({ ...same, content: [{ type: 'text', text: log }] })),
    ],
    ['an object of MCP', mcp({ text: log })],
    ['an empty list of MCP', mcp([])],
    ['a list of texts of MCP', mcp([log])],
    ['an item of MCP without a type', mcp([{ text: log }])],
    ['an item of MCP with a number as text', mcp([{ type: 'text', text: 3 }])],
    ['an item of MCP of an unknown type', mcp([{ type: 'of_tomorrow', body: log }])],
    ['an image of MCP', mcp([{ type: 'image', data: log, mimeType: 'image/png' }])],
    ['a missing file with the whole', () => bash({ persistedOutputPath: join(folder, 'missing') })],
    ['a folder with the whole', () => bash({ persistedOutputPath: join(folder, 'folder') })],
    ['a binary file with the whole', () => bash({ persistedOutputPath: join(folder, 'binary') })],
    ['an empty file with the whole', () => bash({ persistedOutputPath: join(folder, 'file') })],
    ['a store that is a file', () => bash(), ['--store', 'FOLDER/file']],
    ['a store in a file', () => bash(), ['--store', 'FOLDER/file/outputs']],
    ['a store without a name', () => bash(), ['--store', '']],
    ['an unknown kind', () => bash(), ['--kind', 'poem']],
    ['no number of tokens', () => bash(), ['--max-tokens', 'many']],
    ['no tokens', () => bash(), ['--max-tokens', '0']],
    ['a part of a token', () => bash(), ['--min-tokens', '1.5']],
    ['a wrong expression', () => bash(), ['--keep', '/(/']],
    ['an unknown thing to keep', () => bash(), ['--keep', 'everything']],
    ['an unknown flag', () => bash(), ['--colour', 'red']],
    ['a flag without a value', () => bash(), ['--query']],
    ['an argument', () => bash(), [SECRET]],
  ];
  test.each(wrongEvents)('an event with %s', async (_, event, args = []) => {
    const { stdout, stderr } = await hook(
      [...flags, ...args.map((arg) => arg.replace('FOLDER', folder))],
      JSON.stringify(event()),
    );
    expect(stdout.toString()).toBe('');
    expect(stderr).toMatch(/^(context-shaping-mcp hook: The output passes as it is: [^\n]+\n)?$/);
    if (args[0] !== SECRET) expect(stderr).not.toContain(SECRET);
    if (args.length > 0) expect(stderr).not.toBe('');
  });

  const cut = JSON.stringify(bash({ stdout: SECRET })).slice(0, -10);
  const wrongOutputs: [name: string, output: string | Uint8Array, args?: string[]][] = [
    ['nothing', ''],
    ['a line feed', '\n'],
    ['an event that is cut off', cut],
    ['an event with a wrong name', JSON.stringify({ hook_event_name: 3, text: SECRET })],
    ['JSON of another kind', JSON.stringify([SECRET])],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(log), Buffer.from([0xff, 0xc0])])],
    ['a character that is cut off', Buffer.concat([Buffer.from(log), Buffer.from([0xe2, 0x82])])],
    ['a surrogate in UTF-8', Buffer.concat([Buffer.from(log), Buffer.from([0xed, 0xa0, 0x80])])],
    ['UTF-16', Buffer.from(log, 'utf16le')],
    ['binary', Buffer.concat([Buffer.from(log), Buffer.from([0])])],
    ['a byte order mark', Buffer.from(`\ufeff${SECRET}`)],
    ['carriage returns', `${SECRET}\r\n${SECRET}\r`],
    ['more than it can shape', `${SECRET} `.repeat(2 ** 21 + 1)],
    ['a store that is a file', log, ['--store', 'FOLDER/file']],
    ['an unknown kind', log, ['--kind', 'poem']],
    ['an unknown flag', log, ['--colour']],
    ['no number of tokens', log, ['--max-tokens', '-1']],
  ];
  test.each(wrongOutputs)('an output of %s', async (_, output, args = []) => {
    const given = Buffer.from(output);
    const { stdout, stderr } = await hook(
      [...flags, ...args.map((arg) => arg.replace('FOLDER', folder))],
      given,
    );
    expect(stdout.equals(given)).toBe(true);
    expect(stderr).toMatch(/^(context-shaping-mcp hook: The output passes as it is: [^\n]+\n)?$/);
    expect(stderr).not.toContain(SECRET);
    if (args.length > 0) expect(stderr).not.toBe('');
  });

  test('values that are nested deep pass, or are cut as a text', async () => {
    const shown = (await hook(flags, deep)).stdout.toString();
    expect(shown === deep || tokens(shown) <= BUDGET).toBe(true);
    const event = eventOf('mcp__t__structured', () => deep);
    const { stdout } = await hook(flags, JSON.stringify(event));
    if (stdout.length > 0) JSON.parse(stdout.toString());
  });

  test('an interrupt before the end of the output passes what there is', async () => {
    const interrupt = new AbortController();
    const input = new PassThrough();
    input.write(log);
    const done = hook(flags, input, interrupt.signal);
    await new Promise((resolve) => setImmediate(resolve));
    interrupt.abort();
    expect(await done).toEqual({
      stdout: Buffer.from(log),
      stderr: 'context-shaping-mcp hook: The output passes as it is: the program was interrupted.\n',
    });
  });

  test('an input that fails passes what there is', async () => {
    const input = Readable.from(
      (function* () {
        yield Buffer.from('the beginning');
        throw new Error('read failed');
      })(),
    );
    expect((await hook(flags, input)).stdout.toString()).toBe('the beginning');
  });
});
