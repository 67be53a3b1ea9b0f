/**
 * HTML and XML, which stay whole.
 *
 * Source: CommonMark 0.31, 4.6. Blocks of HTML end at a blank line, so that Markdown between two tags stays Markdown.
 * Elements with other names, and elements whose text is not Markdown, end with their closing tag.
 */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

const NAME = /^<\/?([A-Za-z][\w:.-]{0,60})(?=[\s/>]|$)/;
const HTML = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl ' +
    'dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe ' +
    'legend li link main menu menuitem nav noframes ol optgroup option p param search section summary tbody td ' +
    'tfoot th thead title tr track ul'
  ).split(' '),
);
/** Elements within a line of prose. They are part of that line. */
const INLINE = new Set(
  (
    'a abbr b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark q s samp small span ' +
    'strong sub sup time tt u var wbr'
  ).split(' '),
);

/** A heading alone. */
const HEADING = /^<h([1-6])(?:\s[^<>]{0,200})?>.{1,200}<\/h\1>$/is;

/** An element or a comment of HTML or XML. */
export const markup: Structure = {
  starts: (page, at) => markupEnd(page, at) > at,
  read(page, at) {
    const behind = markupEnd(page, at);
    const { start } = page.lines[at] as Line;
    const { end } = page.lines[behind - 1] as Line;
    const own = page.text.slice(start, end).trim();
    const level = HEADING.exec(own)?.[1];
    if (level !== undefined) page.addLines('heading', at, behind, { level: Number(level) });
    else page.addLines(isComment(own) ? 'mark' : 'block', at, behind);
    return behind;
  },
};

const isComment = (text: string) => text.startsWith('<!--') && text.indexOf('-->') === text.length - 3;

function markupEnd(page: Page, at: number): number {
  const { text } = page.lines[at] as Line;
  if (!text.startsWith('<')) return at;
  const name = NAME.exec(text)?.[1]?.toLowerCase();
  if (name !== undefined && INLINE.has(name)) return at;
  if ((name !== undefined && HTML.has(name)) || /^<!doctype html/i.test(text)) return untilBlank(page, at);
  return name !== undefined || text.startsWith('<?') || text.startsWith('<!') ? untilClosed(page, at) : at;
}

function untilBlank(page: Page, at: number): number {
  while (page.touches(at)) at++;
  return at + 1;
}

/**
 * Returns the index of the line after the one in which the element, or comment, closes. Returns `at` if it does not
 * close, or not at the end of a line.
 */
function untilClosed(page: Page, at: number): number {
  const { text, lines } = page;
  const line = lines[at] as Line;
  const start = line.end - line.text.length;
  if (start < page.searchedTo.markup) return at;
  const end = elementEnd(text, start);
  let behind = at + 1;
  while (behind < lines.length && (lines[behind] as Line).start < end) behind++;
  if (end === (lines[behind - 1] as Line).end) return behind;
  page.searchedTo.markup = end < 0 ? text.length : end;
  return at;
}

/**
 * Returns the offset at which the first element at or after `at` closes, or -1 if it does not close. Comments and
 * declarations before the element are skipped.
 */
function elementEnd(text: string, at: number): number {
  let depth = 0;
  for (let open = at; open >= 0; open = text.indexOf('<', open)) {
    const isComment = text.startsWith('<!--', open);
    const close = isComment ? text.indexOf('-->', open) + 2 : text.indexOf('>', open);
    if (close < open) return -1;
    const next = text[open + 1];
    if (next === '/') depth--;
    else if (next !== '!' && next !== '?' && text[close - 1] !== '/') depth++;
    open = close + 1;
    if (depth <= 0 && (isComment || next !== '?')) return open;
  }
  return -1;
}
