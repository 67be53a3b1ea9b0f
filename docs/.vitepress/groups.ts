/** The pages in their order, by group: of the side bar, and of llms.txt. */
export const GROUPS: readonly { text: string; pages: readonly string[]; open?: true }[] = [
  {
    text: 'Start',
    open: true,
    pages: [
      'guide/getting-started',
      'guide/when-to-use',
      'guide/budget',
      'guide/troubleshooting',
      'guide/command-line',
    ],
  },
  {
    text: 'Frameworks',
    pages: [
      'guide/langchain',
      'guide/langgraph',
      'guide/review',
      'guide/ai-sdk',
      'guide/mastra',
      'guide/llamaindex',
    ],
  },
  {
    text: 'Agents',
    pages: [
      'guide/agents',
      'guide/conversation',
      'guide/tool-results',
      'guide/openai-agents',
      'guide/mcp',
      'guide/hook',
    ],
  },
  {
    text: 'Models',
    pages: ['guide/embeddings', 'guide/rerankers', 'guide/log-probabilities', 'guide/transformers'],
  },
  {
    text: 'Understand',
    pages: ['guide/explain', 'guide/inspector', 'guide/evaluate', 'guide/lockfiles', 'guide/trust'],
  },
  {
    text: 'Operate',
    pages: ['guide/batch', 'guide/service', 'guide/deployment', 'guide/telemetry'],
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
      'results/utility',
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
