/** Reads a lockfile from a file. */
import { REPORT_VERSION } from 'context-shaping/internal';
import { invalidInput, isObject, messageOf } from 'context-shaping/kit';
import { sealed } from './record.js';
import { type ContextLockfile, LOCKFILE_VERSION } from './types.js';

const AGAIN = 'Record the context again, or take the file from your version control.';

/**
 * Checks a lockfile: the text of a file, or what JSON.parse made of it.
 *
 * @throws ContextShapingError `invalid-input`. A lockfile of another version, and one that does not match its digest, are
 *   errors.
 */
export function parseLockfile(given: string | object): ContextLockfile {
  const value: unknown = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(value)) throw invalidInput('lockfile', value, 'must be an object', AGAIN);
  const ofReport = isObject(value.report) ? value.report.version : undefined;
  for (const [field, version, own] of [
    ['lockfileVersion', value.lockfileVersion, LOCKFILE_VERSION],
    ['report.version', ofReport, REPORT_VERSION],
  ] as const) {
    if (version === own) continue;
    throw invalidInput(
      `lockfile.${field}`,
      version,
      `must be ${own}, the version that this release reads`,
      Number(version) > own ? 'Install a later release of context-shaping.' : AGAIN,
    );
  }
  checkDigest(value as unknown as ContextLockfile);
  return value as unknown as ContextLockfile;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidInput('lockfile', text, `is not JSON: ${messageOf(cause)}`, AGAIN, cause);
  }
}

/**
 * A file that a person or a merge of two branches changed has another digest. One that has its digest was written by
 * {@link recordContext}, so its fields need no check of their own.
 *
 * @throws ContextShapingError `invalid-input`.
 */
export function checkDigest(lockfile: ContextLockfile): void {
  const edited = `Somebody edited the file, or merged two versions of it. ${AGAIN}`;
  let digest: string;
  try {
    digest = sealed(lockfile).digest;
  } catch (cause) {
    // JSON can be written only as deep as the stack is.
    throw invalidInput('lockfile', lockfile, 'has too many levels of lists and objects', edited, cause);
  }
  if (digest === lockfile.digest) return;
  throw invalidInput('lockfile.digest', lockfile.digest, 'is not the digest of the lockfile', edited);
}
