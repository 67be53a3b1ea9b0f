/** Errors of the command line and their exit codes. */
import { CommanderError } from 'commander';
import { ContextShapingError } from '../../src/index.js';

export const EXIT = { ok: 0, failed: 1, badInput: 2, rejects: 3, interrupted: 130 } as const;

/** The meaning of each code, and what a script can do. Help texts and the documentation have these lines. */
export const EXIT_CODES: readonly { code: number; meaning: string; remedy: string }[] = [
  { code: EXIT.ok, meaning: 'success', remedy: 'use the output' },
  {
    code: EXIT.failed,
    meaning: 'failure outside the input, such as a server that is down; or a check of the command failed',
    remedy: 'try again later; --verbose shows details',
  },
  {
    code: EXIT.badInput,
    meaning: 'wrong arguments or input; the message names the place',
    remedy: 'correct the arguments or the input; the same call fails again',
  },
  {
    code: EXIT.rejects,
    meaning: 'complete, but some inputs have no result; they are in the file of rejects',
    remedy: 'use the output; correct the rejected lines and shape them',
  },
  {
    code: EXIT.interrupted,
    meaning: 'interrupted',
    remedy: 'discard the output; run batch again: it goes on',
  },
];

export const exitCodesHelp = `
Exit codes:
${EXIT_CODES.map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}`;

/** An error in the call that the user can correct, such as a missing file. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the program with a code of its own. This is an outcome of the command, not a failure of the program. */
export class Ends extends Error {
  override readonly name = 'Ends';

  /** @param message for the standard error; absent: the command has said everything. */
  constructor(
    readonly exitCode: number,
    message = '',
  ) {
    super(message);
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Ends) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  if (error instanceof UsageError) return EXIT.badInput;
  if (!ContextShapingError.isInstance(error)) return EXIT.failed;
  return error.kind === 'invalid-input' || error.kind === 'invalid-options' ? EXIT.badInput : EXIT.failed;
}
