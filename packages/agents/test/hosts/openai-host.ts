/** The OpenAI Agents SDK as a host: its runner, its session, and a scripted model. */
import type { AgentInputItem, Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents-core';
import type { ConversationShapingOptions, RequestReport } from '../../src/conversation/index.js';
import { openAiAgentsShaping, recallTool, shapedModelInput } from '../../src/openai-agents/index.js';
import type { Host, Run, Script, Sent } from './host.js';
import { IMAGE } from './image.js';
import { missing, versionOf } from './installed.js';

const PACKAGE = '@openai/agents-core';

/** `streamed`: the runner streams each answer. */
export function openaiHost(streamed = false): Host {
  const reason = missing(PACKAGE);
  return {
    name: streamed ? 'OpenAI Agents, streamed' : 'OpenAI Agents',
    version: versionOf(PACKAGE) ?? '',
    ...(reason === undefined ? {} : { missing: reason }),
    takesImages: true,
    run: (script, options) => run(script, options, streamed),
  };
}

async function run(
  { thread = 'conformance', system, questions, images = [], tools, reply }: Script,
  options: ConversationShapingOptions,
  streamed: boolean,
): Promise<Run> {
  const { Agent, MemorySession, Runner, setTracingDisabled, tool } = await import('@openai/agents-core');
  setTracingDisabled(true);
  const reports: RequestReport[] = [];
  const requests: Sent[][] = [];
  const shaping = openAiAgentsShaping({ ...options, thread, onRequest: (report) => reports.push(report) });
  const model = new ScriptedModel((request) => {
    const sent = sentOf(request);
    requests.push(sent);
    const said = reply(sent);
    return 'text' in said
      ? [
          {
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: said.text }],
          },
        ]
      : said.calls.map(({ id, tool, input }) => ({
          type: 'function_call',
          callId: id,
          name: tool,
          status: 'completed',
          arguments: JSON.stringify(input),
        }));
  });
  const agent = new Agent({
    name: 'scripted',
    instructions: system,
    model,
    tools: [
      ...tools.map(({ name, description, parameters, run }) =>
        tool({
          name,
          description,
          parameters: parameters as never,
          strict: false,
          execute: async (input) => run(input as Record<string, unknown>),
        }),
      ),
      tool(recallTool(shaping)),
    ],
  });
  const runner = new Runner({ callModelInputFilter: shapedModelInput(shaping), tracingDisabled: true });
  const session = new MemorySession();
  let unchanged = true;
  let before: AgentInputItem[] = [];
  for (const [at, question] of questions.entries()) {
    const content = [
      { type: 'input_text' as const, text: question },
      ...(images.includes(at) ? [{ type: 'input_image' as const, image: IMAGE }] : []),
    ];
    const input = [{ type: 'message' as const, role: 'user' as const, content }];
    if (streamed) {
      const result = await runner.run(agent, input, { session, stream: true });
      for await (const _ of result);
      await result.completed;
    } else {
      await runner.run(agent, input, { session });
    }
    const after = await session.getItems();
    unchanged &&= JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before);
    before = after;
  }
  // The session has each result as the tool gave it.
  const whole = new Map(tools.map(({ name, run }) => [name, run]));
  for (const item of before) {
    if (item.type !== 'function_call_result') continue;
    const call = before.find((each) => each.type === 'function_call' && each.callId === item.callId);
    const given =
      call?.type === 'function_call' ? whole.get(item.name)?.(JSON.parse(call.arguments)) : undefined;
    if (given === undefined) continue;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    unchanged &&= JSON.stringify(item.output) === JSON.stringify({ type: 'text', text });
  }
  return { requests, reports, unchanged };
}

/** Answers by a script. */
export class ScriptedModel implements Model {
  #responses = 0;
  constructor(readonly step: (request: ModelRequest) => ModelResponse['output']) {}
  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const { Usage } = await import('@openai/agents-core');
    return { usage: new Usage(), output: this.step(request), responseId: `response-${++this.#responses}` };
  }
  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    yield { type: 'response_started' };
    const output = this.step(request) as never;
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: 'response_done', response: { id: `response-${++this.#responses}`, usage, output } };
  }
}

export function sentOf({ systemInstructions, input }: ModelRequest): Sent[] {
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  return [
    ...(systemInstructions === undefined ? [] : [{ role: 'system' as const, text: systemInstructions }]),
    ...items.flatMap((item): Sent[] => {
      if (item.type === 'function_call')
        return [
          {
            role: 'assistant',
            call: { id: item.callId, tool: item.name, input: parsed(item.arguments) },
          },
        ];
      if (item.type === 'function_call_result')
        return [{ role: 'tool', id: item.callId, tool: item.name, result: textOf(item.output) }];
      if ('role' in item && item.role !== undefined) return [{ role: item.role, text: textOf(item.content) }];
      return [];
    }),
  ];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const pieces = (Array.isArray(content) ? content : [content]) as { text?: string }[];
  return pieces.flatMap(({ text }) => text ?? []).join('\n\n');
}

/** A model may write arguments that are no JSON. */
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
