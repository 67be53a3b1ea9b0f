/** The pages in their order, by group: of the side bar, and of llms.txt. */
export const GROUPS: readonly { text: string; pages: readonly string[]; open?: true }[] = [
  {
    text: 'Start',
    open: true,
    pages: ['guide/getting-started', 'guide/when-to-use', 'guide/budget'],
  },
  {
    text: 'Retrieval',
    pages: ['guide/langchain', 'guide/langgraph', 'guide/llamaindex'],
  },
  {
    text: 'Agents',
    pages: ['guide/agents', 'guide/ai-sdk', 'guide/other-agents', 'guide/tool-results', 'guide/mcp'],
  },
  {
    text: 'Models',
    pages: ['guide/embeddings', 'guide/log-probabilities'],
  },
  {
    text: 'Understand',
    pages: ['guide/explain', 'guide/evaluate', 'guide/devtools', 'guide/trust'],
  },
  {
    text: 'Operate',
    pages: ['guide/platforms', 'guide/service', 'guide/telemetry'],
  },
  {
    text: 'Concepts',
    pages: [
      'concepts/pipeline',
      'concepts/relevance',
      'concepts/answerable',
      'concepts/corrective-retrieval',
      'concepts/utility',
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
      'reference/telemetry',
      'public-names',
    ],
  },
  {
    text: 'Results',
    pages: [
      'results/real-lists',
      'results/quality',
      'results/scoreboard',
      'results/speed',
      'results/utility',
      'results/tokens',
      'results/tool-results',
      'results/conformance',
    ],
  },
  {
    text: 'Migration',
    pages: [
      'migration/from-0.x',
      'migration/contextual-compression',
      'migration/llamaindex',
      'migration/slimcontext',
      'migration/entropy-pruning',
    ],
  },
  { text: 'Recipes', pages: ['recipes/custom-stage', 'recipes/custom-port'] },
];
