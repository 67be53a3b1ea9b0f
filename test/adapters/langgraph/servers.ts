/** Which of LangGraph's checkpointers can be tried here. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';

// PGHOST, PGPORT and the like go over it, as in every client; `pg` alone does not know the user of the server.
const { PGUSER = userInfo().username, PGHOST = '127.0.0.1', PGDATABASE = 'test' } = process.env;
const POSTGRES = `postgresql://${encodeURIComponent(PGUSER)}@${PGHOST}/${PGDATABASE}`;

export interface Opened {
  checkpointer: BaseCheckpointSaver;
  /** Another process opens the same checkpoints with {@link connect}; empty for memory. */
  connection: string;
  /** Leaves nothing behind. */
  close(): Promise<void>;
}

export interface Checkpointers {
  name: 'memory' | 'SQLite' | 'PostgreSQL';
  /** Can another process see what is in it? */
  shared: boolean;
  available: boolean;
  /** Empty, and apart from all others. */
  open(): Promise<Opened>;
}

/** Opens what an {@link Opened} of this or another process has made: a file, or an address and a schema. */
export async function connect(
  connection: string,
): Promise<{ checkpointer: BaseCheckpointSaver; close(): Promise<void> }> {
  const [address, schema] = connection.split('#') as [string, string | undefined];
  if (schema !== undefined) {
    const checkpointer = PostgresSaver.fromConnString(address, { schema });
    return { checkpointer, close: () => checkpointer.end() };
  }
  const checkpointer = await sqlite(address);
  return { checkpointer, close: async () => void checkpointer.db.close() };
}

async function sqlite(file: string) {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
  return SqliteSaver.fromConnString(file);
}

// The native module may be missing, or built for another version of Node.
const hasSqlite = await sqlite(':memory:').then(
  (saver) => {
    saver.db.close();
    return true;
  },
  () => false,
);

const hasPostgres = await (async () => {
  const saver = PostgresSaver.fromConnString(`${POSTGRES}?connect_timeout=2`);
  try {
    await saver.getTuple({ configurable: { thread_id: 'none' } });
    return true;
  } catch (error) {
    // A server that answers, if only that there is no such table.
    return (error as { code?: string }).code === '42P01';
  } finally {
    await saver.end();
  }
})();

export const checkpointers: readonly Checkpointers[] = [
  {
    name: 'memory',
    shared: false,
    available: true,
    open: async () => ({ checkpointer: new MemorySaver(), connection: '', close: async () => {} }),
  },
  {
    name: 'SQLite',
    shared: true,
    available: hasSqlite,
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'checkpoints-'));
      const connection = join(folder, 'checkpoints.sqlite');
      const { checkpointer, close } = await connect(connection);
      return {
        checkpointer,
        connection,
        async close() {
          await close();
          await rm(folder, { recursive: true });
        },
      };
    },
  },
  {
    name: 'PostgreSQL',
    shared: true,
    available: hasPostgres,
    async open() {
      const schema = `test_${randomUUID().replaceAll('-', '')}`;
      const checkpointer = PostgresSaver.fromConnString(POSTGRES, { schema });
      await checkpointer.setup();
      return {
        checkpointer,
        connection: `${POSTGRES}#${schema}`,
        async close() {
          // The saver has no method for it; its pool is private by type alone.
          const { pool } = checkpointer as unknown as { pool: { query(sql: string): Promise<unknown> } };
          await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
          await checkpointer.end();
        },
      };
    },
  },
];

/** The servers that must be there in continuous integration, where a skipped test would go unseen. */
export const missing = (): string[] =>
  checkpointers
    .filter(({ available }) => !available)
    .map(({ name }) => name)
    .filter((name) => name !== 'SQLite' || process.version.startsWith('v20.'));
