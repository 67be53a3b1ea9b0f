/** The AI SDK as a host: `generateText` with a wrapped model, in the versions 6 and 7. */

import type { ModelMessage } from 'ai';
import { aiSdkShaping, recallTool, shapingMiddleware } from '../../src/ai-sdk/index.js';
import type { ConversationShapingOptions, RequestReport } from '../../src/conversation/index.js';
import type { Call, Host, Reply, Run, Script, Sent } from './host.js';
import { missing, versionOf } from './installed.js';

/** Both versions have the types of version 7, as far as these tests use them; `ai-sdk-types.ts` compares the others. */
export interface Version {
  name: string;
  missing: string | undefined;
  version: string;
  ai(): Promise<typeof import('ai')>;
  /** A model that gives these replies, as both versions take it. */
  model(reply: (prompt: Prompt, call: CallOptions) => Reply): Promise<ScriptedModel>;
}

export type ScriptedModel = import('ai/test').MockLanguageModelV3;
export type CallOptions = ScriptedModel['doGenerateCalls'][0];
export type Prompt = CallOptions['prompt'];

const version = (name: string, key: 'ai' | 'ai-6', load: Pick<Version, 'ai' | 'model'>): Version => ({
  name,
  missing: missing(key),
  version: versionOf(key) ?? '',
  ...load,
});

export const VERSIONS: readonly Version[] = [
  version('AI SDK 6', 'ai-6', {
    ai: async () => (await import('ai-6')) as unknown as typeof import('ai'),
    model: async (reply) => {
      const { MockLanguageModelV3 } = await import('ai-6/test');
      return scripted(MockLanguageModelV3 as unknown as new (settings: object) => ScriptedModel, reply);
    },
  }),
  version('AI SDK 7', 'ai', {
    ai: () => import('ai'),
    model: async (reply) => {
      const { MockLanguageModelV4 } = await import('ai/test');
      return scripted(MockLanguageModelV4 as unknown as new (settings: object) => ScriptedModel, reply);
    },
  }),
];

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function scripted(
  Model: new (settings: object) => ScriptedModel,
  reply: (prompt: Prompt, call: CallOptions) => Reply,
): ScriptedModel {
  const answered = (call: CallOptions) => {
    const answer = reply(call.prompt, call);
    return 'text' in answer
      ? { content: [{ type: 'text', text: answer.text }], reason: 'stop' }
      : { content: answer.calls.map(toolCall), reason: 'tool-calls' };
  };
  const toolCall = ({ id, tool, input }: Call) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: tool,
    input: JSON.stringify(input),
  });
  return new Model({
    doGenerate: async (call: CallOptions) => {
      const { content, reason } = answered(call);
      return { content, finishReason: { unified: reason, raw: reason }, usage: USAGE, warnings: [] };
    },
    doStream: async (call: CallOptions) => {
      const { content, reason } = answered(call);
      const parts = content.flatMap((part): object[] =>
        'text' in part
          ? [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: part.text },
              { type: 'text-end', id: '1' },
            ]
          : [part],
      );
      const finish = { type: 'finish', finishReason: { unified: reason, raw: reason }, usage: USAGE };
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of [{ type: 'stream-start', warnings: [] }, ...parts, finish])
              controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  });
}

/** A prompt as pieces of a request. */
export function sent(prompt: Prompt): Sent[] {
  return prompt.flatMap((message): Sent[] => {
    if (message.role === 'system') return [{ role: 'system', text: message.content }];
    return message.content.flatMap((part): Sent[] => {
      if (part.type === 'text') return [{ role: message.role as 'user', text: part.text }];
      if (part.type === 'tool-call') {
        const { toolCallId: id, toolName: tool, input } = part;
        return [{ role: 'assistant', call: { id, tool, input: input as Record<string, unknown> } }];
      }
      if (part.type !== 'tool-result') return [];
      const { toolCallId: id, toolName: tool, output } = part;
      return [{ role: 'tool', id, tool, result: textOf(output) }];
    });
  });
}

function textOf(output: object): string {
  const { type, value } = output as { type: string; value?: unknown };
  if (type === 'content') return (value as { text?: string }[]).map(({ text = '' }) => text).join('\n\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function host({ name, missing, version, ai, model }: Version, streamed: boolean): Host {
  return {
    name: streamed ? `${name}, streamed` : name,
    version,
    ...(missing === undefined ? {} : { missing }),
    takesImages: true,
    async run(
      { thread = 'conformance', system, questions, images = [], tools: scripted, reply }: Script,
      options: ConversationShapingOptions,
    ): Promise<Run> {
      const { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } = await ai();
      const requests: Sent[][] = [];
      const reports: RequestReport[] = [];
      const shaping = aiSdkShaping({ ...options, thread, onRequest: (report) => reports.push(report) });
      const wrapped = wrapLanguageModel({
        model: await model((prompt) => {
          requests.push(sent(prompt));
          return reply(sent(prompt));
        }),
        middleware: shapingMiddleware(shaping),
      });
      const tools = Object.fromEntries(
        scripted.map(({ name, description, parameters, run }) => [
          name,
          tool({
            description,
            inputSchema: jsonSchema<Record<string, unknown>>(parameters),
            execute: async (input) => run(input),
          }),
        ]),
      );
      const messages: ModelMessage[] = [];
      let unchanged = true;
      for (const [at, question] of questions.entries()) {
        const text = { type: 'text' as const, text: question };
        messages.push({ role: 'user', content: images.includes(at) ? [text, IMAGE] : [text] });
        const before = JSON.stringify(messages);
        const call = {
          model: wrapped,
          system,
          tools: { ...tools, recall_passage: recallTool(shaping) },
          messages,
          stopWhen: stepCountIs(50),
        };
        const result = streamed ? streamText(call) : await generateText(call);
        if ('consumeStream' in result) await result.consumeStream();
        const response = (await result.response) as { messages?: ModelMessage[] };
        unchanged &&= JSON.stringify(messages) === before;
        // In version 7 the messages of a response are those of its last step.
        messages.push(...((await result.responseMessages) ?? response.messages ?? []));
      }
      return { requests, reports, unchanged };
    },
  };
}

/** A white pixel. */
const IMAGE = {
  type: 'file' as const,
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
};

export const aiSdkHosts: readonly Host[] = VERSIONS.flatMap((each) => [host(each, false), host(each, true)]);
