import { invalidInput } from 'context-shaping/kit';
import { type ContextDiff, diffContexts } from './diff.js';
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
export async function replayContext(
  lockfile: ContextLockfile,
  { signal, ...open }: ReplayOptions = {},
): Promise<Replay> {
  const { session, missed } = reopen(lockfile, open);
  const texts = lockfile.texts === 'hashed' ? 'hashed' : 'full';
  const again = await recordContext(session, { texts, signal });
  if (missed() > 0) {
    throw invalidInput(
      'lockfile.services',
      missed(),
      'lacks answers that this replay needs',
      'Give the services: { services: { embedder, model, judge, scorer } }. Or record the context again.',
    );
  }
  const changes = diffContexts(lockfile, again);
  return { lockfile: again, changes, isEqual: changes.isEqual };
}
