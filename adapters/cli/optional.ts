import { ContextShapingError, messageOf } from '../../src/index.js';

/**
 * Loads what a user of the package need not have.
 *
 * @throws ContextShapingError `missing-dependency`, saying what to install.
 */
export async function optional<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new ContextShapingError('missing-dependency', {
      field: 'context-shaping demo',
      value: /'([^']+)'/.exec(messageOf(cause))?.[1] ?? messageOf(cause),
      is: 'needs a package that is not installed',
      // Without the flag npm also wants the peers of all that @langchain/community can talk to.
      remedy:
        'Run: npm install --legacy-peer-deps @langchain/core @langchain/community @langchain/textsplitters',
      cause,
    });
  }
}
