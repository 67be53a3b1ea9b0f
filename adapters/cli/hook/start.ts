/** Starts `context-shaping hook` without commander, which takes as long to load as Node takes to start. */
import { parseArgs } from 'node:util';
import { hookCommand } from './command.js';
import { HOOK_FLAGS, hookFlags, Passes } from './flags.js';

export async function startHook(args: readonly string[]): Promise<void> {
  // A reader that closes the pipe early (`| head`) is no failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
  const { stdin, stdout, stderr, env } = process;
  await hookCommand(() => hookFlags(valuesIn(args)), {
    stdin,
    stdout,
    stderr,
    env,
    signal: interrupt.signal,
  });
  process.exit(0);
}

function valuesIn(args: readonly string[]): Record<string, unknown> {
  const options = Object.fromEntries(
    HOOK_FLAGS.map(({ name, many = false }) => [name, { type: 'string' as const, multiple: many }]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    // The message goes on with advice.
    throw new Passes((error as Error).message.replace(/\.\s.*/s, ''));
  }
}
