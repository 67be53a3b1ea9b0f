/** A matcher for `expect.extend` of Vitest and Jest. It imports neither. */
import type { ShapingReport, ShapingResult, ShapingSession } from 'context-shaping';
import { invalidInput, isObject, makeFolder } from 'context-shaping/kit';
import { diffContexts } from './diff.js';
import { fileSystem } from './file-system.js';
import { formatDiff } from './format-diff.js';
import { parseLockfile } from './parse.js';
import { recordContext } from './record.js';
import { formatLockfile } from './text.js';
import type { ContextLockfile } from './types.js';

/** The fields that are read of the value that a runner gives to a matcher as `this`. */
export interface MatcherContext {
  isNot?: boolean | undefined;
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
  const own = async (texts: 'full' | 'hashed') =>
    'lockfileVersion' in received ? received : recordContext(received, { texts });
  if (this.isNot === true) {
    throw invalidInput(
      'expect(…).not',
      expected,
      'cannot be compared with a file',
      'Leave out not, or compare with diffContexts.',
    );
  }
  const { fs, path } = fileSystem('expected', expected);
  const file = path.resolve(path.dirname(this.testPath ?? '.'), expected);
  const update = updateOf(this.snapshotState);
  const before = fs.existsSync(file) ? parseLockfile(fs.readFileSync(file, 'utf8')) : undefined;
  // A file with hashed texts stays one.
  const written = await own(before?.texts === 'hashed' ? 'hashed' : 'full');
  const result = before && compared(before, written, expected);
  if (result?.pass === true || (result !== undefined && update !== 'all')) return result;
  if (result === undefined && update === 'none') {
    return {
      pass: false,
      message: () => `${expected} does not exist. Run the test without --ci, and commit the file.`,
    };
  }
  await makeFolder(path.dirname(file));
  fs.writeFileSync(file, formatLockfile(written));
  return { pass: true, message: () => `${expected} was written.` };
}

function compared(before: ContextLockfile, own: ContextLockfile, name: string): MatcherResult {
  const diff = diffContexts(before, own);
  return {
    pass: diff.isEqual,
    message: () =>
      diff.isEqual
        ? `The context is that of ${name}.`
        : `The context is not that of ${name}. If it is right, run the test with -u.\n\n${formatDiff(diff)}`,
  };
}

/** `all`: files are written again. `new`: only absent ones are written. `none`: in continuous integration. */
function updateOf(state: unknown): 'all' | 'new' | 'none' {
  const { snapshotUpdateState, _updateSnapshot } = isObject(state) ? state : {};
  const update = snapshotUpdateState ?? _updateSnapshot;
  return update === 'all' || update === 'none' ? update : 'new';
}
