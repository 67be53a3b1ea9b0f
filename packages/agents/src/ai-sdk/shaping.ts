import { parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import {
  type ConversationShapingOptions,
  type Message,
  RECALL_DESCRIPTION,
  type RecallInput,
  readRecallInput,
  recallToolSchema,
  type ToolSchema,
} from '../conversation/index.js';
import { type HostShaping, hostShaping, optionsOf, recalled, sharedOr, threadNamer } from '../host.js';
import { type CallOptionsLike, type MessageLike, type ProviderData, toHost, toMessages } from './messages.js';

export interface AiSdkShapingOptions extends ConversationShapingOptions {
  /**
   * The conversation: handles of one are not valid in another. A function gets what the AI SDK tells at this place.
   * Default: one conversation. See also `withThread`.
   */
  thread?: string | ((call: ThreadCall) => string) | undefined;
  /**
   * Marks the end of prefixes that will be repeated, for providers that cache only marked prompts. `true`: Anthropic's
   * `cacheControl`. Otherwise the provider options of a marked message: `{ bedrock: { cachePoint: { type: 'default' } } }`.
   */
  cacheControl?: boolean | ProviderData | undefined;
}

export interface ThreadCall {
  /** `providerOptions` of the request, for `shapingMiddleware`. */
  providerOptions?: object | undefined;
  /** For `recallTool`: `experimental_context` of `ai` 6; `context` of the tool in `ai` 7. */
  context?: unknown;
}

/** The functions of this adapter share it: the shaper with its store and its handles. */
export interface AiSdkShaping extends HostShaping<ThreadCall> {
  /** The same shaper for one conversation: in a route, the one with the id of the chat. */
  withThread(thread: string): AiSdkShaping;
  /** Provider options of a message that ends a repeated prefix. */
  readonly cacheMark: ProviderData | undefined;
}

const ANTHROPIC: ProviderData = { anthropic: { cacheControl: { type: 'ephemeral' } } };

const ownSchema = z.strictObject({
  cacheControl: z
    .union([z.boolean(), z.record(z.string(), z.record(z.string(), z.unknown()))], {
      error: 'must be true, or provider options of a message',
    })
    .default(false),
});

/**
 * Makes the shaper that `shapingMiddleware` and `recallTool` share, so that one recalls the passages that the other left
 * out.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function aiSdkShaping(options: AiSdkShapingOptions = {}): AiSdkShaping {
  const { cacheControl: given, ...rest } = optionsOf(options);
  const { cacheControl } = parseOptions(ownSchema, { cacheControl: given });
  const cacheMark = (cacheControl === true ? ANTHROPIC : cacheControl || undefined) as
    | ProviderData
    | undefined;
  const bound = (shared: HostShaping<ThreadCall>): AiSdkShaping => ({
    ...shared,
    cacheMark,
    withThread: (thread) => bound({ ...shared, threadOf: threadNamer(thread) }),
  });
  return bound(hostShaping(rest));
}

const shapingOf = sharedOr(aiSdkShaping);

/** A middleware for `wrapLanguageModel` of `ai` 6 and 7. */
export interface ShapingMiddleware {
  specificationVersion: 'v3';
  transformParams<P extends CallOptionsLike>(call: { params: P }): Promise<P>;
}

/**
 * Shapes the prompt of each request to a model, with the system prompt and the tools counted. `onRequest` gets
 * the report.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function shapingMiddleware(options: AiSdkShapingOptions | AiSdkShaping = {}): ShapingMiddleware {
  const shaping = shapingOf(options);
  return {
    specificationVersion: 'v3',
    async transformParams<P extends CallOptionsLike>({ params }: { params: P }): Promise<P> {
      const given = toMessages(params.prompt);
      const { messages, breakpoints } = await shaping.conversation.shapeRequest({
        thread: shaping.threadOf({ providerOptions: params.providerOptions }),
        messages: given,
        tools: (params.tools ?? []).map(schemaOf),
        signal: params.abortSignal,
      });
      const prompt = messages.map(({ at, message }, index) => {
        const after = toHost(params.prompt[at] as MessageLike, given[at] as Message, message);
        const isMarked = shaping.cacheMark !== undefined && breakpoints.includes(index);
        return isMarked
          ? { ...after, providerOptions: { ...after.providerOptions, ...shaping.cacheMark } }
          : after;
      });
      return { ...params, prompt };
    },
  };
}

/** Tools of the provider itself have arguments in place of a schema. */
const schemaOf = (tool: { name: string }): ToolSchema => {
  const { name, description, inputSchema, args } = tool as ToolSchema & {
    inputSchema?: unknown;
    args?: unknown;
  };
  return { name, description, parameters: inputSchema ?? args };
};

/** A tool of a `ToolSet`. Its schema is a Standard Schema that knows its JSON schema. */
export interface RecallTool {
  description: string;
  inputSchema: {
    readonly '~standard': {
      readonly version: 1;
      readonly vendor: string;
      readonly validate: (value: unknown) => { value: RecallInput } | { issues: { message: string }[] };
      readonly jsonSchema: Record<'input' | 'output', () => Record<string, unknown>>;
      readonly types?: { input: RecallInput; output: RecallInput };
    };
  };
  execute(
    input: RecallInput,
    call: {
      toolCallId: string;
      messages?: readonly MessageLike[] | undefined;
      abortSignal?: AbortSignal | undefined;
      context?: unknown;
      experimental_context?: unknown;
    },
  ): Promise<string>;
}

/**
 * The tool that reads left-out passages. Its name among the tools must be `recall_passage`, which the notes tell the model.
 *
 * @param shaping the shaper of the other functions: `aiSdkShaping(…)`.
 */
export function recallTool({ conversation, threadOf }: AiSdkShaping): RecallTool {
  return {
    description: RECALL_DESCRIPTION,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'context-shaping',
        validate(given) {
          const value = readRecallInput(given);
          return value ? { value } : { issues: [{ message: 'must be an object with the text handle' }] };
        },
        jsonSchema: {
          input: () => structuredClone(recallToolSchema),
          output: () => structuredClone(recallToolSchema),
        },
      },
    },
    async execute(input, { toolCallId, messages, abortSignal, context, experimental_context }) {
      const { text } = await recalled(conversation, input, {
        thread: threadOf({ context: experimental_context ?? context }),
        callId: toolCallId,
        messages: messages && toMessages(messages),
        signal: abortSignal,
      });
      return text;
    },
  };
}
