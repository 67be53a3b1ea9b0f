/** Runs the command line: in this process where that is enough, in one of its own where it matters. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { run } from '../../../adapters/cli/run.js';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const SOURCE = ['--conditions=context-shaping-source', '--import', import.meta.resolve('tsx')];

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Setting {
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
  { stdin, terminal, env = {}, signal, onError }: Setting = {},
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
  const code = await run(args, {
    stdin: input,
    stdout: stdout as PassThrough,
    stderr: stderr as PassThrough,
    env,
    signal: signal ?? new AbortController().signal,
  });
  stdout?.end();
  stderr?.end();
  const [out, error] = await Promise.all(written);
  return { code, stdout: out ?? '', stderr: error ?? '' };
}

/** How a process is started. */
interface Started {
  cwd?: string;
  /** Goes after the command, in a shell that fails if any part of a pipe does. */
  shell?: string;
  /** The folder of the built package, which starts sooner. Default: the sources. */
  built?: string;
}

/** As a user starts it. */
export function start(args: string[], { cwd = ROOT, shell, built }: Started = {}) {
  const main =
    built === undefined
      ? [...SOURCE, join(ROOT, 'adapters/cli/main.ts')]
      : [join(built, 'dist/esm/adapters/cli/main.js')];
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

export function cliProcess(args: string[], setting: Started & { stdin?: string } = {}): Promise<Outcome> {
  const { child, outcome } = start(args, setting);
  child.stdin.end(setting.stdin ?? '');
  return outcome;
}
