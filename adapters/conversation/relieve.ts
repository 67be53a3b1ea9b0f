import { type Arrived, withContent } from './arrive.js';
import { rebuild, withNote } from './content.js';
import { toHeld, toStored } from './held.js';
import type { ResultPart } from './messages.js';
import { wholePassages } from './result.js';
import type { Settings } from './settings.js';
import { entriesOf } from './stored.js';
import { contentText } from './tokens.js';

/** A result of which only its note is left. Its passages can be recalled by the handle of the result. */
export function relieved(
  { given, arrived, note }: { given: ResultPart; arrived: Arrived; note: string },
  thread: string,
  settings: Settings,
): { result: ResultPart; entries: readonly (readonly [key: string, value: string])[] } {
  const { read } = arrived;
  if (read === undefined) return { result: given, entries: [] };
  const content = withNote(rebuild(read, [], settings, { frames: false }), note);
  const passages = wholePassages(read);
  const documents = read.are === 'documents';
  const held = toHeld(contentText(content), {
    documents,
    note,
    total: read.total,
    shown: 0,
    cut: [],
    leftOut: passages.map(toStored),
  });
  return {
    result: withContent(given, content, held, documents ? [] : undefined),
    entries: settings.recall
      ? entriesOf({ callId: given.id, of: 'result', are: read.are, passages }, thread, 0, settings.handles)
      : [],
  };
}
