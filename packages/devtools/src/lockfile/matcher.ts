/** A matcher for `expect.extend` of Vitest and Jest. It imports neither. */
import {
  ContextShapingError,
  type ShapingReport,
  type ShapingResult,
  type ShapingSession,
} from 'context-shaping';
import { builtIns, isObject, makeFolder } from 'context-shaping/kit';
import { diffContexts } from './diff.js';
import { formatDiff } from './format-diff.js';
import { parseLockfile } from './parse.js';
import { recordContext } from './record.js';
import { formatLockfile } from './text.js';
import type { ContextLockfile } from './types.js';

/** The fields that are read of the value that a runner gives to a matcher as `this`. */
export interface MatcherContext {
  testPath?: string | undefined;
  /** `snapshotUpdateState` is Vitest’s name, `_updateSnapshot` is Jest’s. */
  snapshotState?: unknown;
}

export interface MatcherResult {
  pass: boolean;
  message(): string;
}

/** For `interface Matchers` of your runner: `toMatchContext(file: string): Promise<void>`. */
export interface ContextMatchers<R = Promise<void>> {
  /** Compares with a lockfile; the path is relative to the test file. See {@link toMatchContext}. */
  toMatchContext(file: string): R;
}

/**
 * Compares a context with the lockfile in a file, as file snapshots do. An absent file is written, except in continuous
 * integration. A changed context fails, with the comparison as the message. With the update flag of the runner (`-u`) the
 * file is written again.
 *
 * @param received a result of this process, a session or a lockfile.
 * @param expected path of the file, relative to the file of the test.
 */
export async function toMatchContext(
  this: MatcherContext,
  received: ShapingResult | ShapingSession | ShapingReport | ContextLockfile,
  expected: string,
): Promise<MatcherResult> {
  const load = builtIns();
  if (load === undefined) {
    throw new ContextShapingError('missing-dependency', {
      field: 'expected',
      value: expected,
      is: 'needs a file system, which this runtime does not have',
      remedy: 'Use Node, Deno or Bun, or compare with diffContexts.',
    });
  }
  const { fs, path } = { fs: load('node:fs'), path: load('node:path') };
  const file = path.resolve(path.dirname(this.testPath ?? '.'), expected);
  const { snapshotUpdateState, _updateSnapshot } = isObject(this.snapshotState) ? this.snapshotState : {};
  /** `all`: files are written again. `new`: only absent ones are written. `none`: in continuous integration. */
  const update = snapshotUpdateState ?? _updateSnapshot;
  const own = 'lockfileVersion' in received ? received : await recordContext(received);
  const exists = fs.existsSync(file);
  if (exists && update !== 'all') {
    const diff = diffContexts(parseLockfile(fs.readFileSync(file, 'utf8')), own);
    const message = diff.isEqual
      ? `The context is that of ${expected}.`
      : `The context is not that of ${expected}. If it is right, run the test with -u.\n\n${formatDiff(diff)}`;
    return { pass: diff.isEqual, message: () => message };
  }
  if (!exists && update === 'none') {
    const message = `${expected} does not exist. Run the test without --ci, and commit the file.`;
    return { pass: false, message: () => message };
  }
  await makeFolder(path.dirname(file));
  fs.writeFileSync(file, formatLockfile(own));
  return { pass: true, message: () => `${expected} was written.` };
}
