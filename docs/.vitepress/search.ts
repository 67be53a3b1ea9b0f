/** The search of the site: which pages are in its index, which words are equal, and which pages come first. */
import type { DefaultTheme } from 'vitepress';

type Options = NonNullable<DefaultTheme.LocalSearchOptions>;

/** Lists of names, decisions and programs would hide the guides: the side bar leads to them. */
const LEFT_OUT = /^(?:reference\/api|examples|project)\/|^(?:index|playground|decisions)\.md$/;

/** Words of readers for which a page has its own. */
const WORDS: Readonly<Record<string, string>> = {
  'guide/getting-started.md': 'install quickstart tutorial vector store',
  'guide/when-to-use.md': 'limitations alternatives versus comparison benchmark summarize',
  'guide/budget.md': 'context window limit max tokens',
  'guide/troubleshooting.md': 'FAQ problems bug debug',
  'guide/command-line.md': 'CLI terminal JSON output',
  'guide/langchain.md': 'RAG contextual compression',
  'guide/review.md': 'approval interrupt human',
  'guide/conversation.md': 'chat history memory trim messages',
  'guide/tool-results.md': 'truncate compress logs',
  'guide/explain.md': 'debug missing',
  'guide/inspector.md': 'debug visualize UI dashboard',
  'guide/evaluate.md': 'evaluation metrics recall ground truth CI',
  'guide/lockfiles.md': 'snapshot regression reproduce',
  'guide/service.md': 'Python Java Go PHP REST other languages streaming events',
  'guide/deployment.md':
    'edge runtimes Cloudflare Workers Vercel Next.js Lambda webpack Vite esbuild scale scaling load',
  'guide/rerankers.md': 'Cohere Jina Voyage cross-encoder',
  'guide/embeddings.md': 'vectors OpenAI Ollama',
  'guide/log-probabilities.md': 'logprobs local models',
  'guide/trust.md': 'prompt injection security attack guardrails',
  'guide/telemetry.md': 'tracing observability OpenTelemetry Langfuse LangSmith',
  'concepts/pipeline.md': 'MMR maximal marginal relevance diversity',
  'concepts/relevance.md': 'score similarity threshold cut-off ranking multilingual',
  'concepts/answerable.md': 'hallucination confidence',
  'concepts/conflicts.md': 'remove duplicates contradictions disagree',
  'concepts/extraction.md': 'compress snippets highlights',
  'concepts/structures.md': 'tables CSV rows',
  'concepts/tokens.md': 'tokenizer limit',
  'concepts/determinism.md': 'reproducible random',
  'concepts/prompt-caches.md': 'price',
  'reference/options.md': 'k top-k limit maximum settings configuration',
};

/** The names in a program of a page. Its made-up texts are about bridges and plans, and would come first. */
const namesOf = (program: string) =>
  [...new Set(program.match(/\b[A-Za-z]+[a-z][A-Z]\w*\b|\bcontext-shaping[\w/-]*|@[\w-]+\/[\w-]+/g))].join(
    ' ',
  );

export const searchOptions: Options = {
  _render(source, env, md) {
    const page: string = env.relativePath;
    if (LEFT_OUT.test(page)) return '';
    // The index needs the names of a program; its colours take most of the time.
    const { highlight } = md.options;
    md.options.highlight = null;
    const html = md.render(source, env);
    md.options.highlight = highlight;
    return (
      html
        .replace(
          /<pre[\s\S]*?<\/pre>/g,
          (program) => `<pre>${namesOf(program.replace(/<[^>]*>/g, ''))}</pre>`,
        )
        // Behind the first heading, so that they count for the page as a whole.
        .replace('</h1>', `</h1><p>${WORDS[page] ?? ''}</p>`)
    );
  },
  miniSearch: {
    options: {
      // The browser gets the text of this function, so it uses nothing outside itself.
      processTerm(term: string) {
        const word = term.toLowerCase();
        const isCommon =
          /^(?:an?|and|are|at|be|by|can|do|does|for|how|i|in|is|its?|js|my|of|on|or|that|the|this|to|too|with)$/.test(
            word,
          );
        if (isCommon) return null;
        return (
          word
            // Synonyms.
            .replace(/^(?:costs?|cheap|expensive|money)$/, 'price')
            .replace(/^(?:fast|latency|performance|slow)$/, 'speed')
            .replace(/^dedup(?:lication|e)?$/, 'duplicate')
            .replace(/^licence$/, 'license')
            .replace(/^tiktoken$/, 'tokenizer')
            // Stems: endings, where four letters stay, and double letters before them.
            .replace(/ies$/, 'y')
            .replace(
              /^(.{4,}?)(?:ations?|at(?:e[ds]?|ing)|i[sz](?:ations?|e[drs]?|ers|ing)|ings?|e[drs]?|ers|(?<!s)s|y)$/,
              '$1',
            )
            .replace(/([bdgmnprt])\1$/, '$1')
        );
      },
    },
    searchOptions: {
      // A short word has many neighbours by one letter.
      fuzzy: (term: string) => (term.length > 5 ? 0.15 : false),
      prefix: (term: string) => term.length > 1,
      // Beside another word, a word of nearly all pages says little.
      boostTerm: (term: string, _place: number, terms: string[]) =>
        terms.length > 1 && /^(?:chunk|context|document|output|sourc|text|token)$/.test(term) ? 0.3 : 1,
      boost: { title: 6, text: 1, titles: 2 },
      boostDocument(id: string, term: string, stored?: Record<string, unknown>) {
        const isHead = (stored?.titles as readonly string[] | undefined)?.length === 0;
        const kind = /\/guide\//.test(id)
          ? 3
          : /\/concepts\//.test(id)
            ? 2.5
            : /\/(reference|migration|recipes)\//.test(id)
              ? 1.5
              : 1;
        // A page whose address has the word is about it.
        const isAbout = id.replace(/#.*/, '').includes(term);
        return kind * (isHead ? 2 : 1) * (isAbout ? 2 : 1);
      },
    },
  },
};
