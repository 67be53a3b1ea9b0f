/**
 * The index of the documents for language models (https://llmstxt.org): in the package `llms.txt` with paths of its
 * files, on the site the same with addresses of pages, and `llms-full.txt` with the whole texts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { GROUPS } from '../docs/.vitepress/groups.js';
import { summaryOf, titleOf } from '../docs/.vitepress/repository.js';

const { description, name } = JSON.parse(readFileSync('package.json', 'utf8'));
const SKILL = 'packages/mcp/claude-code/skills/context-shaping/SKILL.md';

const pagesIn = (pages: readonly string[]) => pages.filter((page) => existsSync(`docs/${page}.md`));

/** @param address the address of a page, such as `guide/agents`; by default its file in the package. */
export function llmsIndex(address = (page: string): string => `docs/${page}.md`): string {
  const groups = GROUPS.map(({ text, pages }) => {
    const lines = pagesIn(pages).map((page) => {
      const sentence = /^.+?[.:?](?=\s|$)/.exec(summaryOf(`${page}.md`) ?? '')?.[0].replace(/:$/, '.');
      return `- [${titleOf(page)}](${address(page)})${sentence === undefined ? '' : `: ${sentence}`}`;
    });
    return [`## ${text}`, '', ...lines, ''].join('\n');
  });
  return [`# ${name}`, '', `> ${description}`, '', bodyOf(SKILL), ...groups].join('\n');
}

/** The skill and all pages of the groups, one after the other. */
export const llmsFull = (): string =>
  [
    `# ${name}\n\n> ${description}\n\n${bodyOf(SKILL)}`,
    ...GROUPS.flatMap(({ pages }) => pagesIn(pages).map((page) => readFileSync(`docs/${page}.md`, 'utf8'))),
  ].join('\n');

/** Without the front matter and the title; headings are one level lower. */
const bodyOf = (skill: string) =>
  readFileSync(skill, 'utf8')
    .replace(/^---[\s\S]*?\n---\n+# .+\n+/, '')
    .replace(/^## /gm, '### ');
