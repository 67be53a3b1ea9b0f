/** Opens the storage of reviews: the database of a LangGraph checkpointer, or the checkpointer of an application’s graph. */
import { existsSync } from 'node:fs';
import { ContextShapingError } from '../../src/index.js';
import { importOptional, messageOf, within } from '../../src/internal.js';
import type { ResumableGraph, ReviewQueue, ReviewQueueOptions } from '../langgraph/index.js';
import { UsageError } from './errors.js';
import { type Graph, loadGraph } from './reviews-app.js';
import type { Io } from './terminal.js';

export interface DatabaseFlags {
  database?: string;
  schema?: string;
  app?: string;
}

type Checkpointer = ReviewQueueOptions['checkpointer'];

interface Opened {
  /** For messages: without a password. */
  name: string;
  checkpointer: Checkpointer;
  store?: ReviewQueueOptions['store'];
  graph?: Graph;
  close(): Promise<void>;
}

/** @param packages are installed along with LangGraph. */
const load = <T>(module: () => Promise<T>, ...packages: string[]): Promise<T> =>
  importOptional(
    module,
    'context-shaping reviews',
    `npm install ${['@langchain/langgraph', ...packages].join(' ')}`,
  );

/** The longest wait for an answer of a database, in milliseconds. */
const MOST_SILENCE = 30_000;

/** Runs `work` with the queue, then closes the database. */
export async function withQueue<T>(
  flags: DatabaseFlags,
  io: Io,
  work: (queue: ReviewQueue, graph: ResumableGraph | undefined) => Promise<T>,
): Promise<T> {
  const { createReviewQueue } = await load(() => import('../langgraph/index.js'));
  const { name, checkpointer, store, graph, close } = await open(flags, io);
  try {
    // A list of many reviews, or the graph, may take longer than a first answer.
    const nothing = { configurable: { thread_id: 'none' } };
    await within(MOST_SILENCE, io.signal, async () => checkpointer.getTuple(nothing));
    const queue = createReviewQueue({ checkpointer, store });
    return await within(undefined, io.signal, () => work(queue, graph));
  } catch (error) {
    throw explained(error, name);
  } finally {
    await within(1000, io.signal, close).catch(() => {});
  }
}

async function open({ app, database, schema = 'public' }: DatabaseFlags, io: Io): Promise<Opened> {
  if (app !== undefined) {
    const graph = await loadGraph(app);
    return { name: app, ...graph };
  }
  const address = database ?? io.env.CONTEXT_SHAPING_DATABASE;
  if (!address) {
    throw new UsageError(
      'No database is given. Name the database of the checkpointer with --database or in ' +
        'CONTEXT_SHAPING_DATABASE: postgres://… or a SQLite file.',
    );
  }
  return /^postgres(ql)?:/i.test(address) ? openPostgres(address, schema) : openSqlite(address);
}

async function openPostgres(address: string, schema: string): Promise<Opened> {
  const { protocol, host, pathname, search, hash } = URL.canParse(address) ? new URL(address) : ({} as URL);
  // Otherwise a part of the password would be in another part of the URL, and messages would show it.
  if (host === undefined || `${pathname}${search}`.includes('@') || hash !== '') {
    throw new UsageError(
      'The address of the database is not a valid URL. Percent-encode special characters in the password: @ as %40.',
    );
  }
  const { PostgresSaver } = await load(
    () => import('@langchain/langgraph-checkpoint-postgres'),
    '@langchain/langgraph-checkpoint-postgres',
  );
  const limit = search.includes('query_timeout=') ? '' : `${search ? '&' : '?'}query_timeout=${MOST_SILENCE}`;
  const checkpointer = PostgresSaver.fromConnString(address + limit, { schema });
  const name = `${protocol}//${host}${pathname}, schema ${schema}`;
  return { name, checkpointer, close: () => checkpointer.end() };
}

async function openSqlite(file: string): Promise<Opened> {
  // Opening would create the file. A name that may be the address of another database may contain a password.
  if (!existsSync(file)) {
    const name = /:\/\/|password/i.test(file) ? 'of that name' : file;
    throw new UsageError(`There is no file ${name}. Name a SQLite file, or an address: postgres://…`);
  }
  const { SqliteSaver } = await load(
    () => import('@langchain/langgraph-checkpoint-sqlite'),
    '@langchain/langgraph-checkpoint-sqlite',
  );
  try {
    const checkpointer = SqliteSaver.fromConnString(file);
    const { db } = checkpointer;
    // Otherwise the saver would create its tables in a database of another application.
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'checkpoints'").get() === undefined) {
      db.close();
      throw new UsageError(`${file} has no checkpoints of a graph. Name another file with --database.`);
    }
    return { name: file, checkpointer, close: async () => void db.close() };
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    if (String((cause as NodeJS.ErrnoException).code).startsWith('SQLITE')) throw explained(cause, file);
    throw new ContextShapingError('missing-dependency', {
      field: 'better-sqlite3',
      value: messageOf(cause),
      is: 'is not built for this version of Node',
      remedy: 'Run: npm rebuild better-sqlite3',
      cause,
    });
  }
}

/** Translates errors of databases into messages for users. */
function explained(error: unknown, name: string): unknown {
  if (ContextShapingError.isInstance(error)) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === '42P01') {
    return new UsageError(`${name} has no checkpoints of a graph. Name another schema with --schema.`, {
      cause: error,
    });
  }
  if (code === 'SQLITE_NOTADB') return new UsageError(`${name} is not a SQLite file.`, { cause: error });
  if (!(error instanceof Error) || code === undefined) return error;
  return new ContextShapingError('service', {
    field: name,
    value: messageOf(error) || String(code),
    is: 'cannot be read or written',
    remedy: 'Check that the database exists, and that you have access to it.',
    cause: error,
  });
}
