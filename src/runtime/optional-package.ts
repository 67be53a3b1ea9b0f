import { ContextShapingError, messageOf, rethrowControlFlow } from '../errors.js';
import { onDemand } from './on-demand.js';

/**
 * Imports a package that users install only if they need it.
 *
 * @param field the function, option or command that needs the package.
 * @param install the command that installs it.
 * @throws ContextShapingError `missing-dependency`, with that command as its remedy. `value` is the name of the missing
 *   package, or the message of another error that loading it ended with.
 */
export async function importOptional<T>(load: () => Promise<T>, field: string, install: string): Promise<T> {
  try {
    return await onDemand(load)();
  } catch (cause) {
    rethrowControlFlow(cause);
    const message = messageOf(cause);
    const { code } = (cause ?? {}) as { code?: unknown };
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw new ContextShapingError('missing-dependency', {
      field,
      value: (isMissing && /'([^']+)'/.exec(message)?.[1]) || message,
      is: `needs a package that ${isMissing ? 'is not installed' : 'could not be loaded'}`,
      remedy: `Run: ${install}`,
      cause,
    });
  }
}
