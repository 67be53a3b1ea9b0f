/** Loads the compiled graph of an application from one of its modules. */
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
  // Exports of a CommonJS module are in its default export; not all of them are named exports as well.
  const exported = await Promise.all([module[name], (module.default as Module | undefined)?.[name]]);
  const graph = exported.find(isGraph);
  if (graph === undefined) {
    throw new UsageError(
      `The export ${name} of ${file} is not a graph with a checkpointer; the file exports ${Object.keys(module).join(', ')}. ` +
        'Give --app FILE#EXPORT.',
    );
  }
  const { checkpointer, store } = graph;
  // Open connections would keep this process alive.
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
      `Node cannot load ${file}. Name the compiled file, or set NODE_OPTIONS="--import tsx".`,
      { cause },
    );
  }
}

function isGraph(value: unknown): value is Graph {
  const { invoke, checkpointer } = (value ?? {}) as Partial<Graph>;
  return typeof invoke === 'function' && typeof checkpointer?.putWrites === 'function';
}
