/** The commands with their flags and help texts. */

import { type Command, Option } from 'commander';
import { DEFAULT_FETCH, type DemoFlags, demoCommand } from './demo-command.js';
import { exitCodesHelp, UsageError } from './errors.js';
import { wholeNumber, withShapeFlags } from './flags.js';
import { newProgram, withHelpAfterErrors } from './run.js';
import { FORMATS, type ShapeFlags, shapeCommand } from './shape-command.js';
import type { Io } from './terminal.js';

export { start } from './run.js';

const SHAPE_HELP = `
The input is JSON (only query and chunks are required; query may be a text alone):
  {
    "query": { "text": "What does it cost?", "embedding": [0.1, 0.2] },
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

const DEMO_HELP = `
Searches Markdown for a question, over-fetches, shapes, and shows the context for a model on one screen. The
retriever is the word relevance of the library. Uses no network, no key, no model and no framework.

With a question alone, it searches a made-up manual that comes with the package. Folders below FOLDER that are
named node_modules or begin with a dot are left out, and so are licences and change logs.

Examples:
  $ context-shaping demo
  $ context-shaping demo "What happens to a lost parcel?" --budget 400
  $ context-shaping demo docs "How are failed requests retried?"
${exitCodesHelp}`;

const SAVE_FLAG =
  'save the question, the chunks and the options in a file for shape, and for explain, inspect and record of context-shaping-devtools';

/** The commands of `context-shaping-devtools`. */
export const DEVTOOLS = ['explain', 'inspect', 'evaluate', 'record', 'replay', 'diff'];

/** Commands of other packages, which have dependencies of their own. */
const OTHER_PACKAGES = [
  { name: 'context-shaping-devtools', names: DEVTOOLS },
  { name: 'context-shaping-server', names: ['serve', 'batch', 'worker'] },
  { name: 'context-shaping-mcp', names: ['mcp', 'hook'] },
];

const MORE_HELP = `${exitCodesHelp}

context-shaping shape --help describes the input. To start, run context-shaping demo.

Other packages:
  npx context-shaping-devtools explains, inspects, measures and records contexts
  npx context-shaping-server   serves shaping over HTTP; shapes files of many retrieval results
  npx context-shaping-mcp      shapes results of MCP servers, as a proxy before them, and of tools, as a hook`;

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
    .option('--save <file>', SAVE_FLAG)
    .addHelpText('after', SHAPE_HELP)
    .action((file: string | undefined, _flags, command: Command) =>
      shapeCommand(file, command.optsWithGlobals<ShapeFlags>(), io),
    );

  program
    .command('demo')
    .summary('search Markdown for a question, and shape the result')
    .description('Retrieves too many chunks of Markdown, shapes them, and shows the context.')
    .argument('[folder]', 'folder of Markdown files')
    .argument('[question]', 'the question, in quotes')
    .option('--fetch <count>', 'number of chunks to retrieve', wholeNumber, DEFAULT_FETCH)
    .option('--budget <tokens>', 'maximum tokens to keep', wholeNumber, 1500)
    .option('-k, --k <count>', 'maximum chunks to keep', wholeNumber)
    .addOption(new Option('--format <name>', 'output format; absent: one screen').choices(FORMATS))
    .option('--save <file>', SAVE_FLAG)
    .addHelpText('after', DEMO_HELP)
    .action((_folder, _question, _flags, command: Command) =>
      demoCommand(command.args, command.optsWithGlobals<DemoFlags>(), io),
    );

  for (const { names, name } of OTHER_PACKAGES) {
    for (const command of names) {
      program
        .command(command, { hidden: true })
        .allowUnknownOption()
        .allowExcessArguments()
        .helpOption(false)
        .action(() => {
          const call = command === 'mcp' ? name : `${name} ${command}`;
          throw new UsageError(
            `${command} is in the package ${name}. Run npx ${call} with the same arguments (to install it: npm install ${name})`,
          );
        });
    }
  }
  return withHelpAfterErrors(program);
}
