/** Draws the Mermaid diagrams when the site is built: the page needs no script, and the colours follow the theme. */
import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

export function mermaidDrawings(md: MarkdownIt): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error('markdown-it has no rule for fences.');
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info = '', content = '' } = tokens[at] ?? {};
    if (info.trim() !== 'mermaid') return fence(tokens, at, ...rest);
    return `<figure class="drawing" role="img" aria-label="${descriptionOf(content)}" tabindex="0" v-pre>${draw(content)}</figure>`;
  };
}

function draw(source: string): string {
  return (
    renderMermaidSVG(plain(source), { transparent: true, padding: 8 })
      // The library asks for a font of another host, and sets its own colours.
      .replace(/\s*@import url\([^)]*\);/, '')
      .replace(/ style="--bg:[^"]*"/, '')
      .replace(/^<svg /, '<svg aria-hidden="true" ')
      .replace(/\n\s*\n/g, '\n')
  );
}

/** Without what the library does not read: directives, classes, tags in labels, semicolons at the end of lines. */
const plain = (source: string) =>
  source.replace(/^\s*(?:%%\{.*\}%%|classDef .*)\n/gm, '').replace(/:::\w+|<\/?p>|;$/gm, '');

/** The edges in words. */
function descriptionOf(source: string): string {
  const edges = Array.from(plain(source).matchAll(/(\w+) -.*?-> ?(?:\|.*?\| ?)?(\w+)/g), ([, from, to]) => ({
    from: from ?? '',
    to: to ?? '',
  }));
  const froms = [...new Set(edges.map(({ from }) => from))];
  const leads = froms.map((from) => {
    const targets = edges.filter((edge) => edge.from === from).map(({ to }) => to);
    return `${from} leads to ${targets.join(' or ')}`;
  });
  return `Diagram: ${leads.join('; ')}.`.replaceAll('_', '');
}
