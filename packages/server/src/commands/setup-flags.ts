import type { Command } from 'commander';
import { ContextShapingError } from 'context-shaping';
import { flagNamed, type Io } from 'context-shaping/cli';

/** Adds the flag that chooses the setup of worker threads. */
export const withSetupFlag = (command: Command): Command =>
  command.option('--setup <module>', 'module whose default export is { embedder, options }');

/** The options of a queue that are no flags. */
export const queueIo = ({ env, stderr }: Io) => ({
  password: env.REDIS_PASSWORD || undefined,
  tell: (sentence: string) => void stderr.write(`${sentence}\n`),
});

/** The error with its field as a flag, if the command has such a flag. A wrong field of a setup keeps its name. */
export function withFlag(error: unknown, { options }: Command): unknown {
  const names = options.map((option) => option.attributeName());
  return ContextShapingError.isInstance(error)
    ? error.renamed((field) => (names.includes(field) ? flagNamed(field) : field))
    : error;
}
