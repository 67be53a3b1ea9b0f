/** Twenty questions to one agent that works on code: it searches files, reads them, and reads logs of builds. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { AIMessage } from '@langchain/core/messages';
import { type DynamicStructuredTool, tool } from '@langchain/core/tools';
import * as z from 'zod';
import { calling, type Step } from '../../agents/test/langchain/support.js';

/** A question, the call that the agent makes for it, and its evidence, word by word. */
export interface Task {
  readonly question: string;
  readonly call: { readonly tool: string; readonly args: Record<string, unknown> };
  readonly evidence: string;
}

/** A log of a build that failed. */
export interface BuildLog {
  readonly id: string;
  readonly text: string;
  /** A text that shows the cause, as it stands in the log. */
  readonly evidence: string;
}

const FILES: [path: string, question: string, evidence: string][] = [
  [
    'commander/lib/command.js',
    'What does commander say if an option lacks its argument?',
    "' argument missing`;",
  ],
  [
    'ioredis/built/Redis.js',
    'Which error does connect() give if the client is connecting already?',
    'reject(new Error("Redis is already connecting/connected"));',
  ],
  [
    'ioredis/built/redis/RedisOptions.js',
    'How many retries per request are the default?',
    'maxRetriesPerRequest: 20,',
  ],
  [
    'commander/lib/suggestSimilar.js',
    'How does commander suggest several similar words?',
    "similar.join(', ')}?)`;",
  ],
  [
    'ioredis/built/redis/event_handler.js',
    'When does the client send the commands of the offline queue?',
    'debug("send %d commands in offline queue", self.offlineQueue.length);',
  ],
  [
    'commander/lib/command.js',
    'What is the message for options that conflict with each other?',
    'getErrorMessage(conflictingOption)}`;',
  ],
];

const SEARCHES: [pattern: string, question: string, evidence: string][] = [
  [
    'throw new',
    'Where is it checked that there is at least one startup node?',
    '`startupNodes` should contain at least one node.',
  ],
  [
    'reject(',
    'Where is a command rejected in subscriber mode?',
    'Connection in subscriber mode, only subscriber',
  ],
  ['require(', 'Which file requires the package denque?', 'require("denque")'],
  [
    'debug(',
    'Where is it logged that the NAT mapping is used?',
    'debug("NAT mapping %s -> %O", key, mapped);',
  ],
  [
    'options.',
    'Where is the size of the eta buffer given to the ETA?',
    'new _ETA(this.options.etaBufferLength, 0, 0)',
  ],
  ['_exit', 'Where is the callback of the exit override set?', 'this._exitCallback = fn;'],
];

const MODULES = 'node_modules';

/** @throws if a result lacks its evidence, since a package changed. */
export function codingTasks(logs: readonly BuildLog[]): Task[] {
  const tasks = [
    ...logs.map(({ id, evidence }): Task => {
      const question = `Why did the build ${id} fail?`;
      return { question, call: { tool: 'read_log', args: { run: id } }, evidence };
    }),
    ...FILES.map(([path, question, evidence]): Task => {
      return { question, call: { tool: 'read_file', args: { path } }, evidence };
    }),
    ...SEARCHES.map(([pattern, question, evidence]): Task => {
      return { question, call: { tool: 'grep', args: { pattern } }, evidence };
    }),
  ];
  for (const { call, evidence } of tasks) {
    if (!resultOf(call, logs).includes(evidence))
      throw new Error(`The result of ${JSON.stringify(call)} lacks ${JSON.stringify(evidence)}`);
  }
  // Kinds of results alternate, as they do at work.
  return tasks
    .map((task, at) => ({ task, turn: at % (tasks.length / 2.5) }))
    .sort((one, other) => one.turn - other.turn)
    .map(({ task }) => task);
}

function resultOf({ tool: name, args }: Task['call'], logs: readonly BuildLog[]): string {
  if (name === 'read_log') return logs.find(({ id }) => id === args.run)?.text ?? '';
  if (name === 'read_file') return readFileSync(`${MODULES}/${args.path}`, 'utf8');
  const folders = ['ioredis/built', 'commander/lib', 'cli-progress/lib'];
  const found = ['-rnF', '--include=*.js', String(args.pattern), ...folders];
  return execFileSync('grep', found, { cwd: MODULES, encoding: 'utf8' }).split('\n').sort().join('\n').trim();
}

export function codingTools(logs: readonly BuildLog[]): DynamicStructuredTool[] {
  const toolOf = (name: string, argument: string, description: string) =>
    tool(async (args) => resultOf({ tool: name, args: args as Record<string, unknown> }, logs), {
      name,
      description,
      schema: z.object({ [argument]: z.string() }),
    });
  return [
    toolOf('read_log', 'run', 'Reads the log of a build.'),
    toolOf('read_file', 'path', 'Reads a file.'),
    toolOf('grep', 'pattern', 'Finds the lines of all files that have a text.'),
  ];
}

/** Makes the call of the task that is asked, and answers. */
export const coding =
  (tasks: readonly Task[]): Step =>
  (messages) => {
    const last = messages.at(-1);
    const task = tasks.find(({ question }) => last?.getType() === 'human' && question === last.text);
    return task === undefined
      ? new AIMessage(`That is in the result, see above. (${messages.length} messages)`)
      : calling(task.call.tool, task.call.args);
  };
