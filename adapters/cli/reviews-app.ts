/** The compiled graph of an application, out of one of its modules. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ResumableGraph, ReviewQueueOptions } from '../langgraph/index.js';
import { UsageError } from './errors.js';

export type Graph = ResumableGraph & Pick<ReviewQueueOptions, 'checkpointer' | 'store'>;

type Module = Record<string, unknown>;

/** @param app `FILE` or `FILE#EXPORT`. */
export async function loadGraph(
  app: string,
): Promise<Pick<Graph, 'checkpointer' | 'store'> & { graph: Graph; close(): Promise<void> }> {
  const [, file, name = 'default'] = /^(.*?)(?:#([^#]*))?$/s.exec(app) as unknown as [
    string,
    string,
    string?,
  ];
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}. Give --app FILE or FILE#EXPORT.`);
  const module = await load(file);
  // What CommonJS exports is the default, and not all of it is found by name.
  const exported = await Promise.all([module[name], (module.default as Module | undefined)?.[name]]);
  const graph = exported.find(isGraph);
  if (graph === undefined) {
    throw new UsageError(
      `${file} exports no graph with a checkpointer as ${name}; it exports ${Object.keys(module).join(', ')}. ` +
        'Give --app FILE#EXPORT.',
    );
  }
  const { checkpointer, store } = graph;
  // Its connections would keep this process waiting.
  const { end, db } = checkpointer as { end?: () => Promise<void>; db?: { close?: () => void } };
  const close = async () => {
    await end?.call(checkpointer);
    db?.close?.();
    await store?.stop?.();
  };
  return { checkpointer, store, graph, close };
}

async function load(file: string): Promise<Module> {
  try {
    return await import(pathToFileURL(resolve(file)).href);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException | null)?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw cause;
    throw new UsageError(
      `Node does not load ${file}. Name what it is compiled to, or set NODE_OPTIONS="--import tsx".`,
      { cause },
    );
  }
}

function isGraph(value: unknown): value is Graph {
  const { invoke, checkpointer } = (value ?? {}) as Partial<Graph>;
  return typeof invoke === 'function' && typeof checkpointer?.putWrites === 'function';
}
