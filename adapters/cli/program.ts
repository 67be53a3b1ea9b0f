/** The commands with their flags and help texts. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { type CalibrateFlags, calibrateCommand, METHODS } from './calibrate-command.js';
import { DEFAULT_QUESTION, type DemoFlags, demoCommand } from './demo-command.js';
import { CHOICES, wholeNumber } from './flags.js';
import { PROVIDERS } from './open-model.js';
import { DEFAULT_ENDPOINT, type PullFlags, pullCommand } from './pull-command.js';
import { addReviews } from './reviews-program.js';
import { type ServeFlags, serveCommand } from './serve-command.js';
import { FORMATS, type ShapeFlags, shapeCommand } from './shape-command.js';
import type { Io } from './terminal.js';

const EXIT_CODES = `
Exit codes:
  0    success
  1    failure outside the input, such as a server that is down; --verbose shows details
  2    wrong arguments or input; the message names the place
  130  interrupted`;

const SHAPE_HELP = `
The input is JSON (only query and chunks are required):
  {
    "query": "What does it cost?",
    "queryEmbedding": [0.1, 0.2],
    "chunks": [
      { "id": "a", "text": "It costs 5 euros.", "score": 12.3,
        "embedding": [0.3, 0.4], "metadata": { "source": "prices.md" } }
    ],
    "options": { "k": 8, "budget": { "maxTokens": 1500 }, "order": "edges-first" }
  }
A flag overrides the same option in the input. The README lists all options (section Options).

Formats:
  table  kept and evicted chunks with reasons; the default on a terminal
  json   { chunks, report }; the default in a pipe
  text   the kept texts, separated by blank lines, for a prompt
  jsonl  the report as JSON lines, for a log

Examples:
  $ context-shaping shape retrieved.json --budget 1500
  $ retrieve "What does it cost?" | context-shaping shape --format text | llm
  $ context-shaping shape retrieved.json --format jsonl | jq 'select(.event == "evicted")'
${EXIT_CODES}`;

const DEMO_HELP = `
Searches the Markdown documentation in node_modules with LangChain's BM25Retriever, shapes the results,
and shows kept and evicted chunks with reasons. Uses no network, no key and no model.

Examples:
  $ context-shaping demo
  $ context-shaping demo "How are failed requests retried?" --budget 800
${EXIT_CODES}`;

const PULL_HELP = `
Downloads config.json, tokenizer.json and model.safetensors of a model in model2vec format (static
embeddings, which need no language model and no service). loadStaticEmbedder of context-shaping/embeddings
loads the folder. Existing files with these names are replaced if they differ from the hub's.
An interrupted download continues when you run the command again.

Environment:
  HF_ENDPOINT  address of the hub, if --endpoint is absent
  HF_TOKEN     token for private models; sent to the hub only

Examples:
  $ context-shaping pull minishlab/potion-base-8M
  $ context-shaping pull minishlab/potion-base-8M --to ./model --revision main
${EXIT_CODES}`;

const CALIBRATE_HELP = `
Ranks the passages of labelled questions twice: by words only, and with a model (Entropic Context
Shaping). Prints the quality of both rankings, and writes a profile that says whether the model ranks
better by more than chance. Without such a profile the option ecs does not let a model outrank relevance.

The data has one question per line, at least 20. Use your own questions, with passages that your
retriever found. Each question needs at least one relevant and one irrelevant passage:
  {"question": "…", "answer": "…", "passages": [{"text": "…", "relevant": true}, …]}
The method answer requires an answer for every question. A passage may have the "score" of the
retriever; "context" may list texts that the model reads with every passage.

Methods:
  answer            how much a passage raises the probability of the right answer
  expected-utility  the same, with answers that the model itself considers possible
  judge             whether the model says that the passage helps
  trajectory        how much the passage changes the text that the model would write

Providers, their required flags, and the variable for a key:
  llama-server    --base-url                    LLAMA_API_KEY
  openai          --base-url with /v1, --model  OPENAI_API_KEY   vLLM and other servers that score texts
  ollama          --model                                        OLLAMA_HOST may set the address
  node-llama-cpp  --model FILE.gguf                              runs in this process
  gguf            --model FILE.gguf                              runs in plain TypeScript: slow
Keys are sent to --base-url only.

Examples:
  $ context-shaping calibrate --base-url http://127.0.0.1:8080 --data labelled.jsonl --method answer
  $ context-shaping calibrate --provider ollama --model qwen3:4b --data labelled.jsonl
  $ context-shaping calibrate --provider openai --base-url http://127.0.0.1:8000/v1 --model MODEL \\
      --data labelled.jsonl
  $ context-shaping calibrate --model model.gguf --data labelled.jsonl --to profile.json
${EXIT_CODES}`;

const SERVE_HELP = `
Serves POST /v1/shape (the input of context-shaping shape) and POST /v1/optimize (the contract of SlimContext);
GET /docs documents both. The operational endpoints are GET /health, /ready and /metrics. The service logs JSON
lines on standard output, never texts or questions. On SIGTERM or Ctrl-C it finishes the accepted requests and
exits with 0.

The --config file holds the options of createService as JSON; flags override it:
  { "port": 8000, "workers": 4, "rateLimit": { "max": 600 }, "cors": ["https://example.com"] }

Environment:
  CONTEXT_SHAPING_API_KEYS  NAME:SHA256,… of the accepted API keys; if empty, no key is required. To make one:
    $ KEY=$(openssl rand -hex 32)
    $ echo "NAME:$(printf %s "$KEY" | sha256sum | cut -d ' ' -f 1)"
  Clients send the key itself, as "Authorization: Bearer KEY" or as "X-API-Key: KEY".

Examples:
  $ context-shaping serve
  $ context-shaping serve --host 0.0.0.0 --embedder models/minishlab/potion-base-8M
  $ context-shaping serve --setup setup.js   # export default { embedder, options: { budget: { maxTokens: 1500 } } }
${EXIT_CODES}`;

/** The program. It throws where commander would exit, and writes to the streams of `io`. */
export function makeProgram(io: Io): Command {
  const program = new Command('context-shaping')
    .description('Shapes retrieval results into the smallest context that still answers the question.')
    .version(version())
    .option('--verbose', 'show progress, and details of errors')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      outputError: (text, writeErr) => writeErr(text.replace(/^error: /, 'context-shaping: ')),
    })
    .showHelpAfterError('context-shaping --help lists commands and flags.')
    .exitOverride()
    .addHelpText(
      'after',
      `${EXIT_CODES}\n\ncontext-shaping shape --help describes the input. To start, run context-shaping demo.`,
    );

  program
    .command('shape')
    .summary('shape a retrieval result into a token budget')
    .description(
      'Reads a question and retrieved chunks as JSON; writes the chunks to keep and a report on all chunks.',
    )
    .argument('[file]', 'JSON file; absent or -: standard input')
    .option('--query <text>', 'the question; overrides the one in the input')
    .option('--budget <tokens>', 'maximum tokens to keep (option budget.maxTokens)', wholeNumber)
    .option('--reserve <tokens>', 'tokens of the budget to leave free (option budget.reserve)', wholeNumber)
    .option('-k, --k <count>', 'maximum chunks to keep (option k)', wholeNumber)
    .addOption(new Option('--preset <name>', 'named set of option values').choices(CHOICES.preset))
    .addOption(new Option('--order <name>', 'order of the result').choices(CHOICES.order))
    .addOption(new Option('--tokenizer <name>', 'how to count tokens').choices(CHOICES.tokenizer))
    .addOption(new Option('--format <name>', 'output format').choices(FORMATS))
    .addHelpText('after', SHAPE_HELP)
    .action((file: string | undefined, _flags, command: Command) =>
      shapeCommand(file, command.optsWithGlobals<ShapeFlags>(), io),
    );

  program
    .command('demo')
    .summary('try it on documentation that is already installed')
    .description(
      'Retrieves too many chunks from the documentation in node_modules, shapes them, and shows the report.',
    )
    .argument('[question]', 'the question', DEFAULT_QUESTION)
    .option('--fetch <count>', 'number of chunks to retrieve', wholeNumber, 60)
    .option('--budget <tokens>', 'maximum tokens to keep', wholeNumber, 1500)
    .option('-k, --k <count>', 'maximum chunks to keep', wholeNumber)
    .addOption(new Option('--format <name>', 'output format; absent: a page for people').choices(FORMATS))
    .addHelpText('after', DEMO_HELP)
    .action((question: string, _flags, command: Command) =>
      demoCommand(question, command.optsWithGlobals<DemoFlags>(), io),
    );

  program
    .command('pull')
    .summary('download a static embedding model')
    .description('Downloads a model in model2vec format from a hub into a folder, and checks it.')
    .argument('<model>', 'OWNER/MODEL')
    .option('--to <folder>', 'target folder; absent: models/OWNER/MODEL')
    .option('--revision <name>', 'branch, tag or commit', 'main')
    .option('--endpoint <url>', `address of the hub; absent: HF_ENDPOINT or ${DEFAULT_ENDPOINT}`)
    .addHelpText('after', PULL_HELP)
    .action((model: string, _flags, command: Command) =>
      pullCommand(model, command.optsWithGlobals<PullFlags>(), io),
    );

  program
    .command('calibrate')
    .summary('measure whether a model may outrank relevance')
    .description('Measures on labelled questions whether a model ranks passages better than words do.')
    .requiredOption('--data <file>', 'labelled questions, as JSON lines')
    .addOption(
      new Option(
        '--provider <name>',
        'engine that runs the model; absent: llama-server, or node-llama-cpp for a .gguf file',
      ).choices(PROVIDERS),
    )
    .option('--model <name>', 'name of the model at the provider, or a .gguf file')
    .option('--base-url <url>', 'address of the server')
    .addOption(
      new Option('--method <names...>', 'methods to measure; absent: all that the data allow').choices(
        METHODS,
      ),
    )
    .option('--to <file>', 'file for the profile; -: standard output', 'ecs-profile.json')
    .addHelpText('after', CALIBRATE_HELP)
    .action((_flags, command: Command) => calibrateCommand(command.optsWithGlobals<CalibrateFlags>(), io));

  program
    .command('serve')
    .summary('serve shaping over HTTP')
    .description('Serves shaping over HTTP, on all cores, until it is stopped.')
    .option('--host <address>', 'address to listen on; absent: 127.0.0.1')
    .option('--port <number>', 'port to listen on; absent: 8000', wholeNumber)
    .option('--workers <count>', 'worker threads; absent: one per core', wholeNumber)
    .option('--config <file>', 'JSON file of options')
    .addOption(
      new Option('--setup <module>', 'module whose default export is { embedder, options }').conflicts(
        'embedder',
      ),
    )
    .option('--embedder <folder>', 'static embedding model that context-shaping pull downloaded')
    .option('--report-log <file>', 'file for the reports of all requests, with their questions')
    .addHelpText('after', SERVE_HELP)
    .action((_flags, command: Command) => serveCommand(command.optsWithGlobals<ServeFlags>(), io));

  addReviews(program, io, EXIT_CODES);
  return program;
}

/** From the package's own package.json. It is fewer folders up in the sources than in a build. */
function version(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const found = nameAndVersion(join(folder, 'package.json'));
    if (found?.name === 'context-shaping') return found.version;
    const parent = dirname(folder);
    if (parent === folder) return 'unknown';
    folder = parent;
  }
}

function nameAndVersion(file: string): { name?: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version: string };
  } catch {
    return undefined;
  }
}
