/** The commands of `context-shaping reviews` with their flags and help texts. */
import { createRequire } from 'node:module';
import { type Command, Option } from 'commander';
import { exitCodesHelp } from './errors.js';
import { wholeNumber } from './flags.js';
import {
  type AnswerFlags,
  answerReview,
  type ListFlags,
  listReviews,
  REVIEW_FORMATS,
  showReview,
} from './reviews-command.js';
import type { Io } from './terminal.js';

const HELP = `
A graph that waits for a review is saved in the database of its checkpointer (LangGraph’s PostgresSaver or
SqliteSaver). This program records an answer there exactly once. The graph continues when the application calls
resume of its review queue; with --app, this program resumes it at once. An unfinished review has an answer, but
the run stopped after it; resume continues that run as well.

Environment:
  CONTEXT_SHAPING_DATABASE  the database, if --database is absent

Examples:
  $ context-shaping reviews list --database postgres://127.0.0.1/app
  $ context-shaping reviews show ID --database checkpoints.sqlite
  $ context-shaping reviews answer ID --approve --pin price --by ann
  $ context-shaping reviews answer ID --answer "It costs 300 euros." --app graph.js#graph
  $ echo '{"action":"approve","search":"bicycle price"}' | context-shaping reviews answer ID --json -
`;

const WRITTEN_IN_JSON = ['approve', 'answer', 'query', 'refuse', 'search', 'pin', 'veto', 'unevict', 'note'];

/** Whether a package that users install themselves is there. A command that needs it is listed only then. */
function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

export function addReviews(program: Command, io: Io): void {
  const reviews = program
    .command('reviews', { hidden: !isInstalled('@langchain/langgraph') })
    .summary('list and answer reviews of graphs')
    .description('Lists, shows and answers the reviews that corrective retrieval is waiting for.')
    .addHelpText('after', `${HELP}${exitCodesHelp}`);

  const add = (name: string, summary: string) =>
    reviews
      .command(name)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .option('--database <url|file>', 'postgres://… or a SQLite file; absent: CONTEXT_SHAPING_DATABASE')
      .option('--schema <name>', 'schema of a PostgreSQL database; absent: public')
      .addOption(
        new Option(
          '--app <file#export>',
          'JavaScript module that exports the compiled graph with its checkpointer',
        ).conflicts(['database', 'schema']),
      )
      .addOption(
        new Option('--format <name>', 'output format; absent: text on a terminal, json in a pipe').choices(
          REVIEW_FORMATS,
        ),
      );

  add('list', 'list open reviews, oldest first')
    .option('--limit <count>', 'maximum reviews to list', wholeNumber)
    .option('--thread <id>', 'list only the reviews of this thread')
    .action((_flags, command: Command) => listReviews(command.optsWithGlobals<ListFlags>(), io));

  add('show', 'show the question, the context and the reasons of a review')
    .argument('<id>', 'id of the review, as listed')
    .action((id: string, _flags, command: Command) => showReview(id, command.optsWithGlobals(), io));

  add('answer', 'answer a review')
    .argument('<id>', 'id of the review, as listed')
    .option('--approve', 'accept the context; for a search: allow it')
    .option('--answer <text>', 'the answer, which is added to the context')
    .option('--query <text>', 'another question; the graph starts again with it')
    .option('--refuse', 'reject: nothing of this may reach the model')
    .addOption(
      new Option('--json <file>', 'the answer as JSON file; -: standard input').conflicts(WRITTEN_IN_JSON),
    )
    .option('--search <words>', 'with --approve: search for these words')
    .option('--no-search', 'with --approve: do not search')
    .option('--pin <ids...>', 'chunks to keep regardless of their grade')
    .option('--veto <ids...>', 'chunks to remove')
    .option('--unevict <ids...>', 'evicted chunks to restore and keep')
    .option('--by <name>', 'name of the reviewer; required if the review is claimed under that name')
    .option('--note <text>', 'note for the report')
    .action((id: string, _flags, command: Command) =>
      answerReview(id, command.optsWithGlobals<AnswerFlags>(), io),
    );
}
