import type { Arrived } from './arrive.js';
import type { Fate, Planned } from './cache-stable.js';
import { cleanContent, cleanPassages } from './clean.js';
import type { Message, Part, ResultPart, ToolSchema } from './messages.js';
import { shapeForNewest } from './newest-question.js';
import { readResult } from './result.js';
import type { Settings } from './settings.js';
import { partSizes, sum, toolTokens } from './tokens.js';

/** The messages of a request, with all older results shaped for the newest question. */
export async function newestQuestionList(
  {
    thread,
    messages,
    tools,
    signal,
  }: {
    thread: string;
    messages: readonly Message[];
    tools: readonly ToolSchema[];
    signal?: AbortSignal | undefined;
  },
  settings: Settings,
): Promise<Planned> {
  const { countTokens } = settings;
  const fixed = await toolTokens(tools, countTokens);
  const given = messages.map((message) => cleaned(message, thread, settings));
  const list = await shapeForNewest(given, { thread, fixed, signal }, settings);
  const sent = messages.map((): Message | undefined => undefined);
  for (const [place, message] of list.messages.entries()) sent[list.places[place] as number] = message;
  const [before, now] = await Promise.all([
    partSizes(messages, countTokens),
    partSizes(
      sent.map((message) => message ?? { role: 'user', parts: [] }),
      countTokens,
    ),
  ]);
  const entries: Planned['entries'][number][] = [];
  const fates = messages.flatMap(({ parts }, at) =>
    parts.flatMap((part, place): Fate[] => {
      if (part.type !== 'result') return [];
      const arrived = arrivedOf(part, thread, settings);
      const tokens = { given: before[at]?.[place] as number, sent: now[at]?.[place] ?? 0 };
      const own = sent[at]?.parts[place] as ResultPart | undefined;
      if (own === undefined)
        return [{ arrived, given: part, state: 'dropped', sent: part, tokens, shown: 0 }];
      const shaped = list.shaped.get(own);
      entries.push(...(shaped?.entries ?? []));
      const shown = shaped?.shown ?? arrived.shown;
      const isLess = shaped !== undefined || arrived.isShaped;
      const state = shaped?.shown === 0 ? 'relieved' : isLess ? 'shaped' : 'whole';
      return [{ arrived, given: part, state, sent: own, tokens, shown }];
    }),
  );
  const total = fixed + sum(now.flat());
  return {
    sent,
    fates,
    tokens: {
      given: fixed + sum(before.flat()),
      sent: total,
      system: sum(messages.flatMap(({ role }, at) => (role === 'system' ? (before[at] ?? []) : []))),
      tools: fixed,
    },
    breakpoints: [],
    reports: list.report === undefined ? [] : [list.report],
    entries,
  };
}

/** The message with the results of shaped tools sanitised; the same message if nothing changes. */
function cleaned(message: Message, thread: string, settings: Settings): Message {
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'result' || !settings.isShaped(part.tool)) return part;
    const content = cleanContent(part.content, settings);
    if (content === part.content) return part;
    const { passages } = part;
    const shows = passages !== undefined && arrivedOf(part, thread, settings).read?.are === 'documents';
    return { ...part, content, ...(shows ? { passages: cleanPassages(passages, settings) } : {}) };
  });
  return parts.some((part, at) => part !== message.parts[at]) ? { ...message, parts } : message;
}

function arrivedOf(result: ResultPart, thread: string, { handles }: Settings): Arrived {
  const read = readResult(result, [handles.ofRest(thread, result.id), handles.ofResult(thread, result.id)]);
  return {
    result,
    ...(read === undefined ? {} : { read }),
    isShaped: read?.isShaped ?? false,
    shown: read?.count ?? 0,
    entries: [],
  };
}
