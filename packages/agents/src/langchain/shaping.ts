/** The options of this adapter, its store, and the list of messages as LangChain and LangGraph give and take it. */
import { type BaseMessage, SystemMessage, type ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { ContextShapingError, type ShapingOptions } from 'context-shaping';
import { checkNames } from 'context-shaping/internal';
import { parseOptions } from 'context-shaping/kit';
import {
  type DocumentOptions,
  type DocumentShaperFields,
  documentShaper,
  emitEvicted,
  shaperFields,
} from 'context-shaping/langchain';
import * as z from 'zod';
import {
  type ConversationShaper,
  type ConversationShapingOptions,
  createConversationShaper,
  memoryPassageStore,
  type PassageStore,
  type ToolSchema,
} from '../conversation/index.js';
import { CONVERSATION_OPTIONS, usedOf } from '../conversation/options.js';
import { messagesOf, withResult } from './messages.js';

/** The adapter itself says whether the agent can recall, and cites as the options of documents say. */
type OfConversations = Omit<
  ConversationShapingOptions,
  keyof ShapingOptions | 'shaper' | 'recall' | 'citeSources'
>;
const OF_CONVERSATIONS = CONVERSATION_OPTIONS.filter((name) => !/^(?:recall|citeSources)$/.test(name));

/**
 * Options of a shaper, or a shaper, and options about documents and conversations. `render` formats a document of a shaped
 * result for the model; default `formatDocument`: a line with its id and source before its text. There is no `onStage`,
 * because results are shaped repeatedly until they fit, and no `frame`. `sanitise` defaults to `strip`, because strangers
 * write the results of tools.
 */
export interface ContextShapingMiddlewareOptions
  extends Omit<DocumentShaperFields, 'onStage' | 'frame'>,
    OfConversations {
  /**
   * `tool`: shapes tool results when they arrive; the agent's state has the shaped results. `model`: shapes the messages
   * of each request; the state stays complete. `both` (default): does both; shapes messages only if `maxTokens` is given.
   */
  mode?: 'tool' | 'model' | 'both' | undefined;
  /**
   * Marks the ends of prefixes that will be repeated for the prompt cache of Anthropic: `cache_control` on a block of the
   * message, at most 4 in a request. Default false.
   */
  cacheControl?: boolean | undefined;
}

const ownSchema = z.strictObject({
  mode: z.enum(['tool', 'model', 'both']).default('both'),
  cacheControl: z.boolean().default(false),
});

/** The options and services that the parts of this adapter share. */
export interface AgentShaping extends z.output<typeof ownSchema> {
  conversation: ConversationShaper;
  documentOptions: DocumentOptions;
}

/** @throws ContextShapingError `invalid-options`, with the first wrong option as its field. */
export function resolveOptions(given: ContextShapingMiddlewareOptions): AgentShaping {
  const own = Object.keys(ownSchema.shape);
  checkNames(given, usedOf(shaperFields([...OF_CONVERSATIONS, ...own])));
  const pick = (from: readonly string[], is: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => from.includes(name) === is));
  const { mode, cacheControl } = parseOptions(ownSchema, pick(own, true));
  if (mode === 'model' && given.maxTokens === undefined)
    throw new ContextShapingError('invalid-options', {
      field: 'maxTokens',
      value: undefined,
      is: 'is required if mode is "model"',
      remedy: 'Give the maximum tokens of all messages of one request.',
    });
  const rest = pick([...OF_CONVERSATIONS, ...own], false) as DocumentShaperFields;
  const { shaper, documentOptions } = documentShaper(
    given.shaper === undefined ? { ...rest, sanitise: given.sanitise ?? 'strip' } : rest,
  );
  const conversation = createConversationShaper({
    store: graphStore(),
    ...pick(OF_CONVERSATIONS, true),
    shaper,
    citeSources: documentOptions.citeSources,
  });
  return { mode, cacheControl, conversation, documentOptions };
}

/** The used part of LangGraph's `BaseStore`. */
interface GraphStore {
  get(namespace: string[], key: string): Promise<{ value: { entry?: unknown } } | null>;
  put(namespace: string[], key: string, value: object, index: false): Promise<void>;
}

/** One for all shapers of this process: some programs make an agent for each request. */
const MEMORY = /* @__PURE__ */ memoryPassageStore();

const NAMESPACE = ['context_shaping', 'passages'];

/** Keeps left-out passages in the store of the running graph if it has one, else in the memory of this process. */
function graphStore(): PassageStore {
  const current = () =>
    (AsyncLocalStorageProviderSingleton.getRunnableConfig() as { store?: GraphStore } | undefined)?.store;
  return {
    async get(key, options) {
      const store = current();
      if (store === undefined) return MEMORY.get(key, options);
      const entry = (await store.get(NAMESPACE, key))?.value.entry;
      return typeof entry === 'string' ? entry : undefined;
    },
    async set(entries, options) {
      const store = current();
      if (store === undefined) return MEMORY.set(entries, options);
      await Promise.all(entries.map(([key, entry]) => store.put(NAMESPACE, key, { entry }, false)));
    },
  };
}

/** Empty without a thread: then the request has all messages. */
export const threadOf = (config: { configurable?: Record<string, unknown> | undefined }): string =>
  String(config.configurable?.thread_id ?? '');

interface List {
  messages: BaseMessage[];
  /** Some hosts of middleware have none. */
  systemMessage: SystemMessage;
}

/** Undefined if nothing changes. */
export async function shapeList(
  { messages: given, systemMessage }: List,
  call: { thread: string; tools: readonly ToolSchema[] },
  config: RunnableConfig & { writer?: unknown },
  { conversation, documentOptions, cacheControl }: AgentShaping,
): Promise<List | undefined> {
  const hasSystem = Boolean((systemMessage as SystemMessage | undefined)?.text);
  const all: BaseMessage[] = hasSystem ? [systemMessage, ...given] : given;
  const neutral = messagesOf(all, documentOptions);
  const request = { ...call, messages: neutral, signal: config.signal };
  const { messages, breakpoints, shapings = [] } = await conversation.shapeRequest(request);
  for (const shaping of shapings) await emitEvicted(shaping, config);
  const sent = messages.map(({ at, message }) => {
    const [result] = message.parts;
    const same = all[at] as BaseMessage;
    return message === neutral[at] || result?.type !== 'result'
      ? same
      : withResult(same as ToolMessage, result);
  });
  const marked = cacheControl
    ? sent.map((message, at) => (breakpoints.includes(at) ? withCacheControl(message) : message))
    : sent;
  const isSame = marked.length === all.length && marked.every((message, at) => message === all[at]);
  if (isSame) return undefined;
  const [first] = marked;
  return hasSystem && SystemMessage.isInstance(first)
    ? { messages: marked.slice(1), systemMessage: first }
    : { messages: marked, systemMessage };
}

type Block = Record<string, unknown>;

/** A copy of a message with `cache_control` on its last block of text; the same message without a text. */
function withCacheControl(message: BaseMessage): BaseMessage {
  const { content: given } = message;
  const blocks = typeof given === 'string' ? [{ type: 'text', text: given }] : (given as Block[]);
  const last = blocks.findLastIndex(({ type, text }) => type === 'text' && text !== '');
  if (last < 0) return message;
  const content = blocks.with(last, { ...blocks[last], cache_control: { type: 'ephemeral' } });
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content });
}
