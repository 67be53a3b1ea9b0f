/** `context-shaping-devtools`: its commands with their flags and help texts. */
import { type Command, Option } from 'commander';
import { exitCodesHelp, type Io, newProgram, withHelpAfterErrors, withShapeFlags } from 'context-shaping/cli';
import { type CalibrateFlags, calibrateCommand, METHODS } from './cli/calibrate-command.js';
import { addEvaluate } from './cli/evaluate-program.js';
import { EXPLAIN_FORMATS, type ExplainFlags, explainCommand } from './cli/explain-command.js';
import { addInspect } from './cli/inspect-program.js';
import { addLockfileCommands } from './cli/lockfile-program.js';

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
  $ context-shaping-devtools calibrate --setup shaping.js --data labelled.jsonl --method answer
  $ context-shaping-devtools calibrate --setup shaping.js --data labelled.jsonl --to profile.json
${exitCodesHelp}`;

/** The program. It throws where commander would exit, and writes to the streams of `io`. */
export function makeProgram(io: Io): Command {
  const description = 'See, explain, measure and lock contexts that context-shaping made.';
  const program = newProgram('context-shaping-devtools', description, io).addHelpText('after', exitCodesHelp);

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

  addInspect(program, io);
  addEvaluate(program, io);
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

  addLockfileCommands(program, io);
  return withHelpAfterErrors(program);
}
