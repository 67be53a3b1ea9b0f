/** Where reviews are: the database of LangGraph’s checkpointer, or the checkpointer of an application’s graph. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ContextShapingError, messageOf } from '../../src/index.js';
import type { ResumableGraph, ReviewQueue, ReviewQueueOptions } from '../langgraph/index.js';
import { UsageError } from './failure.js';
import { type Need, optional } from './optional.js';
import type { Io } from './terminal.js';

export interface DatabaseFlags {
  database?: string;
  schema?: string;
  app?: string;
}

type Checkpointer = ReviewQueueOptions['checkpointer'];
type Graph = ResumableGraph & Pick<ReviewQueueOptions, 'checkpointer' | 'store'>;

interface Opened {
  /** As it may be shown: without a password. */
  name: string;
  checkpointer: Checkpointer;
  store?: ReviewQueueOptions['store'];
  graph?: Graph;
  close(): Promise<void>;
}

const needs = (...packages: string[]): Need => ({
  command: 'context-shaping reviews',
  install: `npm install ${['@langchain/langgraph', ...packages].join(' ')}`,
});

/** Does something with the queue, and closes the database behind it. */
export async function withQueue<T>(
  flags: DatabaseFlags,
  io: Io,
  work: (queue: ReviewQueue, graph: ResumableGraph | undefined) => Promise<T>,
): Promise<T> {
  const { createReviewQueue } = await optional(() => import('../langgraph/index.js'), needs());
  const { name, checkpointer, store, graph, close } = await open(flags, io);
  try {
    return await work(createReviewQueue({ checkpointer, store }), graph);
  } catch (error) {
    throw explained(error, name);
  } finally {
    await close();
  }
}

async function open({ app, database, schema = 'public' }: DatabaseFlags, io: Io): Promise<Opened> {
  if (app !== undefined) return openApp(app);
  const address = database ?? io.env.CONTEXT_SHAPING_DATABASE;
  if (!address) {
    throw new UsageError(
      'Where are the reviews? Name the database of the checkpointer with --database or in ' +
        'CONTEXT_SHAPING_DATABASE: postgres://… or a SQLite file.',
    );
  }
  return /^postgres(ql)?:/i.test(address) ? openPostgres(address, schema) : openSqlite(address);
}

async function openPostgres(address: string, schema: string): Promise<Opened> {
  if (!URL.canParse(address)) throw new UsageError('The address of the database is not a URL.');
  const { protocol, host, pathname } = new URL(address);
  const need = needs('@langchain/langgraph-checkpoint-postgres');
  const { PostgresSaver } = await optional(() => import('@langchain/langgraph-checkpoint-postgres'), need);
  const checkpointer = PostgresSaver.fromConnString(address, { schema });
  const name = `${protocol}//${host}${pathname}, schema ${schema}`;
  return { name, checkpointer, close: () => checkpointer.end() };
}

async function openSqlite(file: string): Promise<Opened> {
  // Opening would make one.
  if (!existsSync(file)) {
    throw new UsageError(`There is no file ${file}. Name a SQLite file, or an address: postgres://…`);
  }
  const need = needs('@langchain/langgraph-checkpoint-sqlite');
  const { SqliteSaver } = await optional(() => import('@langchain/langgraph-checkpoint-sqlite'), need);
  try {
    const checkpointer = SqliteSaver.fromConnString(file);
    return { name: file, checkpointer, close: async () => void checkpointer.db.close() };
  } catch (cause) {
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

async function openApp(app: string): Promise<Opened> {
  const [, file, name = 'default'] = /^(.*?)(?:#([^#]*))?$/s.exec(app) as unknown as [
    string,
    string,
    string?,
  ];
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}. Give --app FILE or FILE#EXPORT.`);
  const loaded = (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  const graph = (await loaded[name]) as Partial<Graph> | undefined;
  const { checkpointer, store } = graph ?? {};
  if (typeof graph?.invoke !== 'function' || typeof checkpointer !== 'object') {
    throw new UsageError(
      `${file} exports no graph with a checkpointer as ${name}; it exports ${Object.keys(loaded).join(', ')}. ` +
        'Give --app FILE#EXPORT.',
    );
  }
  // Its connections would keep this process waiting.
  const { end, db } = checkpointer as { end?: () => Promise<void>; db?: { close?: () => void } };
  const close = async () => {
    await end?.call(checkpointer);
    db?.close?.();
  };
  return { name: app, checkpointer, store, graph: graph as Graph, close };
}

/** What databases complain of, in words. */
function explained(error: unknown, name: string): unknown {
  if (ContextShapingError.isInstance(error)) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === '42P01') {
    return new UsageError(`No graph has saved anything in ${name}. Name another with --schema.`, {
      cause: error,
    });
  }
  if (code === 'SQLITE_NOTADB') return new UsageError(`${name} is not a SQLite file.`, { cause: error });
  if (!(error instanceof Error) || code === undefined) return error;
  return new ContextShapingError('service', {
    field: name,
    value: messageOf(error) || String(code),
    is: 'cannot be read or written',
    remedy: 'Check that the database is there, and that you may use it.',
    cause: error,
  });
}
