/** Runs the command line: in this process where that is enough, in one of its own where it matters. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { makeProgram } from '../../../adapters/cli/program.js';
import { run } from '../../../adapters/cli/run.js';
import type { Io } from '../../../adapters/cli/terminal.js';
import { makeProgram as makeDevtools } from '../../../packages/devtools/src/program.js';
import { makeHookProgram } from '../../../packages/mcp/src/hook/program.js';
import { makeProgram as makeMcpProgram } from '../../../packages/mcp/src/program.js';
import { makeProgram as makeServerProgram } from '../../../packages/server/src/program.js';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The programs of this repository: what makes each, its main module in the sources, and in a build. */
export const PROGRAMS = {
  'context-shaping': {
    make: makeProgram,
    source: 'adapters/cli/main.ts',
    built: 'dist/esm/main.js',
  },
  'context-shaping-devtools': {
    make: makeDevtools,
    source: 'packages/devtools/src/main.ts',
    built: 'packages/devtools/dist/main.js',
  },
  'context-shaping-server': {
    make: makeServerProgram,
    source: 'packages/server/src/main.ts',
    built: 'packages/server/dist/main.js',
  },
  'context-shaping-mcp': {
    make: (io: Io, [command]: readonly string[]) =>
      command === 'hook' ? makeHookProgram(io) : makeMcpProgram(io),
    source: 'packages/mcp/src/main.ts',
    built: 'packages/mcp/dist/main.js',
  },
};
export type Program = keyof typeof PROGRAMS;
const SOURCE = ['--conditions=context-shaping-source', '--import', import.meta.resolve('tsx')];

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Setting {
  /** Default `context-shaping`. */
  program?: Program;
  stdin?: string | Uint8Array;
  /** Width of a terminal on all three streams; absent: pipes. */
  terminal?: number;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Called before each write to the error stream. */
  onError?: () => void;
}

/** In this process, on streams of its own. */
export async function cli(
  args: string[],
  { program = 'context-shaping', stdin, terminal, env = {}, signal, onError }: Setting = {},
): Promise<Outcome> {
  const isTerminal = terminal === undefined ? {} : { isTTY: true, columns: terminal };
  const [stdout, stderr] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, isTerminal),
  );
  const input = Object.assign(Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]), isTerminal);
  if (onError !== undefined) {
    const write = stderr?.write.bind(stderr) as PassThrough['write'];
    Object.assign(stderr as PassThrough, {
      write: (...parts: Parameters<typeof write>) => {
        onError();
        return write(...parts);
      },
    });
  }
  const written = [text(stdout as PassThrough), text(stderr as PassThrough)];
  const io = {
    stdin: input,
    stdout: stdout as PassThrough,
    stderr: stderr as PassThrough,
    env,
    signal: signal ?? new AbortController().signal,
  };
  const code = await run(PROGRAMS[program].make(io, args), args, io);
  stdout?.end();
  stderr?.end();
  const [out, error] = await Promise.all(written);
  return { code, stdout: out ?? '', stderr: error ?? '' };
}

/** How a process is started. */
interface Started {
  /** Default `context-shaping`. */
  program?: Program;
  cwd?: string;
  /** Goes after the command, in a shell that fails if any part of a pipe does. */
  shell?: string;
  /** The folder of the built package, which starts sooner. Default: the sources. */
  built?: string;
}

/** As a user starts it. */
export function start(
  args: string[],
  { program: name = 'context-shaping', cwd = ROOT, shell, built }: Started = {},
) {
  const main =
    built === undefined
      ? [...SOURCE, join(ROOT, PROGRAMS[name].source)]
      : [join(built, PROGRAMS[name].built)];
  const command = [process.execPath, ...main, ...args];
  const [program, ...rest] =
    shell === undefined ? command : ['bash', '-o', 'pipefail', '-c', `"$@" ${shell}`, 'bash', ...command];
  const child = spawn(program as string, rest, { cwd, env: { ...process.env, DEBUG: '', NODE_OPTIONS: '' } });
  const outcome = Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]).then(([stdout, stderr, code]): Outcome => ({ code, stdout, stderr }));
  return { child, outcome };
}

/** The same, with another program where none is named. */
export const programNamed = (program: Program) => ({
  cli: (args: string[], setting: Setting = {}) => cli(args, { program, ...setting }),
  start: (args: string[], setting: Started = {}) => start(args, { program, ...setting }),
  cliProcess: (args: string[], setting: Started & { stdin?: string } = {}) =>
    cliProcess(args, { program, ...setting }),
});

export function cliProcess(args: string[], setting: Started & { stdin?: string } = {}): Promise<Outcome> {
  const { child, outcome } = start(args, setting);
  child.stdin.end(setting.stdin ?? '');
  return outcome;
}
