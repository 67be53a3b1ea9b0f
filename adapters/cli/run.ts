/** Runs the program: arguments in, exit code out. */
import { CommanderError } from 'commander';
import { messageOf } from '../../src/internal.js';
import { EXIT, exitCodeOf, LinesRejected, ServerEnded } from './errors.js';
import { ContextsDiffer } from './lockfile-commands.js';
import { makeProgram } from './program.js';
import { type Io, printable, write } from './terminal.js';

/** Runs the program. Writes errors to standard error and never throws. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await makeProgram(io).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (io.signal.aborted) return EXIT.interrupted;
    // A reader that closes the pipe early (`| head`) is no failure.
    if ((error as NodeJS.ErrnoException | null)?.code === 'EPIPE') return EXIT.ok;
    if (error instanceof ServerEnded) return error.exitCode;
    if (error instanceof LinesRejected) return EXIT.rejects;
    const code = exitCodeOf(error);
    // Commander has already written its own messages, including help and version.
    if (!(error instanceof CommanderError))
      await write(io.stderr, describe(error, code, wantsDetails(args, io)));
    return code;
  }
}

const wantsDetails = (args: readonly string[], { env }: Io) =>
  args.includes('--verbose') || Boolean(env.DEBUG);

function describe(error: unknown, code: number, details: boolean): string {
  if (details && error instanceof Error)
    return printable(`context-shaping: ${error.stack ?? error.message}\n${causes(error)}`);
  const message = printable(messageOf(error)).replace(/[.\s]*$/, '.');
  return `context-shaping: ${message}${code === EXIT.failed && !(error instanceof ContextsDiffer) ? ' Run the command again with --verbose for details.' : ''}\n`;
}

function causes(error: Error): string {
  return error.cause instanceof Error
    ? `caused by ${error.cause.stack ?? error.cause.message}\n${causes(error.cause)}`
    : '';
}
