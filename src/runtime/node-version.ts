/**
 * The oldest Node that this package runs on: from this version on, CommonJS can load the ES modules among its
 * dependencies.
 */
const OLDEST = [20, 19] as const;

/** The message for a Node that is too old. Undefined for a newer one, and in other runtimes. */
export function oldNode(version = globalThis.process?.versions?.node): string | undefined {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  if (version === undefined || major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]))
    return undefined;
  return `context-shaping needs Node ${OLDEST.join('.')} or newer, and this is Node ${version}. Install a newer Node: https://nodejs.org/en/download`;
}
