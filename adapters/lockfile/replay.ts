import { ContextShapingError } from '../../src/index.js';
import { diffContexts } from './diff/diff.js';
import type { ContextDiff } from './diff/types.js';
import { reopen } from './open.js';
import { recordContext } from './record.js';
import type { ContextLockfile, OpenOptions } from './types.js';

export interface ReplayOptions extends OpenOptions {
  signal?: AbortSignal | undefined;
}

export interface Replay {
  /** The recorded input, shaped by this release. To accept the changes, write it in place of the old lockfile. */
  lockfile: ContextLockfile;
  changes: ContextDiff;
  isEqual: boolean;
}

/**
 * Shapes the recorded input again, with this release and with changed options or services if they are given, and compares.
 *
 * @throws ContextShapingError `invalid-input`, also if a service would have to be asked something that was not recorded;
 *   `invalid-options`, also for a function that has to be given again.
 */
export async function replayContext(lockfile: ContextLockfile, given: ReplayOptions = {}): Promise<Replay> {
  const { signal, ...open } = given;
  const { session, missed } = reopen(lockfile, open);
  const full = await recordContext(session, { signal });
  if (missed() > 0) {
    throw new ContextShapingError('invalid-input', {
      field: 'lockfile.services',
      value: missed(),
      is: 'lacks answers that this replay needs',
      remedy:
        'Give the services: { services: { embedder, model, judge, scorer } }. Or record the context again.',
    });
  }
  const again = lockfile.texts === 'full' ? full : await recordContext(session, { texts: 'hashed', signal });
  // The input is the recorded one, so its texts are those of both.
  const before = { ...lockfile, texts: full.texts, input: full.input };
  const changes = await diffContexts(before, full, { options: open.options, signal });
  return { lockfile: again, changes, isEqual: changes.isEqual };
}
