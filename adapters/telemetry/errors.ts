import { ContextShapingError } from '../../src/index.js';
import { messageOf } from '../../src/internal.js';

/** The parts of an error that a span shows. */
export interface Told {
  /** A word with few values: the kind of an error of this package, else the error's name. */
  type: string;
  message: string;
  stack?: string | undefined;
}

/** @param texts whether the wrong value may be quoted, which can be a text. */
export function toldOf(error: unknown, texts: boolean): Told {
  const { name, stack } = (error ?? {}) as { name?: unknown; stack?: unknown };
  const message = messageOf(error);
  const told = typeof stack === 'string' ? stack : undefined;
  if (!ContextShapingError.isInstance(error))
    return { type: typeof name === 'string' && name !== '' ? name : '_OTHER', message, stack: told };
  const { kind, field, problem, remedy } = error;
  if (texts) return { type: kind, message, stack: told };
  const quiet = `${field} ${problem}. ${remedy}`;
  return { type: kind, message: quiet, stack: told?.replace(message, () => quiet) };
}
