/** `context-shaping-server serve`: serves shaping over HTTP until it is stopped. */

import { once } from 'node:events';
import { type Io, parseJsonFile, readText, UsageError, write } from 'context-shaping/cli';
import { isObject, type JsonObject } from 'context-shaping/kit';
import type { ServiceOptions } from '../http/options.js';

export interface ServeFlags extends Pick<ServiceOptions, 'host' | 'port' | 'workers' | 'embedder'> {
  config?: string;
  setup?: string;
  /** A flag of the program, no option of the service. */
  verbose?: boolean;
}

/** Resolves after a stop signal, when all accepted requests are finished. */
export async function serveCommand({ config, verbose: _, ...flags }: ServeFlags, io: Io): Promise<void> {
  const { createService } = await import('../http/service.js');
  const file = await readConfig(config, io);
  const options = { ...file, ...keysOf(io.env), ...flags };
  const service = await Promise.race([createService(options as ServiceOptions), aborted(io.signal)]);
  // Stopped while it starts: no request is accepted yet, and a setup that hangs must not delay the exit.
  if (service === undefined) return;
  try {
    if (!io.signal.aborted) {
      await write(io.stderr, `Listening on ${await service.listen()}. Press Ctrl-C to stop.\n`);
      await aborted(io.signal);
    }
  } finally {
    await service.close();
  }
}

async function readConfig(file: string | undefined, { signal }: Io): Promise<JsonObject> {
  if (file === undefined) return {};
  const config = parseJsonFile(await readText(file, 'Name a JSON file of options.', signal), file);
  if (isObject(config)) return config;
  throw new UsageError(`${file} must hold an object of options, such as { "port": 8000 }.`);
}

/** The error does not show the value, which may be a key in the place of its digest. */
function keysOf({ CONTEXT_SHAPING_API_KEYS: written }: Io['env']): object {
  if (written === undefined || written.trim() === '') return {};
  const apiKeys = written.split(',').map((entry, index) => {
    const [, name, sha256] = /^\s*([^:\s]+):([0-9a-f]{64})\s*$/i.exec(entry) ?? [];
    if (name !== undefined && sha256 !== undefined) return { name, sha256 };
    throw new UsageError(
      `Entry ${index + 1} of CONTEXT_SHAPING_API_KEYS is not NAME:SHA256. context-shaping-server serve --help shows how to make one.`,
    );
  });
  return { apiKeys };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
