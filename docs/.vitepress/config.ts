import { writeFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { llmsFull, llmsIndex } from '../../scripts/llms';
import { definitionLists } from './markdown/definitions';
import { anchorOf, repositoryLinks } from './markdown/links';
import { mermaidDrawings } from './markdown/mermaid';
import { namesOfCode } from './markdown/names';
import { read, root, summaryOf } from './repository';
import { sidebar } from './sidebar';

/** Lists of names, decisions and programs would hide the guides in the search: the side bar leads to them. */
const UNSEARCHED =
  /^(?:reference\/api|examples|project)\/|^(?:index|playground|decisions|examples|public-names)\.md$/;

const { description, version } = JSON.parse(read('package.json'));

export default defineConfig({
  lang: 'en',
  title: 'context-shaping',
  description,
  // The folder of the site on its host, for instance /context-shaping/.
  base: process.env.DOCS_BASE ?? '/',
  // Names of pages keep .html, so that every file server finds them.
  cleanUrls: false,
  srcExclude: ['node_modules/**'],
  lastUpdated: false,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.DOCS_BASE ?? '/'}mark.svg` }],
    ['meta', { name: 'theme-color', content: '#f7f6f2', media: '(prefers-color-scheme: light)' }],
    ['meta', { name: 'theme-color', content: '#16181a', media: '(prefers-color-scheme: dark)' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'context-shaping' }],
  ],
  transformPageData(page) {
    page.description ||= summaryOf(page.relativePath) ?? description;
    page.frontmatter.head ??= [];
    page.frontmatter.head.push(
      ['meta', { property: 'og:title', content: page.title || 'context-shaping' }],
      ['meta', { property: 'og:description', content: page.description }],
    );
  },
  buildEnd({ outDir, site }) {
    writeFileSync(
      `${outDir}/llms.txt`,
      llmsIndex((page) => `${site.base}${page}.html`),
    );
    writeFileSync(`${outDir}/llms-full.txt`, llmsFull());
  },
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config(md) {
      md.use(repositoryLinks);
      md.use(definitionLists);
      md.use(mermaidDrawings);
      md.use(namesOfCode);
    },
  },
  vite: {
    server: { fs: { allow: [root] } },
    // The largest chunk is the index of the search.
    build: { chunkSizeWarningLimit: 2500 },
  },
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    nav: [
      { text: 'Guides', link: '/guide/getting-started', activeMatch: '^/(guide|recipes)/' },
      { text: 'Concepts', link: '/concepts/pipeline', activeMatch: '^/concepts/' },
      { text: 'Reference', link: '/reference/options', activeMatch: '^/reference/' },
      { text: 'Results', link: '/results/quality', activeMatch: '^/results/' },
      { text: 'Playground', link: '/playground' },
      {
        text: version,
        items: [
          { text: 'Changes', link: '/project/changelog' },
          { text: 'Design', link: '/project/design' },
          { text: 'Decisions', link: '/decisions' },
          { text: 'Contributing', link: '/project/contributing' },
          { text: 'Security', link: '/project/security' },
        ],
      },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: (source, env, md) => (UNSEARCHED.test(env.relativePath) ? '' : md.render(source, env)),
      },
    },
    externalLinkIcon: true,
    notFound: {
      quote: 'There is no such page. Search for it above, or start at the front page.',
      linkText: 'Front page',
      linkLabel: 'Front page',
    },
  },
});
