/** The command `hook` with its flags and help text. */
import { type Command, Option } from 'commander';
import type { Io } from 'context-shaping/cli';
import { exitCodesHelp, newProgram, UsageError, withHelpAfterErrors } from 'context-shaping/cli';
import { hookCommand } from './command.js';
import { HOOK_FLAGS, hookFlags } from './flags.js';

const HELP = `
Standard input is one of these:
  an event of a hook  JSON with hook_event_name. PostToolUse of Claude Code is answered with the shaped output in the form
                      of its tool. Other events, and tools whose output has another purpose, get no answer: it stays whole
  any other text      the output of a tool. The shaped text is written, and a note about the rest

After any error the output passes byte by byte with exit code 0, and a line on standard error says why.

A kept output is a file of --store that you alone can read. A note has its handle, for the tool recall_output of
  $ context-shaping-mcp --outputs FOLDER

Examples:
  $ npm test 2>&1 | context-shaping-mcp hook --kind log
  $ git diff main | context-shaping-mcp hook --max-tokens 2000 --store ~/.cache/outputs
`;

/** The program of `context-shaping-mcp hook`: apart from the proxy, whose arguments are the command of a server. */
export function makeHookProgram(io: Io): Command {
  const program = newProgram('context-shaping-mcp', 'Programs for coding agents.', io);
  const command = program
    .command('hook')
    .summary('shape the output of a tool, in a pipe or as a hook of an agent')
    .description('Reads the output of a tool, and writes the parts that fit a token budget.');
  const options = HOOK_FLAGS.map(({ name, value, help, many }) => {
    const option = new Option(`--${name} <${value}>`, help);
    return many ? option.argParser((text: string, before: string[] = []) => [...before, text]) : option;
  });
  for (const option of options) command.addOption(option);
  command.addHelpText('after', HELP + exitCodesHelp).action(async (values: Record<string, unknown>) => {
    if (io.stdin.isTTY)
      throw new UsageError('There is no output. Pipe one in: npm test 2>&1 | context-shaping-mcp hook.');
    const written = options.map((option) => [option.long?.slice(2), values[option.attributeName()]]);
    await hookCommand(() => hookFlags(Object.fromEntries(written)), io);
  });
  return withHelpAfterErrors(program);
}
