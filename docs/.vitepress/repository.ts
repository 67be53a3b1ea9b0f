/** The place of the site within the repository, and the files outside of docs/ that are its pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const docs = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Documents of the repository, by the name of their page under project/. */
export const projectPages: Readonly<Record<string, string>> = {
  readme: 'README.md',
  design: 'DESIGN.md',
  contributing: 'CONTRIBUTING.md',
  security: 'SECURITY.md',
  changelog: 'CHANGELOG.md',
  tests: 'test/README.md',
};

/** Programs of the folder examples, by the name of their page under examples/. */
export const examplePages = (): string[] =>
  readdirSync(`${root}/examples`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''));

export const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');

/** The first heading of a page, without markup; undefined if there is no such page. */
export function titleOf(page: string): string | undefined {
  if (!existsSync(`${docs}/${page}.md`)) return undefined;
  return /^# (.+)$/m.exec(read(`docs/${page}.md`))?.[1]?.replace(/`/g, '');
}

/** The first paragraph of a page without markup, for search engines and previews of links. */
export function summaryOf(page: string): string | undefined {
  if (!existsSync(`${docs}/${page}`)) return undefined;
  const paragraph = /^# .+\n+(?=[\p{L}`])((?:.+\n)+)/mu.exec(read(`docs/${page}`))?.[1];
  return paragraph
    ?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|\s+$/g, '')
    .replaceAll('\n', ' ');
}
