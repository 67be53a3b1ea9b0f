/** `context-shaping-devtools evaluate` with its flags and help text. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Io } from 'context-shaping/cli';
import { decimal, exitCodesHelp, wholeNumber } from 'context-shaping/cli';
import { ECS_METHODS } from '../evaluate/types.js';
import { type EvaluateFlags, evaluateCommand } from './evaluate-command.js';

const HELP = `
Measures how much evidence shaping keeps of your own questions, under each budget, beside four controls. Finds the least
budget that keeps 95 % and 99 % of it. Uses no model and no network.

The data has one question per line, with the chunks in the order of your retriever, and the evidence in any form:
  {"query": "…", "chunks": ["…", {"id": "b", "text": "…", "score": 0.7}], "evidence": {"answers": ["1932"]}}
  evidence   ids         ids of chunks: the share of their text counts
             answers     short texts; alternatives of one answer are a list: [["1932", "in thirty-two"]]
             passages    texts, word for word

With --fit, the options in use are compared with others on cases that did not choose them, and a change is recommended only
if it gains by more than chance. The others are those of further files of --options; without such files, values of ranked.

With --fit and --setup, the models of your options are measured: ecs.model and ecs.judge. Each is trusted only
if it ranks chunks with evidence better than relevance and than BM25 by more than chance: on 20 questions at least,
and 60 to be trusted. The file has the profiles, without which shaping lets no model change a ranking. The default export of the
module is the options of your shaper, or a function that returns them; a profile holds for these options:
  import { llamaServer } from 'context-shaping/logprobs';
  export default { ecs: { model: llamaServer({ baseUrl: 'http://127.0.0.1:8080' }) } };
Methods of ecs:
  answer      how much a chunk raises the probability of the right answer: {"query": {"text": "…", "answer": "…"}, …}
  question    how much a chunk raises the probability of the question
  judge       whether the model says that the chunk helps

Examples:
  $ context-shaping-devtools evaluate --data questions.jsonl --options mine.json other.json --html evaluation.html
  $ context-shaping-devtools evaluate --data questions.jsonl --budget 1500 --min-evidence 0.95
  $ context-shaping-devtools evaluate --data questions.jsonl --json now.json --against before.json
  $ context-shaping-devtools evaluate --data questions.jsonl --setup shaping.js --fit profiles.json --method judge
`;

export function addEvaluate(program: Command, io: Io): void {
  program
    .command('evaluate')
    .summary('measure how many answers of your questions are kept, and find a budget')
    .description('Measures how much evidence shaping keeps of questions with known evidence, by budget.')
    .option('--data <file>', 'questions, as JSON lines')
    .option('--options <files...>', 'JSON files of shaping options to compare; absent: the default options')
    .option(
      '--budgets <list>',
      'budgets to measure, such as 500,1000,2000; absent: 100 to 16,000',
      budgetList,
    )
    .option(
      '--budget <tokens>',
      'budget to report on; absent: that of the options, else the least that keeps 95 %',
      wholeNumber,
    )
    .option('--explain <count>', 'cases that lose evidence to explain', wholeNumber, 10)
    .option('--html <file>', 'file for a page')
    .option('--json <file>', 'file for the result as JSON; -: standard output, in place of the tables')
    .option('--fit <file>', 'try other options, and write those to use to a file')
    .option('--setup <module>', 'module of shaping options whose models --fit measures')
    .addOption(
      new Option(
        '--method <names...>',
        'methods of ecs to measure; absent: all that the questions allow',
      ).choices(ECS_METHODS),
    )
    .option('--min-evidence <share>', 'exit with 1 if less is kept at the budget, such as 0.95', decimal)
    .option('--against <file>', 'earlier JSON result: exit with 1 if less is kept now, by more than chance')
    .addHelpText('after', HELP + exitCodesHelp)
    .action((_flags, command: Command) => evaluateCommand(command.optsWithGlobals<EvaluateFlags>(), io));
}

/** @throws InvalidArgumentError of commander. */
function budgetList(text: string): number[] {
  if (!/^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/.test(text))
    throw new InvalidArgumentError('Give whole numbers with commas between them, such as 500,1000.');
  return text.split(',').map(Number);
}
