import type { DocumentInterface } from '@langchain/core/documents';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { makeHandles } from '../agents/handles.js';
import { resolveSettings, type Settings } from '../agents/options.js';
import { recallTool } from '../agents/recall.js';
import { shapeMessages } from '../agents/shape-messages.js';
import { queryOf, shapeResult } from '../agents/shape-result.js';
import type { ConversationShaper, ResultEntry } from './conversation-shaper.js';
import type { Content, Held, Message, ResultPart } from './messages.js';
import type { ConversationShapingOptions } from './options.js';

/** Makes a shaper of conversations. */
export function createConversationShaper(options: ConversationShapingOptions = {}): ConversationShaper {
  const {
    store: _store,
    strategy: _strategy,
    waterMarks: _marks,
    prices: _prices,
    expectedRequests: _expected,
    onRequest,
    ...rest
  } = options;
  const resolved = resolveSettings(rest as never, [
    'maxTokens',
    'maxToolTokens',
    'tools',
    'withhold',
    'handleKey',
  ]);
  const settings: Settings & { handles: NonNullable<Settings['handles']> } = {
    ...resolved,
    handles: resolved.handles ?? makeHandles(),
  };
  const seen = new Map<string, Map<string, ToolMessage>>();
  const remember = (thread: string, message: ToolMessage) => {
    const own = seen.get(thread) ?? new Map<string, ToolMessage>();
    own.set(message.tool_call_id, message);
    seen.set(thread, own);
  };
  const recaller = recallTool(settings);
  return {
    async shapeResult(result, { thread, input, messages = [], signal }) {
      const given = resultMessage(result);
      if (!settings.isShaped(result.tool)) return { content: result.content };
      const query = queryOf(input, toMessages(messages).messages);
      const shaped = await shapeResult(
        given,
        { query, thread, config: signal === undefined ? {} : { signal } },
        settings,
      );
      if (shaped === given) return { content: result.content };
      remember(thread, shaped);
      return { content: [{ type: 'text', text: shaped.text }], held: heldOf(shaped) };
    },
    async shapeRequest({ thread, messages, signal }) {
      const { messages: given, places } = toMessages(messages);
      for (const message of given)
        if (ToolMessage.isInstance(message) && !seen.get(thread)?.has(message.tool_call_id))
          remember(thread, message);
      const { maxTokens } = settings;
      const shaped =
        maxTokens === undefined
          ? given
          : await shapeMessages(
              given,
              { thread, config: signal === undefined ? {} : { signal } },
              { ...settings, maxTokens },
            );
      const [all = [], sent = []] = await Promise.all(
        [given, shaped].map((each) => settings.countTokens(each.map(({ text }) => text))),
      );
      const left = new Map<number, Map<number, ToolMessage>>();
      const stays = new Set<number>();
      const results: ResultEntry[] = [];
      for (const [at, message] of given.entries()) {
        const place = places[at] as { at: number; part?: number };
        const same = shaped.findIndex(
          (each) =>
            each === message ||
            (ToolMessage.isInstance(each) &&
              ToolMessage.isInstance(message) &&
              each.tool_call_id === message.tool_call_id),
        );
        if (same >= 0) stays.add(place.at);
        if (!ToolMessage.isInstance(message)) continue;
        const now = shaped[same];
        results.push({
          id: message.tool_call_id,
          tool: message.name ?? '',
          state: now === undefined ? 'dropped' : now === message ? 'whole' : 'shaped',
          tokens: { given: all[at] ?? 0, sent: now === undefined ? 0 : (sent[same] ?? 0) },
          passages: { given: 0, sent: 0 },
        });
        if (now !== undefined && now !== message)
          left.set(place.at, (left.get(place.at) ?? new Map()).set(place.part ?? 0, now as ToolMessage));
      }
      const kept = messages.flatMap((message, at) => {
        if (!stays.has(at) && message.parts.length > 0) return [];
        const changed = left.get(at);
        if (changed === undefined) return [{ at, message }];
        const parts = message.parts.map((part, place) => {
          const now = changed.get(place);
          return now === undefined || part.type !== 'result'
            ? part
            : { ...part, content: [{ type: 'text' as const, text: now.text }], held: heldOf(now) };
        });
        return [{ at, message: { ...message, parts } }];
      });
      const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
      const report = {
        strategy: 'newest-question' as const,
        tokens: { given: sum(all), sent: sum(sent), system: 0, tools: 0 },
        unknown: [],
        results,
        dropped: messages.flatMap((_, at) => (kept.some((each) => each.at === at) ? [] : [at])),
        cache: {
          stablePrefixTokens: 0,
          tokens: { read: 0, write: 0, input: sum(sent) },
          cost: sum(sent),
          rewrites: 0,
        },
        digest: JSON.stringify(results),
      };
      onRequest?.(report);
      return { messages: kept, breakpoints: [], report };
    },
    async recall({ handle, query, thread, callId, messages = [] }) {
      const state = { messages: [...(seen.get(thread)?.values() ?? []), ...toMessages(messages).messages] };
      const answer = (await recaller.invoke(
        {
          id: callId,
          name: recaller.name,
          args: { handle, ...(query === undefined ? {} : { query }) },
          type: 'tool_call',
        },
        { state, toolCallId: callId, configurable: { thread_id: thread } } as object,
      )) as ToolMessage;
      return { found: answer.status !== 'error', text: answer.text, held: heldOf(answer) };
    },
  };
}

const heldOf = ({ additional_kwargs }: ToolMessage): Held | undefined => {
  const data = additional_kwargs.context_shaping;
  return data === undefined ? undefined : { version: 1, digest: '', data };
};

const textOf = (content: readonly Content[]) =>
  content
    .map((each) =>
      each.type === 'text' ? each.text : each.type === 'json' ? JSON.stringify(each.value) : '',
    )
    .join('\n\n');

function resultMessage({ id, tool, content, failed, passages, held }: ResultPart): ToolMessage {
  return new ToolMessage({
    content: textOf(content),
    tool_call_id: id,
    name: tool,
    status: failed ? 'error' : 'success',
    ...(passages === undefined
      ? {}
      : {
          artifact: passages.map(
            ({ id, text, metadata }): DocumentInterface => ({
              id,
              pageContent: text,
              metadata: { ...metadata },
            }),
          ),
        }),
    additional_kwargs: held === undefined ? {} : { context_shaping: held.data },
  });
}

function toMessages(messages: readonly Message[]): {
  messages: BaseMessage[];
  places: { at: number; part?: number }[];
} {
  const list: BaseMessage[] = [];
  const places: { at: number; part?: number }[] = [];
  for (const [at, { role, parts }] of messages.entries()) {
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    if (role === 'system') list.push(new SystemMessage(text));
    else if (role === 'user') list.push(new HumanMessage(text));
    else if (role === 'assistant')
      list.push(
        new AIMessage({
          content: text,
          tool_calls: parts.flatMap((part) =>
            part.type === 'call'
              ? [
                  {
                    id: part.id,
                    name: part.tool,
                    args: part.input as Record<string, unknown>,
                    type: 'tool_call' as const,
                  },
                ]
              : [],
          ),
        }),
      );
    if (role !== 'tool') places.push({ at });
    for (const [place, part] of parts.entries()) {
      if (part.type !== 'result') continue;
      list.push(resultMessage(part));
      places.push({ at, part: place });
    }
  }
  return { messages: list, places };
}
