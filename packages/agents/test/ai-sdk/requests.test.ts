/** Requests without the AI SDK: what its loops and its models would give. */

import type { ConversationShaper, RequestReport } from 'context-shaping-agents';
import {
  type AiSdkShaping,
  aiSdkShaping,
  type MessageLike,
  recallTool,
  shapingMiddleware,
} from 'context-shaping-agents/ai-sdk';
import { expect, test } from 'vitest';
import { deepFreeze } from '../../../../test/support.js';
import { contentText } from '../../src/conversation/tokens.js';

const handleKey = 'a secret of sixteen characters';
const options = { maxTokens: 400, maxToolTokens: 120, handleKey };
const found = (topic: string) =>
  Array.from(
    { length: 12 },
    (_, n) => `The ${topic} number ${n} was opened in ${1900 + n}, after long work.`,
  ).join('\n\n');
const call = (id: string) => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'search',
  input: { query: id },
});
const result = (id: string) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'search',
  output: { type: 'text', value: found(id) },
});
const asked = (topic: string) => ({ role: 'user' as const, content: [{ type: 'text', text: topic }] });
const answered = (...ids: string[]) => [
  { role: 'assistant' as const, content: ids.map(call) },
  { role: 'tool' as const, content: ids.map(result) },
];
const said = { role: 'assistant' as const, content: [{ type: 'text', text: 'I see.' }] };
const conversation = () => [
  ...[asked('bridge'), ...answered('bridge'), said],
  ...[asked('tunnel'), ...answered('tunnel', 'ferry'), said],
  ...[asked('dam'), ...answered('dam'), said],
  asked('lock'),
];

/** A shaping whose shaper drops the first `dropped` messages, keeps the others, and marks all it keeps. */
function dropping(dropped: number, over: Partial<AiSdkShaping> = {}): AiSdkShaping {
  const shaping = aiSdkShaping(options);
  const conversation: ConversationShaper = {
    ...shaping.conversation,
    shapeRequest: async ({ messages }) => {
      const kept = messages.map((message, at) => ({ at, message })).slice(dropped);
      return { messages: kept, breakpoints: kept.map((_, at) => at), report: {} as RequestReport };
    },
  };
  return { ...shaping, conversation, ...over };
}

test('a prompt is shaped, and the given messages stay unchanged', async () => {
  const reports: RequestReport[] = [];
  const params = deepFreeze({ prompt: conversation(), temperature: 0.5, tools: [] });
  const middleware = shapingMiddleware({ ...options, onRequest: (report) => reports.push(report) });
  const { prompt, ...rest } = await middleware.transformParams({ params });
  expect(rest).toEqual({ temperature: 0.5, tools: [] });
  expect(JSON.stringify(prompt).length).toBeLessThan(JSON.stringify(params.prompt).length);
  expect(prompt.at(-1)).toBe(params.prompt.at(-1));
  expect(reports).toHaveLength(1);
  const ids = (parts: typeof prompt, type: string) =>
    parts.flatMap(({ content }) =>
      (content as { type: string; toolCallId: string }[]).flatMap((part) =>
        part.type === type ? [part.toolCallId] : [],
      ),
    );
  expect(ids(prompt, 'tool-result')).toEqual(ids(prompt, 'tool-call'));
});

test('the shaper counts the tools of the request, those of the provider with their arguments', async () => {
  const given: unknown[] = [];
  const shaping = dropping(0);
  const counting = {
    ...shaping,
    conversation: {
      ...shaping.conversation,
      shapeRequest: (request: Parameters<ConversationShaper['shapeRequest']>[0]) => {
        given.push(request.tools);
        return shaping.conversation.shapeRequest(request);
      },
    },
  };
  const tools = [
    {
      type: 'function',
      name: 'search',
      description: 'Searches.',
      inputSchema: { type: 'object' },
      strict: true,
    },
    { type: 'provider', id: 'a.web', name: 'web', args: { maxUses: 2 } },
  ];
  await shapingMiddleware(counting).transformParams({ params: { prompt: [], tools } });
  expect(given).toEqual([
    [
      { name: 'search', description: 'Searches.', parameters: { type: 'object' } },
      { name: 'web', description: undefined, parameters: { maxUses: 2 } },
    ],
  ]);
});

test('marks for the cache of a provider join the options of a message', async () => {
  const own = { ...asked('lock'), providerOptions: { openai: { store: false } } };
  const mark = async (cacheControl: boolean | { bedrock: object } | undefined) => {
    const { cacheMark } = aiSdkShaping({ cacheControl: cacheControl as boolean });
    const middleware = shapingMiddleware(dropping(0, { cacheMark }));
    const { prompt } = await middleware.transformParams({ params: deepFreeze({ prompt: [own] }) });
    return prompt[0]?.providerOptions;
  };
  expect(await mark(undefined)).toBe(own.providerOptions);
  expect(await mark(true)).toEqual({
    openai: { store: false },
    anthropic: { cacheControl: { type: 'ephemeral' } },
  });
  const bedrock = { bedrock: { cachePoint: { type: 'default' } } };
  expect(await mark(bedrock)).toEqual({ openai: { store: false }, ...bedrock });
});

test('the thread is that of the call, in every place that can name it', async () => {
  const threads: string[] = [];
  const shaping = aiSdkShaping({
    ...options,
    thread: ({ providerOptions, context }) => {
      const told = context ?? (providerOptions as { app?: object } | undefined)?.app ?? {};
      const { chat = 'none' } = told as { chat?: string };
      threads.push(chat);
      return chat;
    },
  });
  await shapingMiddleware(shaping).transformParams({
    params: { prompt: [], providerOptions: { app: { chat: 'in options' } } },
  });
  const recall = recallTool(shaping);
  const call = { toolCallId: '1', messages: [] };
  await recall.execute({ handle: 'h' }, { ...call, experimental_context: { chat: 'of version 6' } });
  await recall.execute({ handle: 'h' }, { ...call, context: { chat: 'of version 7' } });
  expect(threads).toEqual(['in options', 'of version 6', 'of version 7']);
});

const HANDLE = /recall_passage ([\w-]{22})/;
const texts = (prompt: readonly { content: unknown }[]) =>
  prompt.flatMap(({ content }) =>
    (content as { output?: { value: string } }[]).flatMap(({ output }) => output?.value ?? []),
  );
const linesOf = (text: string) => text.split('\n\n').filter((line) => line.includes('was opened'));

/** All that the tool recalls by a handle, in as many calls as it takes. */
async function recalled(
  shaping: AiSdkShaping,
  handle: string,
  messages: readonly MessageLike[],
): Promise<string[]> {
  const list = [...messages];
  const lines: string[] = [];
  for (let nth = 0; nth < 12; nth++) {
    const call = { toolCallId: `r${nth}`, messages: list };
    const text = await recallTool(shaping).execute({ handle, query: 'number' }, call);
    lines.push(...linesOf(text));
    const part = { toolCallId: `r${nth}`, toolName: 'recall_passage' };
    list.push(
      { role: 'assistant', content: [{ type: 'tool-call', ...part, input: { handle } } as ToolPart] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...part, output: { type: 'text', value: text } } as ToolPart],
      },
    );
  }
  return lines;
}
interface ToolPart {
  type: string;
  toolCallId: string;
  toolName: string;
  input?: unknown;
  output?: unknown;
}

test('nothing is lost if results were shaped on arrival, and are relieved later', async () => {
  const shaping = aiSdkShaping(options);
  const arrived = async ({ toolCallId: id, toolName: tool }: ToolPart) => {
    const given = { type: 'result', id, tool, content: [{ type: 'text', text: found(id) }] } as const;
    const { content } = await shaping.conversation.shapeResult(given, { thread: '', input: { query: id } });
    return { type: 'text', value: contentText(content) };
  };
  const messages: MessageLike[] = [];
  for (const message of conversation()) {
    const content: ToolPart[] = [];
    for (const part of message.content as ToolPart[])
      content.push(part.type === 'tool-result' ? { ...part, output: await arrived(part) } : part);
    messages.push({ ...message, content });
  }
  const first = texts(messages);
  for (const result of first) expect(result).toMatch(HANDLE);
  const { prompt } = await shapingMiddleware(shaping).transformParams({ params: { prompt: messages } });
  const results = texts(prompt);
  expect(linesOf(results[0] ?? '')).toEqual([]);
  for (const [at, topic] of ['bridge', 'tunnel', 'ferry', 'dam'].entries()) {
    const [, handle = ''] = HANDLE.exec(results[at] ?? '') ?? [];
    const read = await recalled(shaping, handle, messages);
    expect(new Set([...linesOf(results[at] ?? ''), ...read])).toEqual(new Set(linesOf(found(topic))));
  }
});

test.each(['error-text', 'error-json', 'execution-denied'])(
  'an output of the type %s stays the same',
  async (type) => {
    const content = [{ ...result('bridge'), output: { type, value: found('bridge') } }];
    const messages = [
      asked('bridge'),
      answered('bridge')[0] as MessageLike,
      { role: 'tool' as const, content },
    ];
    const middleware = shapingMiddleware({ ...options, maxTokens: 2000 });
    const { prompt } = await middleware.transformParams({ params: deepFreeze({ prompt: messages }) });
    expect(prompt.at(-1)).toBe(messages.at(-1));
  },
);

test('recall ends with the abort of its caller', async () => {
  const abortSignal = AbortSignal.abort(new Error('Enough.'));
  const recall = recallTool(aiSdkShaping(options));
  const call = { toolCallId: 'r', messages: conversation(), abortSignal };
  await expect(async () => recall.execute({ handle: 'h' }, call)).rejects.toThrow('Enough.');
});
