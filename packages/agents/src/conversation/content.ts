/** The content of a result: sanitised, and with the kept passages. */
import { parseJson } from 'context-shaping/kit';
import { type Cleaning, mapped } from '../sanitising.js';
import { droppedOf, hasPriorities, labelsOf } from '../structures/index.js';
import type { Content, ResultPart, TextPart } from './messages.js';
import type { Kept } from './pool.js';
import type { Piece, ReadResult, Shown } from './result.js';
import { renderedOf } from './stored.js';
import { SEPARATOR } from './tokens.js';

/** Content without its note. */
export interface Rebuilt {
  content: readonly { content: Content; is: 'text' | 'data' | 'other' }[];
  /** The place of the note if no passage is shown. */
  place: number;
  /** The left-out lines by label, and what all lines lack; a phrase each. */
  dropped: readonly string[];
}

/**
 * The content with the kept passages: documents in the given order, blocks in that of the text. Each passage stays in its
 * piece. Data keep their frame.
 *
 * @param cleaning sanitises the content.
 */
export function rebuild(
  { content, pieces, shown }: ReadResult,
  kept: readonly Kept[],
  cleaning: Cleaning,
  { frames = true } = {},
): Rebuilt {
  const written: { content: Content; is: 'text' | 'data' | 'other' }[] = [];
  const dropped: string[] = [];
  let place: number | undefined;
  for (const [at, each] of content.entries()) {
    if (each.type === 'other') written.push({ content: each, is: 'other' });
    const number = pieces.findIndex((piece) => piece.at === at);
    const piece = pieces[number];
    if (piece === undefined) continue;
    place ??= written.length;
    const own = kept.filter(({ index }) => shown[index]?.piece === number);
    const { text, dropped: gone } = textOf(piece, own, shown, frames);
    dropped.push(...gone);
    if (text !== '') written.push(contentOf(piece, each, text, cleaning));
  }
  return { content: written, place: place ?? written.length, dropped };
}

/** The content with the note behind the passages. In data it is a text of its own. */
export function withNote({ content, place }: Rebuilt, note: string): Content[] {
  const all = content.map((each) => each.content);
  if (note === '') return all;
  const last = content.findLastIndex(({ is }) => is !== 'other');
  const before = all[last];
  if (content[last]?.is === 'text' && before?.type === 'text')
    return all.with(last, { ...before, text: before.text + SEPARATOR + note });
  return all.toSpliced(last < 0 ? place : last + 1, 0, { type: 'text', text: note });
}

/** The result with this content and note. */
export const resultWith = (
  given: ResultPart,
  { are }: ReadResult,
  rebuilt: Rebuilt,
  kept: readonly Kept[],
  note: string,
): ResultPart => ({
  ...given,
  content: withNote(rebuilt, note),
  ...(are === 'documents' && { passages: kept.map(({ passage }) => passage) }),
});

function textOf(
  { structure }: Piece,
  kept: readonly Kept[],
  shown: readonly Shown[],
  frames: boolean,
): Pick<Rebuilt, 'dropped'> & { text: string } {
  const none = { dropped: [] };
  if (structure === undefined)
    return { text: kept.map(({ passage }) => passage.rendered ?? passage.text).join(SEPARATOR), ...none };
  if (kept.length === 0 && (structure.kind === 'text' || !frames)) return { text: '', ...none };
  const rebuilt = structure.rebuild(
    kept.map(({ index, passage, whole, isFolded }) => ({
      index: (shown[index] as Shown).place,
      ...(isFolded ? { isFolded } : whole ? { text: passage.text } : {}),
    })),
  );
  const phrases = hasPriorities(structure)
    ? [labelsOf(droppedOf(structure, rebuilt)).join(', '), ...(structure.removed ?? [])]
    : [];
  return { text: rebuilt.text, dropped: phrases.filter((phrase) => phrase !== '') };
}

function contentOf(
  { structure }: Piece,
  given: Content,
  text: string,
  cleaning: Cleaning,
): Rebuilt['content'][number] {
  if (given.type === 'json')
    return { content: { ...given, value: cleaning.cleanValue(JSON.parse(text)) }, is: 'data' };
  const isText = structure === undefined || structure.kind === 'text';
  const clean = isText ? cleaning.clean(text) : cleanData(text, cleaning);
  return { content: { ...(given as TextPart), text: clean }, is: isText ? 'text' : 'data' };
}

/** Sanitised data that still parse, if they did. */
function cleanData(text: string, { clean, cleanValue }: Cleaning): string {
  const cleaned = clean(text);
  if (cleaned === text || parseJson(cleaned) !== undefined) return cleaned;
  const value = parseJson(text);
  return value === undefined ? cleaned : JSON.stringify(cleanValue(value));
}

/**
 * A result, sanitised. Returns the same result if nothing changes.
 *
 * @param isShown whether the content shows the passages of the result.
 */
export function cleanResult(
  result: ResultPart,
  isShown: boolean,
  { clean, cleanValue }: Cleaning,
): ResultPart {
  const content = mapped(result.content, (each): Content => {
    if (each.type === 'other') return each;
    if (each.type === 'json') {
      const value = cleanValue(each.value);
      return value === each.value ? each : { ...each, value };
    }
    const text = clean(each.text);
    return text === each.text ? each : { ...each, text };
  });
  if (content === result.content) return result;
  if (result.passages === undefined || !isShown) return { ...result, content };
  const passages = mapped(result.passages, (passage) => {
    const text = clean(passage.text);
    const rendered = clean(renderedOf(passage));
    if (text === passage.text && rendered === renderedOf(passage)) return passage;
    return { ...passage, text, ...(passage.rendered == null ? {} : { rendered }) };
  });
  return { ...result, content, passages };
}
