/** Runs a program of commander: arguments in, exit code out. */
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { LIBRARY, messageOf } from '../../src/internal.js';
import { Ends, EXIT, exitCodeOf } from './errors.js';
import { type Io, printable, write } from './terminal.js';

/** A program without commands. It throws where commander would exit, and writes to the streams of `io`. */
export function newProgram(name: string, description: string, io: Io): Command {
  return new Command(name)
    .description(description)
    .version(LIBRARY.version)
    .option('--verbose', 'show progress, and details of errors')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      outputError: (text, writeErr) => writeErr(text.replace(/^error/, name)),
    })
    .exitOverride();
}

/** Says after an error which call shows the help of a command. */
export function withHelpAfterErrors(program: Command): Command {
  const lists = program.commands.length > 0 ? 'commands' : 'options';
  program.showHelpAfterError(`${program.name()} --help lists the ${lists}.`);
  for (const each of [...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    each.showHelpAfterError(`${nameOf(each)} --help lists its options.`);
  return program;
}

/** The words that call a command: those of the commands above it, and its own. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Runs a program in this process. The first Ctrl-C or SIGTERM ends its work cleanly; a second one kills the process. */
export async function start(makeProgram: (io: Io) => Command): Promise<void> {
  // A failing stream rejects the awaited write and also emits an event. Without a listener that event ends the program
  // with a stack trace. A reader that closes the pipe early (`| head`) is no failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
    });
  }
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
  whenOrphaned(process.env, () => interrupt.abort());

  const { stdin, stdout, stderr, env } = process;
  const io = { stdin, stdout, stderr, env, signal: interrupt.signal };
  process.exitCode = await run(makeProgram(io), process.argv.slice(2), io);
  // A service that does not answer would keep the process alive.
  if (interrupt.signal.aborted || process.exitCode === EXIT.failed) process.exit();
}

/** Writes errors to standard error and never throws. */
export async function run(program: Command, args: readonly string[], io: Io): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (io.signal.aborted) return EXIT.interrupted;
    // A reader that closes the pipe early (`| head`) is no failure.
    if ((error as NodeJS.ErrnoException | null)?.code === 'EPIPE') return EXIT.ok;
    const details = args.includes('--verbose') || Boolean(io.env.DEBUG);
    // Commander has already written its own messages, including help and version.
    if (!(error instanceof CommanderError)) await write(io.stderr, describe(program.name(), error, details));
    return exitCodeOf(error);
  }
}

function describe(program: string, error: unknown, details: boolean): string {
  const isOutcome = error instanceof Ends;
  if (isOutcome && error.message === '') return '';
  if (details && !isOutcome && error instanceof Error) return printable(`${program}: ${inspect(error)}\n`);
  const message = printable(messageOf(error))
    .trimEnd()
    .replace(/(?<![.?!])$/, '.');
  const hint =
    exitCodeOf(error) === EXIT.failed && !isOutcome
      ? ' Run the command again with --verbose for details.'
      : '';
  return `${program}: ${message}${hint}\n`;
}

/**
 * Looks every 250 ms, since Node has no event for it, and calls back once when the parent process has ended, if npm
 * (`npx`, `npm exec`, `npm run`) started this program.
 *
 * npm starts a shell, and the shell starts the program. npm passes SIGTERM on to the shell only. Shells such as dash do not
 * pass it on: they end, and a service would run on, as a test shows. Without npm nothing is watched: a program that `nohup`
 * or a service manager started may outlive its parent. On Windows the number of the parent never changes.
 */
function whenOrphaned(env: NodeJS.ProcessEnv, callback: () => void): void {
  if (!/\bcontext-shaping\b/.test(env.npm_lifecycle_script ?? '')) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 250);
  timer.unref();
}
