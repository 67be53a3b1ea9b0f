/** `context-shaping-devtools inspect` with its flags and help text. */
import type { Command } from 'commander';
import type { Io } from 'context-shaping/cli';
import { exitCodesHelp, wholeNumber } from 'context-shaping/cli';
import { DEFAULT_PAGE, type InspectFlags, inspectCommand } from './inspect-command.js';

const HELP = `
A FILE is one of these, as JSON; -: standard input
  a recorded context           with it, the page shows texts and shapes again in the browser
  the input of shape           it is shaped and recorded first
  { chunks, report }, a report the page has no texts

The page is one HTML file. It works from disk and makes no request. It has the questions, and the texts where they were
recorded: give it only to people who may read them.

Examples:
  $ context-shaping-devtools inspect --demo
  $ context-shaping-devtools inspect retrieved.json
  $ context-shaping-devtools inspect before.json after.json --to compared.html
  $ context-shaping-devtools inspect --log shaping.log --last 20
`;

export function addInspect(program: Command, io: Io): void {
  program
    .command('inspect')
    .summary('write a page that shows which chunks are kept, and why')
    .description('Writes a page that shows the way of each chunk, and shapes again with other limits.')
    .argument('[files...]', 'JSON files: recorded contexts, inputs of shape, results or reports')
    .option('--log <file>', 'log of reports, as lines of JSON')
    .option('--last <count>', 'number of reports to take from the log', wholeNumber, 50)
    .option('--demo', 'show the demo')
    .option('--to <file>', 'file for the page; -: standard output', DEFAULT_PAGE)
    .addHelpText('after', HELP + exitCodesHelp)
    .action((files: string[], _flags, command: Command) =>
      inspectCommand(files, command.optsWithGlobals<InspectFlags>(), io),
    );
}
