/** The store of left-out passages and the key of their handles, which runs of `context-shaping-mcp` share. */
import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ContextShapingError } from 'context-shaping';
import { type Io, UsageError, write } from 'context-shaping/cli';
import { ifPresent, makeFolder, messageOf, readOwn } from 'context-shaping/kit';
import type { PassageStore } from 'context-shaping-agents';
import { sqlitePassageStore } from 'context-shaping-agents/passage-store';

interface State {
  /** Absent: the memory of this process. */
  store?: PassageStore;
  /** Absent: a key of this process. */
  handleKey?: string;
  close(): Promise<void>;
}

const KEY = 'CONTEXT_SHAPING_HANDLE_KEY';
const NO_SQLITE =
  'context-shaping-mcp: This Node has no SQLite: left-out passages are in memory, and their handles end with this process. Use Node 22.13 or later, or install better-sqlite3. --store memory hides this line.';

/**
 * @param address a file of SQLite, or `memory`. Default: a file in the user's folder; the memory of
 * this process if there is no SQLite.
 */
export async function openState(address: string | undefined, { env, stderr }: Io): Promise<State> {
  const given = env[KEY];
  const inMemory = { ...(given && { handleKey: given }), close: async () => {} };
  if (address === 'memory') return inMemory;
  const path = resolve(address ?? join(stateFolder(env), 'context-shaping', 'passages.sqlite'));
  try {
    const store = await sqlitePassageStore({ path });
    return { store, handleKey: given || (await keyIn(`${path}.key`)), close: () => store.close() };
  } catch (error) {
    const kind = ContextShapingError.isInstance(error) ? error.kind : undefined;
    if (kind === 'service') throw new UsageError(messageOf(error), { cause: error });
    if (address !== undefined || kind !== 'missing-dependency') throw error;
    await write(stderr, `${NO_SQLITE}\n`);
    return inMemory;
  }
}

const stateFolder = ({ XDG_STATE_HOME, LOCALAPPDATA }: Io['env']): string =>
  XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local', 'state');

/** The key in a file; makes one that only this user can read. Two processes that start together get the same. */
async function keyIn(file: string): Promise<string> {
  const own = `${file}.${process.pid}.new`;
  try {
    await makeFolder(dirname(file), 0o700);
    const key = await ifPresent(readOwn(file));
    if (key !== undefined) return key;
    await writeFile(own, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    // The name appears together with the content. It fails if another process was first.
    await link(own, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return await readOwn(file);
  } catch (cause) {
    throw new UsageError(
      `Cannot use the key file ${file}: ${messageOf(cause)}. Name another --store, or set ${KEY}.`,
      { cause },
    );
  } finally {
    await rm(own, { force: true }).catch(() => {});
  }
}
