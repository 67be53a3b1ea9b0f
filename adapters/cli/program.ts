/** The commands, their flags and their help. */
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
  0    fine
  1    failed for a reason that is not in the input; --verbose says more
  2    the call or the input is wrong; the message says where
  130  interrupted`;

const SHAPE_HELP = `
The body, as JSON (only query and chunks are needed):
  {
    "query": "What does it cost?",
    "queryEmbedding": [0.1, 0.2],
    "chunks": [
      { "id": "a", "text": "It costs 5 euros.", "score": 12.3,
        "embedding": [0.3, 0.4], "metadata": { "source": "prices.md" } }
    ],
    "options": { "k": 8, "budget": { "maxTokens": 1500 }, "order": "edges-first" }
  }
A flag goes over the same option of the body. Every option is listed in the README, section Options.

Formats:
  table  what stayed, what went and why; the default on a terminal
  json   { chunks, report }; the default in a pipe
  text   the kept texts with blank lines between them, to go into a prompt
  jsonl  the report as JSON lines, for a log

Examples:
  $ context-shaping shape retrieved.json --budget 1500
  $ retrieve "What does it cost?" | context-shaping shape --format text | llm
  $ context-shaping shape retrieved.json --format jsonl | jq 'select(.event == "evicted")'
${EXIT_CODES}`;

const DEMO_HELP = `
Searches the Markdown documentation in node_modules with LangChain's BM25Retriever, shapes what it finds,
and shows what stayed, what went and why. No network, no key, no model.

Examples:
  $ context-shaping demo
  $ context-shaping demo "How are failed requests retried?" --budget 800
${EXIT_CODES}`;

const PULL_HELP = `
Fetches config.json, tokenizer.json and model.safetensors of a model of the model2vec format (static
embeddings: no language model, no service), for loadStaticEmbedder of context-shaping/embeddings. Files of
these names in the folder are replaced if they are others. A download that was interrupted goes on where it
stopped; what is there already is only checked.

Environment:
  HF_ENDPOINT  address of the hub, where --endpoint gives none
  HF_TOKEN     token for private models; it is sent to that address alone

Examples:
  $ context-shaping pull minishlab/potion-base-8M
  $ context-shaping pull minishlab/potion-base-8M --to ./model --revision main
${EXIT_CODES}`;

const CALIBRATE_HELP = `
Ranks the passages of labelled questions by words alone, and with what a model makes of them
(Entropic Context Shaping); prints how well both do, and writes down whether the model does better
by more than chance. Without such a profile, ecs does not let a model outrank relevance.

The data, one question a line, at least 20; best your own, with passages as your retriever
finds them, of which at least one is relevant and one is not:
  {"question": "…", "answer": "…", "passages": [{"text": "…", "relevant": true}, …]}
The method answer needs an answer to every question. Passages may have the "score" that the
retriever gave them; "context" may list texts that the model gets with every passage.

Methods:
  answer            what a passage does to the model’s belief in the right answer
  expected-utility  the same, with answers that the model itself thinks possible
  judge             whether the model says that the passage helps
  trajectory        how far the passage changes what the model would write

Providers, what they need, and the variable that may hold a key:
  llama-server    --base-url                    LLAMA_API_KEY
  openai          --base-url with /v1, --model  OPENAI_API_KEY   vLLM and others that score texts
  ollama          --model                                        OLLAMA_HOST may say where it is
  node-llama-cpp  --model FILE.gguf                              in this process
  gguf            --model FILE.gguf                              the same in plain TypeScript: slow
Keys are sent to --base-url alone.

Examples:
  $ context-shaping calibrate --base-url http://127.0.0.1:8080 --data labelled.jsonl --method answer
  $ context-shaping calibrate --provider ollama --model qwen3:4b --data labelled.jsonl
  $ context-shaping calibrate --provider openai --base-url http://127.0.0.1:8000/v1 --model MODEL \\
      --data labelled.jsonl
  $ context-shaping calibrate --model model.gguf --data labelled.jsonl --to profile.json
${EXIT_CODES}`;

const SERVE_HELP = `
Answers POST /v1/shape (the body of context-shaping shape) and POST /v1/optimize (the contract of SlimContext);
GET /docs shows both. GET /health, /ready and /metrics are for those who run it. It logs JSON lines on standard
output, never texts or questions. SIGTERM and Ctrl-C let it finish what it has accepted; then it leaves with 0.

The file of --config holds options of createService as JSON, flags go over it:
  { "port": 8000, "workers": 4, "rateLimit": { "max": 600 }, "cors": ["https://example.com"] }

Environment:
  CONTEXT_SHAPING_API_KEYS  NAME:SHA256,… of the keys that may ask; without any, everybody may. To make one:
    $ KEY=$(openssl rand -hex 32)
    $ echo "NAME:$(printf %s "$KEY" | sha256sum | cut -d ' ' -f 1)"
  Callers send the key itself, as "Authorization: Bearer KEY" or as "X-API-Key: KEY".

Examples:
  $ context-shaping serve
  $ context-shaping serve --host 0.0.0.0 --embedder models/minishlab/potion-base-8M
  $ context-shaping serve --setup setup.js   # export default { embedder, options: { budget: { maxTokens: 1500 } } }
${EXIT_CODES}`;

/** The program. It throws where commander would exit, and writes where `io` says. */
export function makeProgram(io: Io): Command {
  const program = new Command('context-shaping')
    .description('Shapes retrieval results into the smallest context that still answers the question.')
    .version(version())
    .option('--verbose', 'say more about what goes on and what goes wrong')
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
      `${EXIT_CODES}\n\ncontext-shaping shape --help describes the input. Start with context-shaping demo.`,
    );

  program
    .command('shape')
    .summary('shape a retrieval result into a token budget')
    .description(
      'Reads a question and retrieved chunks as JSON; writes the chunks worth keeping and what became of the rest.',
    )
    .argument('[file]', 'JSON file; without one, or with -, standard input')
    .option('--query <text>', 'the question, instead of the body’s')
    .option('--budget <tokens>', 'the most tokens to keep (option budget.maxTokens)', wholeNumber)
    .option('--reserve <tokens>', 'how many of them to leave free (option budget.reserve)', wholeNumber)
    .option('-k, --k <count>', 'the most chunks to keep (option k)', wholeNumber)
    .addOption(new Option('--preset <name>', 'option values to start from').choices(CHOICES.preset))
    .addOption(new Option('--order <name>', 'order of the result').choices(CHOICES.order))
    .addOption(new Option('--tokenizer <name>', 'how tokens are counted').choices(CHOICES.tokenizer))
    .addOption(new Option('--format <name>', 'what to write').choices(FORMATS))
    .addHelpText('after', SHAPE_HELP)
    .action((file: string | undefined, _flags, command: Command) =>
      shapeCommand(file, command.optsWithGlobals<ShapeFlags>(), io),
    );

  program
    .command('demo')
    .summary('see it work on documentation that is already here')
    .description(
      'Retrieves too much from the documentation in node_modules, shapes it, and shows the ledger.',
    )
    .argument('[question]', 'what to look for', DEFAULT_QUESTION)
    .option('--fetch <count>', 'how many chunks to retrieve', wholeNumber, 60)
    .option('--budget <tokens>', 'the most tokens to keep', wholeNumber, 1500)
    .option('-k, --k <count>', 'the most chunks to keep', wholeNumber)
    .addOption(new Option('--format <name>', 'what to write; without it, a page to read').choices(FORMATS))
    .addHelpText('after', DEMO_HELP)
    .action((question: string, _flags, command: Command) =>
      demoCommand(question, command.optsWithGlobals<DemoFlags>(), io),
    );

  program
    .command('pull')
    .summary('fetch a static embedding model')
    .description('Fetches a model of the model2vec format from a hub into a folder, and checks it.')
    .argument('<model>', 'OWNER/MODEL')
    .option('--to <folder>', 'where to put it; without it, models/OWNER/MODEL')
    .option('--revision <name>', 'branch, tag or commit', 'main')
    .option('--endpoint <url>', `address of the hub; without it, HF_ENDPOINT or ${DEFAULT_ENDPOINT}`)
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
        'what runs the model; without it, llama-server, or node-llama-cpp for a .gguf file',
      ).choices(PROVIDERS),
    )
    .option('--model <name>', 'its name there, or a .gguf file')
    .option('--base-url <url>', 'address of the server')
    .addOption(
      new Option(
        '--method <names...>',
        'what to measure; without it, all methods that the data allow',
      ).choices(METHODS),
    )
    .option('--to <file>', 'where to write the profile; - for standard output', 'ecs-profile.json')
    .addHelpText('after', CALIBRATE_HELP)
    .action((_flags, command: Command) => calibrateCommand(command.optsWithGlobals<CalibrateFlags>(), io));

  program
    .command('serve')
    .summary('shape over HTTP')
    .description('Serves shaping over HTTP, on all cores, until it is told to end.')
    .option('--host <address>', 'address to listen on; without it, 127.0.0.1')
    .option('--port <number>', 'port to listen on; without it, 8000', wholeNumber)
    .option('--workers <count>', 'threads that shape; without it, one per core', wholeNumber)
    .option('--config <file>', 'JSON file of options')
    .addOption(
      new Option(
        '--setup <module>',
        'module whose default export has the embedder and options of this service',
      ).conflicts('embedder'),
    )
    .option('--embedder <folder>', 'static embedding model, as context-shaping pull fetches it')
    .option('--report-log <file>', 'write the report of every request there, with its question')
    .addHelpText('after', SERVE_HELP)
    .action((_flags, command: Command) => serveCommand(command.optsWithGlobals<ServeFlags>(), io));

  addReviews(program, io, EXIT_CODES);
  return program;
}

/** From the package's own package.json, which is at another depth in the sources than in a build. */
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
