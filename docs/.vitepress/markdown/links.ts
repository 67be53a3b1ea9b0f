/** Links and images as GitHub and npm resolve them: relative to the file in the repository, also if it is outside of docs/. */
import { posix } from 'node:path';
import type { MarkdownOptions } from 'vitepress';
import { examplePages, projectPages, titleOf } from '../repository';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** The anchors of GitHub and npm: lower case, spaces as hyphens, no punctuation. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Sends links to files outside of docs/ to their page. A link to a file without a page becomes plain text. */
export function repositoryLinks(md: MarkdownIt): void {
  md.core.ruler.push('repository-links', ({ env, tokens }) => {
    const page = env.relativePath;
    if (page === undefined) return;
    for (const { children } of tokens) {
      let plain = false;
      for (const token of children ?? []) {
        if (token.type === 'image') token.attrSet('src', imageOf(token.attrGet('src') ?? '', page));
        if (token.type === 'link_open') {
          const target = targetOf(token.attrGet('href') ?? '', page);
          plain = target === undefined;
          if (target !== undefined) token.attrSet('href', target);
        }
        if (plain && /^link_(open|close)$/.test(token.type)) {
          plain = token.type === 'link_open';
          token.tag = 'span';
          token.type = 'text_link';
        }
      }
    }
  });
}

/** @returns undefined if the file has no page. */
function targetOf(href: string, page: string): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = pageOf(fileOf(path, page));
  if (target === undefined) return undefined;
  return `/${target}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The address at which the README finds images on npm, which shows no image of the package by its path. */
const PUBLISHED = 'https://unpkg.com/context-shaping/docs/public/';

/** The address of an image; those in docs/public are copied to the root of the site. */
function imageOf(src: string, page: string): string {
  if (src.startsWith(PUBLISHED)) return src.slice(PUBLISHED.length - 1);
  if (/^(?:[a-z]+:|\/)/.test(src)) return src;
  const file = fileOf(src, page);
  return file.startsWith('docs/public/') ? file.slice('docs/public'.length) : src;
}

const fileOf = (path: string, page: string) =>
  posix.normalize(posix.join(posix.dirname(sourceOf(page)), decodeURI(path)));

/** The file of the repository whose text the page has. */
function sourceOf(page: string): string {
  const [, folder, name = ''] = /^(project|examples)\/(.+)\.md$/.exec(page) ?? [];
  if (folder === 'project') return projectPages[name] ?? page;
  return folder === 'examples' ? `examples/${name}.ts` : `docs/${page}`;
}

function pageOf(file: string): string | undefined {
  if (file === 'docs' || file === 'docs/') return 'index.md';
  if (file.startsWith('docs/')) return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
  if (/^examples\/?$/.test(file)) return titleOf('examples') && 'examples.md';
  const example = /^examples\/(.+)\.ts$/.exec(file)?.[1];
  if (example !== undefined && examplePages().includes(example)) return `examples/${example}.md`;
  const project = Object.entries(projectPages).find(([, path]) => path === file)?.[0];
  return project === undefined ? undefined : `project/${project}.md`;
}
