/** A scripted chat model, an agent that searches real documentation, and questions with their evidence. */
import { readFile } from 'node:fs/promises';
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import type { Document } from '@langchain/core/documents';
import { BaseChatModel, type BindToolsInput } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { MarkdownTextSplitter } from '@langchain/textsplitters';
import { createShaper } from 'context-shaping';
import { createShapedRetrieverTool } from 'context-shaping/langchain';
import {
  type ContextShapingMiddlewareOptions,
  contextShapingMiddleware,
  RECALL_TOOL,
} from 'context-shaping-agents/langchain';

export type Step = (messages: BaseMessage[]) => AIMessage;

/** Answers by a script, and writes down the requests. */
export class ScriptedModel extends BaseChatModel {
  readonly requests: BaseMessage[][] = [];
  constructor(readonly step: Step) {
    super({});
  }
  override _llmType() {
    return 'scripted';
  }
  /** Its tools, as the API of OpenAI gets them. */
  boundTools: readonly unknown[] = [];
  override bindTools(tools: BindToolsInput[]) {
    this.boundTools = tools.map((tool) => convertToOpenAITool(tool));
    return this;
  }
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.requests.push([...messages]);
    const message = this.step(messages);
    return { generations: [{ text: message.text, message }] };
  }
}

let calls = 0;
/** An answer that calls a tool. */
export const calling = (name: string, args: Record<string, unknown>) =>
  new AIMessage({ content: '', tool_calls: [{ id: `call-${++calls}`, name, args, type: 'tool_call' }] });

/** Searches for each question, and answers from the results. */
export const searching: Step = (messages) => {
  const last = messages.at(-1) as BaseMessage;
  return last.getType() === 'human'
    ? calling('search', { query: last.text })
    : new AIMessage(`That is in the documentation, see above. (${messages.length} messages)`);
};

export const results = (messages: readonly BaseMessage[]): ToolMessage[] =>
  messages.filter((message): message is ToolMessage => ToolMessage.isInstance(message));

const counting = createShaper();

/** Tokens of a request, as this package counts messages: each text, call and result, and 4 for each. */
export async function tokensOf(messages: readonly BaseMessage[]): Promise<number> {
  const texts = messages.flatMap((message) => {
    const isResult = ToolMessage.isInstance(message);
    const calls = (message as AIMessage).tool_calls ?? [];
    return [
      ...(message.text === '' && !isResult ? [] : [message.text]),
      ...calls.map(({ id, name, args }) => JSON.stringify({ id, tool: name, input: args })),
    ];
  });
  const chunks = texts.map((text, place) => ({ id: String(place), text }));
  const { report } = await counting.shape({ query: '', chunks });
  return report.tokens.input + 4 * texts.length;
}

const FILES = [
  'commander/Readme.md',
  'ioredis/README.md',
  'gpt-tokenizer/README.md',
  'cli-progress/README.md',
];

/** Chunks of the documentation of four packages that the tests need anyway. */
export async function documentation(): Promise<Document[]> {
  const splitter = new MarkdownTextSplitter({ chunkSize: 800, chunkOverlap: 0 });
  const texts = await Promise.all(FILES.map((file) => readFile(`node_modules/${file}`, 'utf8')));
  const chunks = await splitter.createDocuments(
    texts,
    FILES.map((source) => ({ source })),
  );
  for (const [place, chunk] of chunks.entries()) chunk.id = `d${place}`;
  return chunks;
}

/** Over-fetches: twenty documents for each query, as they are. */
export const searchTool = (documents: Document[], k = 20) =>
  createShapedRetrieverTool({
    retriever: BM25Retriever.fromDocuments(documents, { k }),
    name: 'search',
    description: 'Searches the documentation.',
  });

/** Twenty questions, each with its answer in the documentation, word by word. */
export const QUESTIONS: [question: string, evidence: string][] = [
  ['How do I declare a variadic option?', 'appending `...` to the value placeholder'],
  ['How long does ioredis wait before it reconnects?', 'Math.min(Math.pow(2, times - 1) * 50, 5000)'],
  ['How do I declare a mandatory, required option?', 'required (mandatory) option using `.requiredOption()`'],
  ['Can the LRU merge cache be switched off?', 'Setting it to 0 will disable caching completely'],
  ['How do I hide the cursor while the progress bar runs?', 'hide the cursor during progress operation'],
  ['How do I set a key that expires after a minute?', 'redis.set("key", "data", "EX", 60)'],
  ['Can I show the full help after a usage error?', 'program.showHelpAfterError();'],
  ['Does transparent key prefixing apply to KEYS and SCAN?', "feature won't apply to commands like [KEYS]"],
  ['How do I estimate what a number of tokens costs?', 'Estimates the cost of processing'],
  ['How do I write a log line above multiple bars?', 'content on top of the multibars'],
  ['What happens to commands that are sent before the ready event?', "it's added to the offline queue"],
  ['How do I debug a stand-alone executable subcommand?', 'the inspector port is incremented by 1'],
  ['How do I check that a text is within the token limit?', 'Returns `false` if the limit is exceeded'],
  ['How do I send read queries of a cluster to slaves?', 'by setting the `scaleReads` option'],
  ['How do I add a hook that runs before an action?', 'callback hooks to a command for life cycle events'],
  ['How much faster is auto pipelining?', 'the improvement was between 35% and 50%'],
  ['Are special tokens allowed by default?', 'all special tokens are disallowed'],
  ['How do I reconnect on a READONLY error?', 'using the `reconnectOnError` option'],
  ['How do I override process.exit of commander?', 'The default override throws a `CommanderError`'],
  ['Why is the eta of a long running process INF?', 'you may want to increase `etaBuffer` size'],
];

/** The result of a tool as it comes out of the middleware. */
export async function shapedBy(
  middleware: ReturnType<typeof contextShapingMiddleware>,
  result: ToolMessage,
  query: string,
): Promise<ToolMessage> {
  const toolCall = { id: result.tool_call_id, name: 'search', args: { query } };
  const request = { toolCall, state: { messages: [] }, runtime: {} };
  return (await middleware.wrapToolCall?.(request as never, () => result)) as ToolMessage;
}

/** The messages of a request as they come out of the middleware. */
export function listShaper(options: ContextShapingMiddlewareOptions) {
  const { wrapModelCall } = contextShapingMiddleware({ mode: 'model', ...options });
  return async (messages: BaseMessage[], runtime: object = {}): Promise<BaseMessage[]> => {
    let sent = messages;
    const request = { messages, systemMessage: undefined, tools: [], runtime };
    await wrapModelCall?.(request as never, (shaped) => {
      sent = shaped.messages;
      return new AIMessage('Sent.');
    });
    return sent;
  };
}

/** The answer of the tool `recall_passage` in a thread that has no id. */
export async function recalledBy(
  middleware: ReturnType<typeof contextShapingMiddleware>,
  messages: readonly BaseMessage[],
  args: { handle: string; query?: string },
): Promise<ToolMessage> {
  const [recall] = middleware.tools as NonNullable<typeof middleware.tools>;
  const call = { id: `recall-${++calls}`, name: RECALL_TOOL, args, type: 'tool_call' as const };
  return (await recall.invoke(call, { state: { messages }, toolCallId: call.id } as object)) as ToolMessage;
}

/** By which to read what the note at the end of a result says is left out. */
export const handleIn = ({ text }: BaseMessage): string =>
  /recall_passage ([\w-]{22})\]/.exec(text)?.[1] ?? '';
