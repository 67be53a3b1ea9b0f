import { lazyRegExp } from '../../runtime/lazily.js';
import { beginningOf } from '../characters.js';
import { applyEdits } from '../edits.js';
import { DIRECTION_CONTROLS, escaped } from './classes.js';
import { hiddenIn } from './hidden.js';

/** Characters to read for each one to show, because white space is joined. */
const READ = 4;
const DIRECTIONS = lazyRegExp(`[${DIRECTION_CONTROLS}]`, 'g');
/** An escape, or a character with its marks. Emoji that a joiner connects are together. */
const PARTS = lazyRegExp(
  String.raw`\\u\{[\dA-F]+\}|\P{M}\p{M}{0,8}(?:\u200d\P{M}\p{M}{0,8})*|\p{M}{1,8}`,
  'gu',
);

/**
 * The first characters of a text on one line, at most `most` in UTF-16 code units. It ends at the end of a word if that
 * leaves at least half of them, and never inside a character. White space becomes one space; hidden characters, and those
 * that change the direction of the text, are escaped (`\u{202E}`).
 */
export function previewOf(text: string, most: number): string {
  const start = text.trimStart();
  const window = start.length > READ * most ? beginningOf(start, READ * most) : start;
  const edits = hiddenIn(window).map((span) => ({
    ...span,
    text: Array.from(window.slice(span.start, span.end), escaped).join(''),
  }));
  const line = applyEdits(window, edits)
    .replace(DIRECTIONS(), escaped)
    .replace(/[\s\x85]+/g, ' ')
    .trimEnd();
  let end = 0;
  for (const [part] of line.matchAll(PARTS())) {
    if (end + part.length > most) break;
    end += part.length;
  }
  const isAll = end === line.length && window.length === start.length;
  if (isAll || line[end] === ' ') return line.slice(0, end);
  const space = line.lastIndexOf(' ', end);
  return line.slice(0, space >= end / 2 ? space : end);
}
