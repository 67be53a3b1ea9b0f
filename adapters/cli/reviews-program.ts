/** The commands of `context-shaping reviews`, their flags and their help. */
import { type Command, Option } from 'commander';
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
Graphs that ask a person wait in the database of their checkpointer (LangGraph’s PostgresSaver or SqliteSaver).
An answer is recorded there exactly once. The application goes on with it when it calls resume of its review
queue; with --app this program does that at once. What is listed as unfinished has its answer, and a run that
stopped after it: resume continues that, too.

Environment:
  CONTEXT_SHAPING_DATABASE  the database, where --database gives none

Examples:
  $ context-shaping reviews list --database postgres://127.0.0.1/app
  $ context-shaping reviews show ID --database checkpoints.sqlite
  $ context-shaping reviews answer ID --approve --pin price --by ann
  $ context-shaping reviews answer ID --answer "It costs 300 euros." --app graph.js#graph
  $ echo '{"action":"approve","search":"bicycle price"}' | context-shaping reviews answer ID --json -
`;

const WRITTEN_IN_JSON = ['approve', 'answer', 'query', 'refuse', 'search', 'pin', 'veto', 'unevict', 'note'];

export function addReviews(program: Command, io: Io, exitCodes: string): void {
  const reviews = program
    .command('reviews')
    .summary('list and answer what graphs ask people')
    .description('Lists, shows and answers reviews that corrective retrieval waits for.')
    .addHelpText('after', `${HELP}${exitCodes}`);

  const add = (name: string, summary: string) =>
    reviews
      .command(name)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .option('--database <url|file>', 'postgres://… or a SQLite file; without it, CONTEXT_SHAPING_DATABASE')
      .option('--schema <name>', 'schema of a PostgreSQL database; without it, public')
      .addOption(
        new Option(
          '--app <file#export>',
          'a module of JavaScript that exports the compiled graph, with its checkpointer',
        ).conflicts(['database', 'schema']),
      )
      .addOption(
        new Option(
          '--format <name>',
          'what to write; without it, text on a terminal, json in a pipe',
        ).choices(REVIEW_FORMATS),
      );

  add('list', 'list what is waited for, oldest first')
    .option('--limit <count>', 'the most reviews to list', wholeNumber)
    .option('--thread <id>', 'only those of this thread')
    .action((_flags, command: Command) => listReviews(command.optsWithGlobals<ListFlags>(), io));

  add('show', 'show a question, the context and why a person is asked')
    .argument('<id>', 'of the review, as listed')
    .action((id: string, _flags, command: Command) => showReview(id, command.optsWithGlobals(), io));

  add('answer', 'answer a review')
    .argument('<id>', 'of the review, as listed')
    .option('--approve', 'go on with this context; about a search: search')
    .option('--answer <text>', 'you know the answer: it becomes part of the context')
    .option('--query <text>', 'another question, for which everything is done anew')
    .option('--refuse', 'nothing of this may reach the model')
    .addOption(
      new Option('--json <file>', 'the answer as JSON; - for standard input').conflicts(WRITTEN_IN_JSON),
    )
    .option('--search <words>', 'with --approve: search for these words')
    .option('--no-search', 'with --approve: do not search')
    .option('--pin <ids...>', 'chunks that stay, whatever their grade')
    .option('--veto <ids...>', 'chunks that go')
    .option('--unevict <ids...>', 'evicted chunks that come back, and stay')
    .option('--by <name>', 'who answers; needed where a review is claimed under that name')
    .option('--note <text>', 'for the ledger')
    .action((id: string, _flags, command: Command) =>
      answerReview(id, command.optsWithGlobals<AnswerFlags>(), io),
    );
}
