/** `context-shaping-server serve` with its flags and help text. */
import type { Command } from 'commander';
import { exitCodesHelp, type Io, UsageError, wholeNumber } from 'context-shaping/cli';
import { nearest } from 'context-shaping/kit';
import { type ServeFlags, serveCommand } from './serve.js';
import { withSetupFlags } from './setup-flags.js';

const HELP = `
Serves POST /v1/shape (the input of context-shaping shape) and POST /v1/optimize (the contract of SlimContext);
GET /openapi.json describes both. The operational endpoints are GET /health, /ready and /metrics. The service logs JSON
lines on standard output, never texts or questions. On SIGTERM or Ctrl-C it finishes the accepted requests and exits
with 0.

The --config file holds the options of createService as JSON; flags override it:
  { "port": 8000, "workers": 4, "rateLimit": { "max": 600 } }

Environment:
  CONTEXT_SHAPING_API_KEYS  NAME:SHA256,… of the accepted API keys; if empty, no key is required. To make one:
    $ KEY=$(openssl rand -hex 32)
    $ echo "NAME:$(printf %s "$KEY" | sha256sum | cut -d ' ' -f 1)"
  Clients send the key itself, as "Authorization: Bearer KEY" or as "X-API-Key: KEY".

Examples:
  $ context-shaping-server serve
  $ context-shaping-server serve --host 0.0.0.0 --embedder models/minishlab/potion-base-8M
  $ context-shaping-server serve --setup setup.js   # export default { embedder, options: { budget: { maxTokens: 1500 } } }
`;

export function addServe(program: Command, io: Io): void {
  withSetupFlags(
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
