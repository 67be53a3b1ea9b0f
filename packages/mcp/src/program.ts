/** `context-shaping-mcp` with its flags and help text. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodesHelp, type Io, newProgram, wholeNumber, withHelpAfterErrors } from 'context-shaping/cli';
import { CHOICES } from 'context-shaping/kit';
import { type McpFlags, mcpCommand } from './command.js';

const HELP = `
Stands between a client and a server of the Model Context Protocol. A result of a tool that has more than --max-tokens
tokens is shaped for the arguments of its call. A note in the result has a handle of the left-out passages, which
the added tool recall_passage reads. Everything else passes as it is.

In the configuration of a client, put the command before that of the server:
  { "command": "npx", "args": ["-y", "context-shaping-mcp", "--", "COMMAND", "ARGUMENTS"] }

The store has the left-out passages, also for later runs: texts of the server, readable by you alone. If it is full, the
oldest go. The key of the handles is in the file FILE.key beside the store FILE.

Environment:
  CONTEXT_SHAPING_HANDLE_KEY  secret key of the handles, at least 16 characters; absent: the file of the key
  XDG_STATE_HOME              folder of the default store; absent: ~/.local/state

Examples:
  $ context-shaping-mcp -- npx -y @modelcontextprotocol/server-filesystem .
  $ context-shaping-mcp --url https://example.com/mcp --header 'Authorization: Bearer TOKEN'
  $ context-shaping-mcp --query-field search=text --log calls.jsonl -- ./server
  $ context-shaping-mcp --except 'write_*' -- ./server
  $ context-shaping-mcp --serve
  $ context-shaping-mcp --outputs ~/.cache/outputs

context-shaping-mcp hook --help describes the hook, which shapes outputs of tools without MCP.
`;

export function makeProgram(io: Io): Command {
  const description = 'Shapes the results of an MCP server for a client that starts this in its place.';
  const program = newProgram('context-shaping-mcp', description, io)
    .argument('[command...]', 'the command of a server over standard streams, after --')
    .option('--url <address>', 'the address of a server over HTTP, in place of a command')
    .option('--header <line...>', "header for that server, such as 'Authorization: Bearer TOKEN'")
    .option('--max-tokens <count>', 'maximum tokens of a result; absent: 20000', wholeNumber)
    .option(
      '--read-tokens <count>',
      'maximum tokens of a file or a page that a call reads; absent: 20000',
      wholeNumber,
    )
    .option('--tools <name...>', 'shape results of these tools alone; * in a name is any characters')
    .option('--except <name...>', 'pass results of these tools as they are; * in a name is any characters')
    .option('--query-field <tool=argument...>', 'the argument of a tool that is its question', pairs, {})
    .option('--store <address>', 'file of SQLite, or memory; absent: a file for this user')
    .option('--thread <name>', 'name in handles: another name cannot read them; absent: the server')
    .option('--log <file>', 'file for a JSON line about each shaped result, without texts')
    .option(
      '--timeout <seconds>',
      'longest work on one result, which then passes whole; absent: 20',
      wholeNumber,
    )
    .addOption(new Option('--tokenizer <name>', 'how to count tokens').choices(CHOICES.tokenizer))
    .option(
      '--outputs <folder>',
      'serve the tool recall_output for outputs that context-shaping-mcp hook keeps there',
    )
    .option('--serve', 'serve the tools shape_context, explain and recall_passage, without a server behind')
    .addHelpText('after', HELP + exitCodesHelp)
    .action((server: string[], _flags, command: Command) =>
      mcpCommand(server, command.optsWithGlobals<McpFlags>(), io),
    );
  return withHelpAfterErrors(program);
}

function pairs(text: string, before: Record<string, string>): Record<string, string> {
  const [, tool, argument] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (tool === undefined || argument === undefined) throw new InvalidArgumentError('Write TOOL=ARGUMENT.');
  return { ...before, [tool]: argument };
}
