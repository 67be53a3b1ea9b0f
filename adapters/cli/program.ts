/** The commands with their flags and help texts. */

import { type Command, Option } from 'commander';
import {
  type CalibrateFlags,
  calibrateCommand,
  METHODS,
} from '../../packages/devtools/src/cli/calibrate-command.js';
import { addEvaluate } from '../../packages/devtools/src/cli/evaluate-program.js';
import {
  EXPLAIN_FORMATS,
  type ExplainFlags,
  explainCommand,
} from '../../packages/devtools/src/cli/explain-command.js';
import { addInspect } from '../../packages/devtools/src/cli/inspect-program.js';
import { addLockfileCommands } from '../../packages/devtools/src/cli/lockfile-program.js';
import { addHook } from '../../packages/mcp/src/hook/program.js';
import { DEFAULT_FETCH, type DemoFlags, demoCommand } from './demo-command.js';
import { exitCodesHelp, UsageError } from './errors.js';
import { wholeNumber, withShapeFlags } from './flags.js';
import { newProgram, withHelpAfterErrors } from './run.js';
import { FORMATS, type ShapeFlags, shapeCommand } from './shape-command.js';
import type { Io } from './terminal.js';

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
A flag overrides the same option in the input. All options: docs/reference/options.md in the package.

Formats:
  table  kept and evicted chunks with reasons
  json   { chunks, report }; the default in a pipe
  text   the kept texts, separated by blank lines, for a prompt
  jsonl  the report as JSON lines, for a log
On a terminal, the default is one screen: the context, texts that differ, the chunks left out, and the closest miss.

Examples:
  $ context-shaping shape retrieved.json --budget 1500
  $ retrieve "What does it cost?" | context-shaping shape --format text | llm
  $ context-shaping shape retrieved.json --format jsonl | jq 'select(.event == "evicted")'
${exitCodesHelp}`;

const EXPLAIN_HELP = `
FILE is one of these:
  the input of context-shaping shape  it is shaped first; then everything below is found by shaping again
  a context lockfile with texts       the same, with the recorded answers of services
  { chunks, report } or a report      without texts, nothing can be shaped again: only the report is explained
  -                                   standard input, with one of these

For each ID: the reason and the smallest change that brings the chunk back, its place among all chunks, the chunks that
had an advantage, limits that bind together, and other changes: a pin, or the absence of another chunk. Every value of
budget.maxTokens, k, select.lambda and cluster.maxPerCluster is run; --verbose lists those that keep it, and the figures.
Without an ID: the first line for each evicted chunk.

Examples:
  $ context-shaping-devtools explain retrieved.json guide-3 --budget 1500
  $ context-shaping-devtools explain retrieved.json --k 8
  $ context-shaping shape retrieved.json | context-shaping-devtools explain - guide-3
${exitCodesHelp}`;

const DEMO_HELP = `
Searches Markdown for a question, over-fetches, shapes, and shows the context for a model on one screen. The
retriever is the word relevance of the library. Uses no network, no key, no model and no framework.

The searched Markdown:
  without arguments       a made-up manual that comes with the package, with a question about it
  QUESTION                the current folder if its Markdown has at least --fetch chunks, else that manual
  FOLDER                  that folder; the question is one of its headings
  FOLDER QUESTION         that folder

A single argument is FOLDER if a folder of this name exists. Otherwise it is QUESTION. It is an error if there is no such
folder and the argument has neither a space nor a question mark, or begins like a path (./ ../ / ~). Folders below FOLDER
that are named node_modules or begin with a dot are left out, and so are licences and change logs.

Examples:
  $ context-shaping demo
  $ context-shaping demo "What happens to a lost parcel?" --budget 400
  $ context-shaping demo docs "How are failed requests retried?"
${exitCodesHelp}`;

const CALIBRATE_HELP = `
Ranks the passages of labelled questions with a model (Entropic Context Shaping) and without: by
relevance and by BM25. Prints the quality of the rankings, and writes a profile that says whether the
model ranks better by more than chance. Without such a profile the option ecs does not let a model
outrank relevance.

The data has one question per line: at least 20, and at least 60 for trust. Use your own questions,
with passages that your retriever found. Each question needs a relevant and an irrelevant passage:
  {"question": "…", "answer": "…", "passages": [{"text": "…", "relevant": true}, …]}
The method answer requires an answer for every question; relevance and BM25 may then search for the
answer too. A passage may have the "score" of the retriever: if all have one, the passages count as a
ranked list. "context" may list texts that the model reads with every passage.

The default export of the --setup module is the options of your shaper, or a function that returns them. A profile
holds for the options with which it was measured, so give the module that your program uses:
  import { ollamaModel } from 'context-shaping/logprobs';
  export default { ecs: { model: ollamaModel({ model: 'qwen3:4b' }) } };
ecs, embedder, ranked, relevance and tokenizer count. If ecs.share or ecs.maxCandidates is absent, the value that ranks
best is found and written. A judge, such as a reranker, is ecs.judge.

Methods:
  answer            how much a passage raises the probability of the right answer
  expected-utility  the same, with answers that the model itself considers possible
  judge             whether the model says that the passage helps
  trajectory        how much the passage changes the text that the model would write

Examples:
  $ context-shaping calibrate --setup shaping.js --data labelled.jsonl --method answer
  $ context-shaping calibrate --setup shaping.js --data labelled.jsonl --to profile.json
${exitCodesHelp}`;

const REPORT_FLAG = 'also print the tables of the report, with a line for each chunk';
const SAVE_FLAG = 'save the run in a file for explain, inspect, replay and diff';

/** Commands of other packages, which have dependencies of their own. */
const OTHER_PACKAGES = [
  { name: 'context-shaping-server', names: ['serve', 'batch', 'worker'] },
  { name: 'context-shaping-mcp', names: ['mcp'] },
];

const MORE_HELP = `${exitCodesHelp}

context-shaping shape --help describes the input. To start, run context-shaping demo.

Other packages:
  npx context-shaping-server   serves shaping over HTTP; shapes files of many retrieval results
  npx context-shaping-mcp      shapes the results of an MCP server, as a proxy before it`;

/** The program. It throws where commander would exit, and writes to the streams of `io`. */
export function makeProgram(io: Io): Command {
  const description = 'Shapes retrieval results into the best evidence that fits a token budget.';
  const program = newProgram('context-shaping', description, io).addHelpText('after', MORE_HELP);

  withShapeFlags(program.command('shape'))
    .summary('shape the chunks of a retriever to a token budget')
    .description(
      'Reads a question and retrieved chunks as JSON; writes the chunks to keep and a report on all chunks.',
    )
    .argument('[file]', 'JSON file; absent or -: standard input')
    .addOption(new Option('--format <name>', 'output format').choices(FORMATS))
    .option('--report', REPORT_FLAG)
    .option('--save <file>', SAVE_FLAG)
    .addHelpText('after', SHAPE_HELP)
    .action((file: string | undefined, _flags, command: Command) =>
      shapeCommand(file, command.optsWithGlobals<ShapeFlags>(), io),
    );

  withShapeFlags(program.command('explain'))
    .summary('say why a chunk was evicted, and what would bring it back')
    .description('Says what became of chunks, and what would change it.')
    .argument('<file>', 'JSON file; -: standard input')
    .argument('[ids...]', 'ids of chunks; absent: all evicted ones, briefly')
    .addOption(new Option('--format <name>', 'output format').choices(EXPLAIN_FORMATS))
    .addHelpText('after', EXPLAIN_HELP)
    .action((file: string, ids: string[], _flags, command: Command) =>
      explainCommand(file, ids, command.optsWithGlobals<ExplainFlags>(), io),
    );

  program
    .command('demo')
    .summary('search Markdown for a question, and shape the result')
    .description('Retrieves too many chunks of Markdown, shapes them, and shows the context.')
    .argument('[folder]', 'folder of Markdown files')
    .argument('[question]', 'the question, in quotes')
    .allowExcessArguments()
    .option('--fetch <count>', 'number of chunks to retrieve', wholeNumber, DEFAULT_FETCH)
    .option('--budget <tokens>', 'maximum tokens to keep', wholeNumber, 1500)
    .option('-k, --k <count>', 'maximum chunks to keep', wholeNumber)
    .addOption(new Option('--format <name>', 'output format; absent: one screen').choices(FORMATS))
    .option('--report', REPORT_FLAG)
    .option('--save <file>', SAVE_FLAG)
    .addHelpText('after', DEMO_HELP)
    .action((_folder, _question, _flags, command: Command) =>
      demoCommand(command.args, command.optsWithGlobals<DemoFlags>(), io),
    );

  addHook(program, io);
  addInspect(program, io);

  program
    .command('calibrate')
    .summary('measure whether a model ranks chunks better than relevance')
    .description('Measures on labelled questions whether a model ranks passages better than words do.')
    .requiredOption('--data <file>', 'labelled questions, as JSON lines')
    .requiredOption('--setup <module>', 'module whose default export is the options of your shaper')
    .addOption(
      new Option('--method <names...>', 'methods to measure; absent: all that the data allow').choices(
        METHODS,
      ),
    )
    .option('--to <file>', 'file for the profile; -: standard output', 'ecs-profile.json')
    .addHelpText('after', CALIBRATE_HELP)
    .action((_flags, command: Command) => calibrateCommand(command.optsWithGlobals<CalibrateFlags>(), io));

  addEvaluate(program, io);
  addLockfileCommands(program, io);
  for (const { names, name } of OTHER_PACKAGES) {
    for (const command of names) {
      program
        .command(command, { hidden: true })
        .allowUnknownOption()
        .allowExcessArguments()
        .helpOption(false)
        .action(() => {
          const call = names.length > 1 ? `${name} ${command}` : name;
          throw new UsageError(
            `${command} is in the package ${name}. Run npx ${call} with the same arguments (to install it: npm install ${name})`,
          );
        });
    }
  }
  return withHelpAfterErrors(program);
}
