/** Errors of the command line and their exit codes. */
import { CommanderError } from 'commander';
import { ContextShapingError } from '../../src/index.js';

export const EXIT = { ok: 0, failed: 1, badInput: 2, interrupted: 130 } as const;

/** An error in the call that the user can correct, such as a missing file. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  if (error instanceof UsageError) return EXIT.badInput;
  if (!ContextShapingError.isInstance(error)) return EXIT.failed;
  return error.kind === 'invalid-input' || error.kind === 'invalid-options' ? EXIT.badInput : EXIT.failed;
}
