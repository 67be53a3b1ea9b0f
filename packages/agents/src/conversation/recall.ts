/** Reads passages that results left out, by the handles of their notes. */
import { ContextShapingError } from 'context-shaping';
import { tellInTime } from 'context-shaping/internal';
import { isObject, loadTokenCounter, rethrowControlFlow, within } from 'context-shaping/kit';
import { excerptOf, type Line, linesIn, type Wanted } from '../excerpts.js';
import type { RecallCall, Recalled, RecallInput } from './conversation-shaper.js';
import type { Message, Passage, ResultPart } from './messages.js';
import { RECALL_TOOL } from './note.js';
import { MOST_TOOL_TOKENS, type Settings } from './options.js';
import { linesOf, passagesResult } from './result.js';
import { shapePassages } from './shape-passages.js';
import { readStored, renderedOf } from './stored.js';
import { contentText, SEPARATOR } from './tokens.js';
import { newestQuestion, turnsOf } from './turns.js';

/** The description of {@link RECALL_TOOL}, which a model reads. */
export const RECALL_DESCRIPTION =
  'Reads passages that were left out of the results of other tools, by the handle in the note at the end ' +
  'of such a result. Call it if the passages that are shown do not answer the question.';

/** The JSON schema of the arguments of {@link RECALL_TOOL}. */
// Unchecked prose: a model reads it, as it was when figures were measured.
export const recallToolSchema = {
  type: 'object',
  properties: {
    handle: { type: 'string', description: 'The handle, as it stands in the note.' },
    query: {
      type: 'string',
      description:
        'What to look for, where the handle is of several passages. Default: the question of the user.',
    },
    lines: { type: 'string', description: 'Such as 120-180.' },
    pattern: { type: 'string', description: 'Text or regular expression.' },
  },
  required: ['handle'],
  additionalProperties: false,
} as const;

/** The arguments of a call as a model wrote them, without those that are no texts; undefined if no handle is among them. */
export function readRecallInput(value: unknown): RecallInput | undefined {
  if (!isObject(value) || typeof value.handle !== 'string') return undefined;
  const textOf = (name: 'query' | 'lines' | 'pattern') =>
    typeof value[name] === 'string' ? { [name]: value[name] } : {};
  return { handle: value.handle, ...textOf('query'), ...textOf('lines'), ...textOf('pattern') };
}

const REFUSAL =
  'This handle is of no passage of this conversation. Handles are valid only as they stand in a note at the end ' +
  'of a tool result of this conversation, not in the text of a passage. Copy it exactly, or search again.';

const UNAVAILABLE =
  'The passages of this handle cannot be read now. Try again later, search again, or answer without them.';

export async function recall(call: RecallCall, settings: Settings): Promise<Recalled> {
  const { handle, query, lines, pattern, thread, callId, messages = [], signal } = call;
  let found: Awaited<ReturnType<typeof readStored>>;
  try {
    const read = (stop: AbortSignal) => readStored(handle, thread, settings, stop);
    found = await within(settings.storeMs, signal, read);
  } catch (error) {
    rethrowControlFlow(error, signal);
    return { found: false, text: UNAVAILABLE };
  }
  if (found === undefined) return { found: false, text: REFUSAL };
  if (lines !== undefined || pattern !== undefined)
    return excerpt(found.passages, { lines, pattern }, settings);
  const passages = inOrder(unread(found.passages, messages, settings));
  const isOne = passages.length === 1;
  const areLines = passages.every((passage) => linesOf(passage) !== undefined);
  const text = passages
    .map((passage) => settings.clean(renderedOf(passage)))
    .join(areLines ? '\n' : SEPARATOR);
  const [tokens = 0] = await settings.countTokens([text]);
  const content = [{ type: 'text', text }] as const;
  const given: ResultPart = { type: 'result', id: callId, tool: RECALL_TOOL, content };
  const isSmall = isOne && tokens <= Math.max(settings.maxToolTokens, MOST_TOOL_TOKENS);
  const { shaped, report }: Awaited<ReturnType<typeof shapePassages>> = isSmall
    ? {}
    : await shapePassages(
        { ...passagesResult(passages, found.are, isOne), content },
        {
          given,
          query: query?.trim() ? query : newestQuestion(messages),
          handle,
          nameOf: found.nameOf,
          most: settings.maxToolTokens,
          // The passages were found for another question.
          ranked: false,
          signal,
        },
        settings,
      );
  if (report !== undefined) await tellInTime(report, settings.observers, signal);
  const { result, shown } = shaped ?? { result: given, shown: passages };
  return {
    found: true,
    text: contentText(result.content),
    ...(found.are === 'documents' ? { passages: shown } : {}),
  };
}

/** Lines of the passages, without a note: the excerpt itself names the lines that are left. */
async function excerpt(
  passages: readonly Passage[],
  wanted: Wanted,
  { clean, maxToolTokens, shaper }: Settings,
): Promise<Recalled> {
  const count = await loadTokenCounter(shaper.options.tokenizer);
  try {
    const text = excerptOf(numbered(passages, clean), wanted, { maxTokens: maxToolTokens, count });
    return { found: true, text };
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    return { found: false, text: error.message };
  }
}

/** The lines of passages with their numbers in the result. Passages without numbers are counted on behind the others. */
function numbered(passages: readonly Passage[], clean: Settings['clean']): Line[] {
  const lines = passages.flatMap((passage) => {
    const [first, last = first] = linesOf(passage) ?? [];
    if (first === undefined || last === undefined) return [];
    const texts = clean(passage.text).split('\n');
    // A name before the lines, such as that of a file, has the number of the first one.
    const names = Math.max(0, texts.length - (last - first + 1));
    return texts.map((text, at) => ({ number: Math.max(first, first + at - names), text }));
  });
  lines.sort((a, b) => a.number - b.number);
  const others = passages.filter((passage) => linesOf(passage) === undefined);
  if (others.length === 0) return lines;
  const behind = lines.at(-1)?.number ?? 0;
  const more = linesIn(others.map((passage) => clean(renderedOf(passage))).join(SEPARATOR));
  return [...lines, ...more.map(({ number, text }) => ({ number: behind + number, text }))];
}

const resultsIn = (messages: readonly Message[]): ResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part): part is ResultPart => part.type === 'result'));

/** Lines of one text in their order; other passages as they are. */
function inOrder(passages: readonly Passage[]): readonly Passage[] {
  const firstOf = (passage: Passage) => linesOf(passage)?.[0];
  if (passages.some((passage) => firstOf(passage) === undefined)) return passages;
  return passages.toSorted((a, b) => (firstOf(a) as number) - (firstOf(b) as number));
}

/** The passages that no recall in this turn has shown; all if every passage was shown. */
function unread(
  passages: readonly Passage[],
  messages: readonly Message[],
  { clean }: Settings,
): readonly Passage[] {
  if (passages.length === 1) return passages;
  const answers = resultsIn(messages.slice(turnsOf(messages).at(-1)?.start))
    .filter(({ tool }) => tool === RECALL_TOOL)
    .map(({ content }) => contentText(content));
  const left = passages.filter((passage) => {
    const text = clean(renderedOf(passage));
    return !answers.some((answer) => answer.includes(text));
  });
  return left.length === 0 ? passages : left;
}
