import { dirname, resolve } from 'node:path';
import { ContextShapingError } from 'context-shaping';
import { importOptional } from 'context-shaping/internal';
import { makeFolder, messageOf, openOwn, parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import type { PassageStore } from '../conversation/index.js';

const optionsSchema = z.strictObject({
  path: z.string().min(1),
  maxBytes: z
    .int()
    .min(1)
    .default(2 ** 28),
});

export interface SqlitePassageStoreOptions {
  /** The file of the database; it and its folder are created for this user alone. Processes may share it. */
  path: string;
  /** Most bytes of all keys and values, as UTF-8. Beyond that, the entries that were written first go. Default 256 MiB. */
  maxBytes?: number | undefined;
}

/** A store in a file. */
export interface ClosablePassageStore extends PassageStore, AsyncDisposable {
  close(): Promise<void>;
}

/** The common part of `node:sqlite` and `better-sqlite3`. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): { get(...values: unknown[]): unknown; run(...values: unknown[]): unknown };
  close(): unknown;
}

/** Marks a database of this store: "cshp" in ASCII. */
const APPLICATION = 0x63736870;

const SCHEMA = `
  CREATE TABLE passages (
    place INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, value TEXT NOT NULL, bytes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE total (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO total VALUES (0);
  CREATE TRIGGER added AFTER INSERT ON passages BEGIN UPDATE total SET bytes = bytes + new.bytes; END;
  CREATE TRIGGER gone AFTER DELETE ON passages BEGIN UPDATE total SET bytes = bytes - old.bytes; END;
  PRAGMA application_id = ${APPLICATION};`;

/**
 * A store in a file of SQLite. Uses `node:sqlite` of Node 22.13 or later, else the package `better-sqlite3`.
 *
 * @throws ContextShapingError `invalid-options`; `missing-dependency` without either; `service` if the file cannot be used.
 */
export async function sqlitePassageStore(options: SqlitePassageStoreOptions): Promise<ClosablePassageStore> {
  const { path: given, maxBytes } = parseOptions(optionsSchema, options);
  const path = resolve(given);
  const connect = await driver();
  let database: Database;
  try {
    await makeFolder(dirname(path), 0o700);
    await (await openOwn(path, 'a')).close();
    database = connect(path);
  } catch (cause) {
    throw unusable(path, cause);
  }
  try {
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    transaction(database, () => create(database));
  } catch (cause) {
    database.close();
    throw unusable(path, cause);
  }
  const find = database.prepare('SELECT value FROM passages WHERE key = ?');
  const remove = database.prepare('DELETE FROM passages WHERE key = ?');
  const insert = database.prepare('INSERT INTO passages (key, value, bytes) VALUES (?, ?, ?)');
  const total = database.prepare('SELECT bytes FROM total');
  const oldest = database.prepare('DELETE FROM passages WHERE place = (SELECT min(place) FROM passages)');
  const close = async () => void database.close();
  return {
    async get(key, { signal } = {}) {
      signal?.throwIfAborted();
      return (find.get(key) as { value: string } | undefined)?.value;
    },
    async set(entries, { signal } = {}) {
      signal?.throwIfAborted();
      const sizes = entries.map(([key, value]) => Buffer.byteLength(key) + Buffer.byteLength(value));
      const bytes = sizes.reduce((sum, each) => sum + each, 0);
      if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
      transaction(database, () => {
        for (const [at, [key, value]] of entries.entries()) {
          remove.run(key);
          insert.run(key, value, sizes[at]);
        }
        while ((total.get() as { bytes: number }).bytes > maxBytes) oldest.run();
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Makes the tables. A database of another application stays as it is. */
function create(database: Database): void {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() as {
    application_id: number;
  };
  if (id === APPLICATION) return;
  if (database.prepare('SELECT 1 FROM sqlite_master').get() !== undefined)
    throw new Error('it is the database of another application');
  database.exec(SCHEMA);
}

/** Waits for other writers before it reads, so that no two processes write the same. */
function transaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

async function driver(): Promise<(path: string) => Database> {
  const builtIn = process.getBuiltinModule?.('node:sqlite') as
    | { DatabaseSync: new (path: string) => Database }
    | undefined;
  if (builtIn !== undefined) return (path) => new builtIn.DatabaseSync(path);
  const name = 'better-sqlite3';
  const { default: Better } = await importOptional<{ default: new (path: string) => Database }>(
    () => import(name),
    'sqlitePassageStore',
    'npm install better-sqlite3, or use Node 22.13 or later',
  );
  return (path) => new Better(path);
}

const unusable = (path: string, cause: unknown) =>
  new ContextShapingError('service', {
    field: 'path',
    value: path,
    is: `cannot be used as a store: ${messageOf(cause)}`,
    remedy: 'Name another file, in a folder on a local disk that you may write to.',
    cause,
  });

const tooLarge = (bytes: number, most: number) =>
  new ContextShapingError('service', {
    field: 'maxBytes',
    value: most,
    is: `is less than the ${bytes} bytes of one result`,
    remedy: 'Allow more bytes.',
  });
