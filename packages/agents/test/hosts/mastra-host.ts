/** Mastra as a host: an agent with a memory, its tools, and our processor. */
import type { ToolsInput } from '@mastra/core/agent';
import type { MockMemory } from '@mastra/core/memory';
import type { ConversationShapingOptions, RequestReport } from '../../src/conversation/index.js';
import { contextShapingProcessor, type MastraShapingOptions } from '../../src/mastra/index.js';
import { sent, VERSIONS } from './ai-sdk-host.js';
import type { Host, Run, Script, Sent } from './host.js';
import { missing, versionOf } from './installed.js';

/** Most steps of one turn; Mastra's default is five. */
const STEPS = 50;

const [, SDK] = VERSIONS as [unknown, (typeof VERSIONS)[0]];

/** An agent of the script, and what its model got. */
export async function scriptedAgent(
  { system, tools, reply }: Pick<Script, 'system' | 'tools' | 'reply'>,
  options: MastraShapingOptions,
  { memory, more = {} }: { memory?: MockMemory; more?: ToolsInput } = {},
) {
  const { Agent } = await import('@mastra/core/agent');
  const { MockMemory: InMemory } = await import('@mastra/core/memory');
  const { createTool } = await import('@mastra/core/tools');
  const requests: Sent[][] = [];
  const prompts: unknown[] = [];
  const shaping = contextShapingProcessor(options);
  const model = await SDK.model((prompt, call) => {
    prompts.push(call);
    requests.push(sent(prompt));
    return reply(sent(prompt));
  });
  const own = tools.map(({ name, description, parameters, run }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema: parameters,
      execute: async (input) => run(input as never),
    }),
  ]);
  const remembering = memory ?? new InMemory({ enableMessageHistory: true, options: { lastMessages: 1000 } });
  const agent = new Agent({
    id: 'scripted',
    name: 'scripted',
    instructions: system,
    model: model as never,
    memory: remembering,
    tools: { ...Object.fromEntries(own), recall_passage: createTool(shaping.recallTool), ...more },
    inputProcessors: [shaping],
  });
  return { agent, memory: remembering, requests, prompts };
}

/** A white pixel. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

const absent = (missing: string | undefined) => (missing === undefined ? {} : { missing });

export const mastraHosts: readonly Host[] = [
  {
    name: 'Mastra',
    version: versionOf('@mastra/core') ?? '',
    takesImages: true,
    ...absent(missing('@mastra/core') ?? SDK.missing),
    async run(script: Script, options: ConversationShapingOptions): Promise<Run> {
      const reports: RequestReport[] = [];
      const onRequest = (report: RequestReport) => {
        reports.push(report);
        return options.onRequest?.(report);
      };
      const { agent, memory, requests } = await scriptedAgent(script, { ...options, onRequest });
      const thread = script.thread ?? 'conformance';
      let unchanged = true;
      let before: unknown[] = [];
      for (const [at, question] of script.questions.entries()) {
        const image = script.images?.includes(at) ? [{ type: 'image' as const, image: IMAGE }] : [];
        const content = [{ type: 'text' as const, text: question }, ...image];
        await agent.generate([{ role: 'user', content }], {
          memory: { thread, resource: 'someone' },
          maxSteps: STEPS,
        });
        const { messages } = await memory.recall({ threadId: thread, perPage: false });
        unchanged &&= JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before);
        before = messages;
      }
      return { requests, reports, unchanged };
    },
  },
];
