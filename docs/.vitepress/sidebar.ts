/** The pages in their order. Their titles are their first headings. */
import { existsSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { GROUPS } from './groups';
import { anchorOf } from './markdown/links';
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

/** A sidebar for each entry of the package: its own names, and the other entries. TypeDoc writes the names. */
function api(): DefaultTheme.SidebarMulti {
  const file = 'reference/api/typedoc-sidebar.json';
  if (!existsSync(`${docs}/${file}`)) return { '/reference/api/': [API] };
  const [nested, core] = JSON.parse(read(`docs/${file}`)) as Required<DefaultTheme.SidebarItem>[];
  const entries = [core, ...(nested?.items ?? [])].flatMap((entry) =>
    entry?.link === undefined ? [] : [{ ...entry, link: entry.link, collapsed: false }],
  );
  const kinds = (link: string, items: DefaultTheme.SidebarItem[]) =>
    items.map((item) => ({ ...item, link: `${link}#${anchorOf(item.text ?? '')}` }));
  const name = ({ link }: { link: string }) => link.replace('/reference/api/', '').replace(/\/$/, '');
  const overview = entries.map((entry) => ({ text: name(entry), link: entry.link }));
  const own = entries.map(({ link, items = [] }): [string, DefaultTheme.SidebarItem[]] => [
    link,
    [
      API,
      ...overview.map((entry) =>
        entry.link === link ? { ...entry, collapsed: false, items: kinds(link, items) } : entry,
      ),
    ],
  ]);
  return { '/reference/api/': [API, ...overview], ...Object.fromEntries(own) };
}
