/** The search of the site: which pages are in its index, and which come first. */
import type { DefaultTheme } from 'vitepress';

type Options = NonNullable<DefaultTheme.LocalSearchOptions>;

/** Lists of names, decisions and programs would hide the guides: the side bar leads to them. */
const LEFT_OUT = /^(?:reference\/api|decisions|examples|project)\/|^(?:index|playground)\.md$/;

/** Words of readers for which a page has its own. */
const WORDS: Readonly<Record<string, string>> = {
  'guide/service.md': 'Python Java Go PHP REST other languages streaming events',
  'guide/deployment.md': 'edge runtimes Cloudflare Workers Vercel Lambda webpack Vite esbuild',
  'guide/rerankers.md': 'rerank reranking Cohere Jina Voyage cross-encoder',
  'guide/embeddings.md': 'vectors OpenAI Ollama',
  'guide/log-probabilities.md': 'logprobs local models',
  'concepts/conflicts.md': 'duplicates deduplication contradictions disagree',
  'concepts/pipeline.md': 'MMR maximal marginal relevance diversity',
  'concepts/relevance.md': 'score similarity threshold cut-off',
  'concepts/prompt-caches.md': 'price money cost costs',
  'reference/options.md': 'k top-k limit maximum settings configuration',
  'guide/trust.md': 'prompt injection security attack',
  'guide/telemetry.md': 'tracing observability OpenTelemetry Langfuse LangSmith',
};

export const searchOptions: Options = {
  _render(source, env, md) {
    const page: string = env.relativePath;
    if (LEFT_OUT.test(page)) return '';
    // The index needs the words of a block; its colours take most of the time.
    const { highlight } = md.options;
    md.options.highlight = null;
    const html = md.render(source, env);
    md.options.highlight = highlight;
    // Behind the first heading, so that they count for the page as a whole.
    return html.replace('</h1>', `</h1><p>${WORDS[page] ?? ''}</p>`);
  },
  miniSearch: {
    searchOptions: {
      // A short word has many neighbours by one letter.
      fuzzy: (term: string) => (term.length > 5 ? 0.15 : false),
      prefix: (term: string) => term.length > 1,
      boost: { title: 6, text: 1, titles: 2 },
      boostDocument(id: string, _term: string, stored?: Record<string, unknown>) {
        const isHead = (stored?.titles as readonly string[] | undefined)?.length === 0;
        const kind = /\/guide\//.test(id)
          ? 3
          : /\/concepts\//.test(id)
            ? 2.5
            : /\/(reference|migration|recipes)\//.test(id)
              ? 1.5
              : 1;
        return isHead ? kind * 2 : kind;
      },
    },
  },
};
