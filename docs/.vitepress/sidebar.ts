/** The pages in their order. Their titles are their first headings. */
import { existsSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { anchorOf } from './markdown/links';
import { docs, examplePages, projectPages, read, titleOf } from './repository';

const GROUPS: readonly { text: string; pages: readonly string[]; open?: true }[] = [
  {
    text: 'Guides',
    open: true,
    pages: [
      'guide/getting-started',
      'guide/langchain',
      'guide/langgraph',
      'guide/review',
      'guide/agents',
      'guide/conversation',
      'guide/tool-results',
      'guide/ai-sdk',
      'guide/mastra',
      'guide/llamaindex',
      'guide/genkit',
      'guide/openai-agents',
      'guide/mcp',
      'guide/hook',
      'guide/embeddings',
      'guide/log-probabilities',
      'guide/rerankers',
      'guide/transformers',
      'guide/trust',
      'guide/explain',
      'guide/inspector',
      'guide/lockfiles',
      'guide/evaluate',
      'guide/telemetry',
      'guide/command-line',
      'guide/batch',
      'guide/service',
      'guide/deployment',
      'guide/growing',
    ],
  },
  {
    text: 'Concepts',
    pages: [
      'concepts/pipeline',
      'concepts/relevance',
      'concepts/answerable',
      'concepts/conflicts',
      'concepts/extraction',
      'concepts/structures',
      'concepts/tokens',
      'concepts/ledger',
      'concepts/determinism',
      'concepts/prompt-caches',
      'glossary',
    ],
  },
  {
    text: 'Reference',
    pages: [
      'reference/options',
      'reference/report',
      'reference/errors',
      'reference/exit-codes',
      'public-names',
    ],
  },
  {
    text: 'Results',
    pages: [
      'results/quality',
      'results/scoreboard',
      'results/speed',
      'results/tokens',
      'results/conformance',
    ],
  },
  {
    text: 'Migration',
    pages: [
      'migration/contextual-compression',
      'migration/llamaindex',
      'migration/slimcontext',
      'migration/entropy-pruning',
    ],
  },
  { text: 'Recipes', pages: ['recipes/custom-stage', 'recipes/custom-port'] },
];

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
    group('Project', [...project, { text: 'Decisions', link: '/decisions/' }]),
  ];
  return { ...api(), '/decisions/': decisions(), '/': main };
}

/** The groups of the index of the decisions. */
function decisions(): DefaultTheme.SidebarItem[] {
  const sections = read('docs/decisions/README.md').split(/^## /m).slice(1);
  return [
    { text: 'Decisions', link: '/decisions/' },
    ...sections.map((section) => ({
      text: section.split('\n', 1)[0] ?? '',
      items: Array.from(section.matchAll(/^- \[(\d+)\]\((.+)\.md\) (.+)$/gm), ([, number, file, title]) => ({
        text: `${Number(number)}. ${title?.replace(/`/g, '')}`,
        link: `/decisions/${file}`,
      })),
    })),
  ];
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
