/** Replays lockfiles: bundled for the page and the program that compare runtimes. */
import { openLockfile, parseLockfile } from 'context-shaping/lockfile';

/** The digests that this runtime finds, in order. A lockfile that cannot be replayed gives the message of the error. */
export async function replayAll(texts: readonly string[]): Promise<string[]> {
  const digests: string[] = [];
  for (const text of texts) {
    try {
      digests.push((await openLockfile(parseLockfile(text)).at()).report.digest);
    } catch (error) {
      digests.push(String(error));
    }
  }
  return digests;
}
