/** The pages in their order. Their titles are their first headings. */
import { existsSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { GROUPS } from './groups';
import { docs, examplePages, projectPages, read, titleOf } from './repository';

const API = { text: 'API', link: '/reference/api/' };

const page = (path: string) => {
  const text = titleOf(path);
  return text === undefined ? [] : [{ text, link: `/${path}` }];
};

interface Link {
  text: string;
  link: string;
}

/** The title leads to the first page: without a link it would be a button around a button. */
const group = (text: string, items: Link[], open = false): DefaultTheme.SidebarItem => ({
  text,
  collapsed: !open,
  ...(items[0] === undefined ? {} : { link: items[0].link }),
  items,
});

export function sidebar(): DefaultTheme.SidebarMulti {
  const groups = GROUPS.map(({ text, pages, open }) =>
    group(text, [...pages.flatMap(page), ...(text === 'Reference' ? [API] : [])], open),
  );
  const project = Object.entries(projectPages).map(([name, path]) => ({
    text: /^# (.+)$/m.exec(read(path))?.[1] ?? name,
    link: `/project/${name}`,
  }));
  const main = [
    { text: 'Playground', link: '/playground' },
    ...groups,
    group('Examples', [
      ...page('examples'),
      ...examplePages().map((name) => ({ text: name, link: `/examples/${name}` })),
    ]),
    group('Project', [...project, { text: 'Decisions', link: '/decisions' }]),
  ];
  return { ...api(), '/': main };
}

/** The entries of the packages. TypeDoc writes their list; a page has its own names beside it. */
function api(): DefaultTheme.SidebarMulti {
  const file = 'reference/api/typedoc-sidebar.json';
  if (!existsSync(`${docs}/${file}`)) return { '/reference/api/': [API] };
  const [nested, core] = JSON.parse(read(`docs/${file}`)) as Required<DefaultTheme.SidebarItem>[];
  const entries = [core, ...(nested?.items ?? [])].flatMap(({ link } = {} as DefaultTheme.SidebarItem) =>
    link === undefined ? [] : [{ text: link.replace(API.link, '').replace(/\/$/, ''), link }],
  );
  return { '/reference/api/': [API, ...entries] };
}
