import type { BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { patient, tellObservers } from '../../src/internal.js';
import { emitEvicted } from '../documents/index.js';
import { cleanResult } from './clean.js';
import { lineOf, noteOf } from './note.js';
import type { Settings } from './options.js';
import { isShapedResult, type Passages, passagesOf, withPassages } from './passages.js';
import { chunksOf, outcomeOf, textOf, withheldBy } from './pool.js';

/** Share of a result's tokens that is reserved for the list of left-out passages. */
const LIST_SHARE = 1 / 8;

/** The query and the run for which a result is shaped. */
export interface Call {
  query: string;
  thread: string;
  /** Handle of the left-out passages. Default: the handle of the tool call's rest. */
  handle?: string | undefined;
  config: RunnableConfig & { writer?: unknown };
}

/** `ranked`: whether the passages are a ranking for the query, best first. */
interface RankedCall extends Call {
  ranked: boolean;
}

/**
 * Shapes a tool result for the query into `maxToolTokens`: its documents, or the blocks of a text that is too long. Returns
 * the same message if everything fits and there is nothing to deduplicate or sanitise.
 */
export async function shapeResult(
  message: ToolMessage,
  call: Call,
  settings: Settings,
): Promise<ToolMessage> {
  const passages = passagesOf(message);
  if (passages === undefined || isShapedResult(message)) return cleanResult(message, settings);
  // Documents are in the order of a search, blocks in the order of the text.
  return shapePassages(message, passages, { ...call, ranked: passages.are === 'documents' }, settings);
}

/** Shapes a message whose passages are known. */
export async function shapePassages(
  message: ToolMessage,
  passages: Passages,
  { query, thread, handle: given, config, ranked }: RankedCall,
  settings: Settings,
): Promise<ToolMessage> {
  const { maxToolTokens: most, countTokens, observers } = settings;
  const { shown, are, cuttable } = passages;
  const { signal } = config;
  const handle = given ?? settings.handles?.ofRest(thread, message.tool_call_id);
  const [size = 0, note = 0] = await countTokens([message.text, headOf(shown.length, shown.length, handle)]);
  const fits = size <= most;
  if (fits && are === 'blocks' && settings.withhold.length === 0) return cleanResult(message, settings);
  const members = shown.map((passage, place) => ({ passage, are, place, toolCallId: message.tool_call_id }));
  const chunks = chunksOf(members, settings);
  const tokens = await countTokens(chunks.map(({ rendered }) => rendered ?? ''));
  const sum = tokens.reduce((total, each) => total + each, 0);
  // A result that fits as the tool wrote it is not cut, even if its documents are longer when rendered here.
  let maxTokens = fits ? Math.max(most, sum) : most;
  let reserve = sum > maxTokens ? Math.max(note, Math.floor(most * LIST_SHARE)) : 0;
  for (;;) {
    const shaper = settings.shaperWith({
      budget: { maxTokens, reserve: Math.min(reserve, maxTokens - 1) },
      ...(are === 'blocks' ? { order: 'input' } : {}),
      ...(cuttable ? {} : { extract: false }),
    });
    const { chunks: stay, report } = await shaper.shape({
      query,
      chunks,
      ranked,
      signal,
    });
    const withheld = withheldBy(report, settings);
    const kept = stay.filter(({ index }) => !withheld.has(index));
    const isWhole = kept.length === chunks.length && kept.every(({ excerpts }) => excerpts === undefined);
    const said = new Set(kept.map(({ index }) => chunks[index]?.rendered));
    const outcome = outcomeOf(passages, { kept, withheld, evicted: report.evicted }, said, settings);
    const text = textOf(outcome.shown, are, settings);
    const [used = 0] = await countTokens([text]);
    const list = await listOf(outcome, { thread, handle, total: shown.length }, most - used, settings);
    const content = [text, list].filter((each) => each !== '').join('\n\n');
    const [all = 0] = await countTokens([content]);
    const isDone = (fits && isWhole) || all <= most || reserve >= most - 1;
    if (isDone) {
      await emitEvicted(await tellObservers(report, patient(observers), signal), config);
      const isSame = fits && isWhole && !kept.some(({ sanitised }) => sanitised);
      return isSame ? cleanResult(message, settings) : withPassages(message, content, outcome);
    }
    // In rare cases a joined text has more tokens than its parts together.
    maxTokens = most;
    reserve += all - most;
  }
}

/** A list of the left-out passages as far as there is room, most relevant first. The handle in its head reads all of them. */
async function listOf(
  { shown, cut, leftOut }: Passages,
  { thread, handle, total }: { thread: string; handle: string | undefined; total: number },
  room: number,
  { handles, countTokens, clean }: Settings,
): Promise<string> {
  const missing = leftOut.length + Object.keys(cut).length;
  if (missing === 0) return '';
  const head = headOf(total, missing, handle);
  if (handles === undefined) return head;
  const lines = [...leftOut, ...shown.flatMap((_, place) => cut[place] ?? [])].map(
    (passage) => `\n${clean(lineOf(handles.ofPassage(thread, passage), passage))}`,
  );
  const [used = 0, ...tokens] = await countTokens([head, ...lines]);
  let left = room - used;
  const listed = lines.filter((_, at) => {
    left -= tokens[at] as number;
    return left >= 0;
  });
  return head + listed.join('');
}

const headOf = (total: number, leftOut: number, handle: string | undefined): string =>
  noteOf({ total, leftOut, repeated: 0, handle });

/** The query of a tool call: its `query`, else its first text argument, else the newest question. */
export function queryOf(args: unknown, messages: readonly BaseMessage[]): string {
  const values = typeof args === 'object' && args !== null ? args : {};
  const asked = [(values as { query?: unknown }).query, ...Object.values(values)].find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  return asked ?? newestQuestion(messages);
}

/** The newest human message; empty if there is none. */
export const newestQuestion = (messages: readonly BaseMessage[]): string =>
  messages.findLast((message) => message.getType() === 'human')?.text ?? '';
