/** `context-shaping-server serve` with its flags and help text: serves shaping over HTTP until it is stopped. */

import { once } from 'node:events';
import type { Command } from 'commander';
import {
  exitCodesHelp,
  type Io,
  parseJsonFile,
  readText,
  UsageError,
  wholeNumber,
  write,
} from 'context-shaping/cli';
import { isObject, type JsonObject, nearest } from 'context-shaping/kit';
import type { ServiceOptions } from '../http/options.js';
import { withSetupFlag } from './setup-flags.js';

const HELP = `
Serves POST /v1/shape (the input of context-shaping shape) and POST /v1/optimize (the contract of SlimContext);
GET /openapi.json describes both. The operational endpoints are GET /health, /ready and /metrics. The service logs JSON
lines on standard output, never texts or questions. On SIGTERM or Ctrl-C it finishes the accepted requests and exits
with 0.

The --config file holds the options of createService as JSON; flags override it:
  { "port": 8000, "workers": 4, "maxQueue": 64 }

Environment:
  CONTEXT_SHAPING_API_KEYS  NAME:SHA256,… of the accepted API keys; if empty, no key is required. To make one:
    $ KEY=$(openssl rand -hex 32)
    $ echo "NAME:$(printf %s "$KEY" | sha256sum | cut -d ' ' -f 1)"
  Clients send the key itself, as "Authorization: Bearer KEY" or as "X-API-Key: KEY".

Examples:
  $ context-shaping-server serve
  $ context-shaping-server serve --host 0.0.0.0
  $ context-shaping-server serve --setup setup.js   # export default { embedder, options: { budget: { maxTokens: 1500 } } }
`;

export function addServe(program: Command, io: Io): void {
  withSetupFlag(
    program
      .command('serve', { isDefault: true })
      .summary('serve shaping over HTTP; the default')
      .description('Serves shaping over HTTP, on all cores, until it is stopped.')
      .option('--host <address>', 'address to listen on; absent: 127.0.0.1')
      .option('--port <number>', 'port to listen on; absent: 8000', wholeNumber)
      .option('--workers <count>', 'worker threads; absent: one per core', wholeNumber)
      .option('--config <file>', 'JSON file of options'),
  )
    .addHelpText('after', HELP + exitCodesHelp)
    .allowExcessArguments()
    .action((_flags, command: Command) => {
      const [unknown] = command.args;
      if (unknown === undefined) return serveCommand(command.optsWithGlobals<ServeFlags>(), io);
      const [like] = nearest(
        unknown,
        program.commands.map((each) => each.name()),
      );
      const end = like === undefined ? 'context-shaping-server --help lists them' : `Did you mean ${like}?`;
      throw new UsageError(`There is no command ${unknown}. ${end}`);
    });
}

interface ServeFlags extends Pick<ServiceOptions, 'host' | 'port' | 'workers'> {
  config?: string;
  setup?: string;
  /** A flag of the program, no option of the service. */
  verbose?: boolean;
}

/** Resolves after a stop signal, when all accepted requests are finished. */
async function serveCommand({ config, verbose: _, ...flags }: ServeFlags, io: Io): Promise<void> {
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
