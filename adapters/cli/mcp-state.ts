/** The store of left-out passages and the key of their handles, which runs of `context-shaping mcp` share. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { PassageStore } from '../conversation/index.js';
import { redisPassageStore, sqlitePassageStore } from '../passage-store/index.js';
import { UsageError } from './errors.js';
import { why } from './files.js';
import type { Io } from './terminal.js';

interface State {
  /** Absent: the memory of this process. */
  store?: PassageStore;
  /** Absent: a key of this process. */
  handleKey?: string;
  close(): Promise<void>;
}

const KEY = 'CONTEXT_SHAPING_HANDLE_KEY';

/** @param address a file of SQLite, an address of Redis, or `memory`; default a file in the user's folder. */
export async function openState(address: string | undefined, { env }: Io): Promise<State> {
  const given = env[KEY];
  const folder = join(stateFolder(env), 'context-shaping');
  if (address === 'memory') return { ...(given && { handleKey: given }), close: async () => {} };
  const isRedis = /^rediss?:/.test(address ?? '');
  const path = resolve(isRedis || address === undefined ? join(folder, 'passages.sqlite') : address);
  const handleKey = given || (await keyIn(`${path}.key`));
  const store = isRedis
    ? await redisPassageStore({ url: address as string })
    : await sqlitePassageStore({ path });
  return { store, handleKey, close: () => store.close() };
}

const stateFolder = ({ XDG_STATE_HOME, LOCALAPPDATA }: Io['env']): string =>
  XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local', 'state');

/** The key in a file; makes one that only this user can read. Two processes that start together get the same. */
async function keyIn(file: string): Promise<string> {
  const own = `${file}.${process.pid}.new`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const key = await read(file);
    if (key !== undefined) return key;
    await writeFile(own, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    // The name appears together with the content. It fails if another process was first.
    await link(own, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return (await read(file)) as string;
  } catch (cause) {
    throw new UsageError(
      `Cannot use the key file ${file}: ${why(cause)}. Name another --store, or set ${KEY}.`,
      {
        cause,
      },
    );
  } finally {
    await rm(own, { force: true }).catch(() => {});
  }
}

const read = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
