/** Shows the name that a block has in brackets: the file to save it as, or `output`. */
import type { MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

export function namesOfBlocks(md: MarkdownIt): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error('markdown-it has no rule for fences.');
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    // Read first: rendering removes it.
    const name = /\[(.+)\]/.exec(tokens[at]?.info ?? '')?.[1];
    const block = fence(tokens, at, ...rest);
    if (name === undefined) return block;
    return `<div class="named"><p class="block-name">${md.utils.escapeHtml(name)}</p>${block}</div>`;
  };
}
