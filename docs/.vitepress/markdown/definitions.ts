/**
 * Shows a table whose first column is a name, such as an option or a field, as a list of definitions. Four columns of
 * which one has sentences do not fit a narrow screen. In the repository it stays a table.
 */
import type { MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Headings of first columns. */
const NAMES = new Set(['option', 'field', 'names', 'entry']);
/** Cells that say nothing. */
const EMPTY = '–';

export function definitionLists(md: MarkdownIt): void {
  md.core.ruler.push('definition-lists', (state) => {
    const tokens: typeof state.tokens = [];
    for (let at = 0; at < state.tokens.length; at++) {
      const token = state.tokens[at] as (typeof state.tokens)[number];
      const end = state.tokens.findIndex(({ type }, place) => place > at && type === 'table_close');
      const table = token.type === 'table_open' ? state.tokens.slice(at, end + 1) : [];
      const headings = table.flatMap(({ type }, place) =>
        type === 'th_open' ? [table[place + 1]?.content ?? ''] : [],
      );
      if (!NAMES.has(headings[0] ?? '')) tokens.push(token);
      else {
        tokens.push(...definitionsOf(table, headings));
        at = end;
      }
    }
    state.tokens = tokens;

    function definitionsOf(table: typeof state.tokens, headings: readonly string[]): typeof state.tokens {
      const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content });
      const list = [html('<dl class="definitions">\n')];
      let column = 0;
      for (const [place, { type }] of table.entries()) {
        const cell = table[place + 1];
        if (type === 'tr_open') column = 0;
        if (type !== 'td_open' || cell === undefined) continue;
        const label = headings[column] ?? '';
        const isLast = column === headings.length - 1;
        if (column === 0)
          list.push(html(`${list.length > 1 ? '</div>' : ''}<div><dt>`), cell, html('</dt>\n'));
        else if (cell.content !== EMPTY)
          list.push(
            html(isLast ? '<dd>' : `<dd class="short"><span class="label">${label}: </span>`),
            cell,
            html('</dd>\n'),
          );
        column++;
      }
      return [...list, html('</div></dl>\n')];
    }
  });
}
