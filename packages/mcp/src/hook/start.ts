/** Starts `context-shaping-mcp hook` as the program. */
import { hookCommand } from './command.js';
import { hookFlagsIn } from './flags.js';

export async function startHook(args: readonly string[]): Promise<void> {
  // A reader that closes the pipe early (`| head`) is no failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
  const { stdin, stdout, stderr, env } = process;
  await hookCommand(() => hookFlagsIn(args), { stdin, stdout, stderr, env, signal: interrupt.signal });
  process.exit(0);
}
