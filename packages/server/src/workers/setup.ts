/** Loads the operator's setup and returns the function that runs jobs. Runs once in each worker. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalidOption, type JsonObject, messageOf } from 'context-shaping/kit';
import type { Perform, Setup } from './jobs.js';
import { createOptimize } from './optimize/optimize.js';
import { failureOf, internalProblem, problem } from './problems.js';
import { createShape } from './shape.js';

/** The options of a worker. They can be sent to a thread unless `setup` is an object. */
export interface WorkerOptions {
  /** A module that exports a setup, or the setup itself. */
  setup?: string | Setup | undefined;
  /** Maximum chunks of a request. */
  maxChunks: number;
}

/** @throws ContextShapingError `invalid-options` or `invalid-input`, if the setup cannot be loaded or is malformed. */
export async function createPerform(options: WorkerOptions): Promise<Perform> {
  const setup = await loadSetup(options);
  const optimize = await createOptimize(setup);
  const shape = createShape(setup, options.maxChunks);
  return async (job, signal) => {
    try {
      return await (job.kind === 'shape' ? shape(job, signal) : optimize(job, signal));
    } catch (error) {
      signal?.throwIfAborted();
      // The operator reads the rejects of a batch, so they may have the reason.
      if (job.batch) return { status: 500, problem: problem(500, `Shaping failed: ${messageOf(error)}`) };
      return { status: 500, problem: internalProblem(), failure: failureOf(error) };
    }
  };
}

async function loadSetup({ setup }: WorkerOptions): Promise<Setup> {
  const found = typeof setup === 'string' ? await loadModule(setup) : (setup ?? {});
  const unknown = Object.keys(found).find((key) => key !== 'embedder' && key !== 'options');
  if (unknown !== undefined) {
    const remedy = 'The keys of a setup are embedder and options.';
    throw invalidOption(`setup.${unknown}`, (found as JsonObject)[unknown], 'is not a known key', remedy);
  }
  return found as Setup;
}

/** @param name path or `file:` URL. */
async function loadModule(name: string): Promise<object> {
  let given: unknown;
  try {
    const module = await import(name.startsWith('file:') ? name : pathToFileURL(resolve(name)).href);
    given = typeof module.default === 'function' ? await module.default() : module.default;
  } catch (cause) {
    throw invalidOption(
      'setup',
      name,
      `cannot be loaded: ${messageOf(cause)}`,
      'Name a module that exports a setup.',
      cause,
    );
  }
  if (typeof given === 'object' && given !== null) return given;
  const remedy = 'Export { embedder, options } as default, or a function that returns it.';
  throw invalidOption('setup', name, 'has no setup as its default export', remedy);
}
