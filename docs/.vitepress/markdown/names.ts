/** Shows the name that a block has in brackets: the file to save it as, or `output`. Flags of commands get a class. */
import type { MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

export function namesOfCode(md: MarkdownIt): void {
  const { code_inline: inline, fence } = md.renderer.rules;
  if (inline === undefined || fence === undefined) throw new Error('markdown-it has no rules for code.');
  md.renderer.rules.code_inline = (tokens, at, ...rest) => {
    // A line may break after a hyphen, which would take a flag apart.
    if (/^-\S+$/.test(tokens[at]?.content ?? '')) tokens[at]?.attrJoin('class', 'flag');
    return inline(tokens, at, ...rest);
  };
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    // Read first: rendering removes it.
    const name = /\[(.+)\]/.exec(tokens[at]?.info ?? '')?.[1];
    const block = fence(tokens, at, ...rest);
    if (name === undefined) return block;
    return `<div class="named"><p class="block-name">${md.utils.escapeHtml(name)}</p>${block}</div>`;
  };
}
