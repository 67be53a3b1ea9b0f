import { ContextShapingError } from '../../src/index.js';
import { messageOf } from '../../src/internal.js';

/** Who needs packages, and how they are installed. */
export interface Need {
  command: string;
  install: string;
}

const DEMO: Need = {
  command: 'context-shaping demo',
  // Without the flag npm also wants the peers of all that @langchain/community can talk to.
  install: 'npm install --legacy-peer-deps @langchain/core @langchain/community @langchain/textsplitters',
};

/**
 * Loads what a user of the package need not have.
 *
 * @throws ContextShapingError `missing-dependency`, saying what to install.
 */
export async function optional<T>(load: () => Promise<T>, { command, install } = DEMO): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new ContextShapingError('missing-dependency', {
      field: command,
      value: /'([^']+)'/.exec(messageOf(cause))?.[1] ?? messageOf(cause),
      is: 'needs a package that is not installed',
      remedy: `Run: ${install}`,
      cause,
    });
  }
}
