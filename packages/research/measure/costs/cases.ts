/** Every exported function of the packages, with a call that gives it a text, or the reason why there is none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Document } from '@langchain/core/documents';
import * as core from 'context-shaping';
import * as cli from 'context-shaping/cli';
import { staticEmbedder } from 'context-shaping/embeddings';
import * as entropy from 'context-shaping/entropy';
import * as explaining from 'context-shaping/explain';
import * as internal from 'context-shaping/internal';
import * as kit from 'context-shaping/kit';
import { ContextShapingCompressor, formatDocument } from 'context-shaping/langchain';
import { createConversationShaper, shapeToolResult } from 'context-shaping-agents';
import * as agents from 'context-shaping-agents/internal';
import * as evaluation from 'context-shaping-devtools/evaluate';
import { evaluationPage, inspectorPage } from 'context-shaping-devtools/inspector';
import * as lockfile from 'context-shaping-devtools/lockfile';
import { TINY } from '../../../../test/adapters/embeddings/static-model.js';
import { engineOf } from '../../../mcp/src/engine.js';
import { hookCommand } from '../../../mcp/src/hook/command.js';
import { resolveOptions } from '../../../mcp/src/options.js';
import { keepOutput, readOutput } from '../../../mcp/src/output-store.js';
import { createOptimize } from '../../../server/src/workers/optimize/optimize.js';
import { createShape } from '../../../server/src/workers/shape.js';

/** Why a function has no call. */
export type Reason =
  | 'takes no text'
  | 'takes a name, a number or an option'
  | 'takes a result, which another case makes'
  | 'hands texts to createShaper'
  | 'hands texts to createConversationShaper'
  | 'hands texts to a model or a service'
  | 'hands texts to a store'
  | 'serves tests';

/** Functions whose arguments are names, numbers and options. */
const withoutText = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'takes a name, a number or an option' as const]));

export type Case = (text: string) => unknown;

const QUERY = 'When did the bridge open?';
const budget = { maxTokens: 1800 };
const other = { id: 'b', text: 'The bridge opened in 1932, after seven years of work.' };
const chunksOf = (text: string) => [{ id: 'a', text, metadata: { title: 'A' } }, other];
const inputOf = (text: string) => ({ query: QUERY, chunks: chunksOf(text) });
const shaped = (text: string, options: core.ShapingOptions = {}) =>
  core.createShaper({ budget, ...options }).shape(inputOf(text));
const recorded = async (text: string) => lockfile.recordContext(await shaped(text));
const evaluated = (text: string) =>
  evaluation.evaluate({
    cases: [
      {
        query: QUERY,
        chunks: [text, other.text],
        evidence: { answers: ['1932', text.trim().slice(0, 200) || '1932'] },
      },
    ],
    methods: [{ name: 'shaped', options: {} }],
    budgets: [500],
  });
/** A block for each line. */
const blocksIn = (text: string) => text.split('\n').map((line) => ({ type: 'text', text: line }));
const request = (text: string) => JSON.stringify({ ...inputOf(text), options: { budget } });
const message = (text: string) => ({
  thread: 'one',
  messages: [
    { role: 'user' as const, parts: [{ type: 'text' as const, text: QUERY }] },
    {
      role: 'assistant' as const,
      parts: [{ type: 'call' as const, id: 'c', tool: 'search', input: { query: QUERY } }],
    },
    {
      role: 'tool' as const,
      parts: [
        { type: 'result' as const, id: 'c', tool: 'search', content: [{ type: 'text' as const, text }] },
      ],
    },
  ],
});
const toolResult = (content: unknown, query?: string) =>
  shapeToolResult({ content, maxTokens: 2000, ...(query === undefined ? {} : { query }) });
async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'costs-'));
  return use(folder).finally(() => rmSync(folder, { recursive: true }));
}
const hook = (given: string) =>
  hookCommand(() => ({ maxTokens: 2000, minTokens: 2000, timeout: 600, query: QUERY }), {
    stdin: Readable.from([Buffer.from(given)]),
    stdout: new PassThrough().resume(),
    stderr: new PassThrough().resume(),
    env: {},
    signal: new AbortController().signal,
  } as never);
async function proxied(result: object): Promise<unknown> {
  const engine = await engineOf(resolveOptions({ maxTokens: 2000, handleKey: 'the key of the costs' }));
  const host = {
    signal: new AbortController().signal,
    schema: async () => undefined,
    get: async () => undefined,
    onError() {},
  };
  return engine.shape(JSON.stringify({ result }), { tool: 'search', args: { query: QUERY } }, host);
}
/** Unwritten errors: many of these functions refuse most texts, and refusing must not take long either. */
const refusing =
  (run: Case): Case =>
  async (text) => {
    try {
      return await run(text);
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };
/** By entry and by name. Several calls of one function have a name after a colon. */
export const CASES: Readonly<Record<string, Readonly<Record<string, Case | Reason>>>> = {
  'context-shaping': {
    createShaper: (text) => shaped(text),
    'createShaper: half of the text': (text) =>
      shaped(text, { budget: { maxTokens: Math.ceil(text.length / 8) } }),
    'createShaper: exact tokens': (text) => shaped(text, { tokenizer: 'o200k_base' }),
    'createShaper: as the question': (text) =>
      core.createShaper({ budget }).shape({ query: text, chunks: chunksOf(QUERY) }),
    'createShaper: as lines': (text) =>
      core.createShaper({ budget, k: 20 }).shape({
        query: QUERY,
        chunks: text.match(/[\s\S]{1,2000}/g)?.map((each, at) => ({ id: `${at}`, text: each })) ?? [],
      }),
    ContextShapingError: 'takes no text',
    byRelevance: 'takes no text',
    estimateTokens: core.estimateTokens,
    headerText: core.headerText,
    renderContext: (text) => core.renderContext(chunksOf(text)),
    sanitise: (text) => core.sanitise(text, 'strip'),
    withRelevance: 'takes no text',
  },
  'context-shaping/langchain': {
    ContextShapingCompressor: (text) =>
      new ContextShapingCompressor({ budget }).compressDocuments(
        [new Document({ pageContent: text })],
        QUERY,
      ),
    ShapedRetriever: 'hands texts to createShaper',
    chatJudge: 'hands texts to a model or a service',
    createShapedRetrieverTool: 'hands texts to createShaper',
    ...withoutText('documentShaper emitEvicted shaperFields toChunks'),
    formatDocument: (text) => formatDocument(new Document({ pageContent: text })),
    fromLangChainEmbeddings: 'hands texts to a model or a service',
    langChainReranker: 'hands texts to a model or a service',
  },
  'context-shaping/langgraph': {
    createCragGraph: 'hands texts to createShaper',
    pendingReviews: 'takes a name, a number or an option',
    resume: 'takes a name, a number or an option',
  },
  'context-shaping-agents/langchain': {
    contextShapingMiddleware: 'hands texts to createConversationShaper',
  },
  'context-shaping/llamaindex': { ContextShapingPostprocessor: 'hands texts to createShaper' },
  'context-shaping/embeddings': {
    loadStaticEmbedder: 'takes a name, a number or an option',
    staticEmbedder: (text) => staticEmbedder(TINY).embed([text, QUERY], { queryIndex: 1 }),
  },
  'context-shaping/entropy': {
    calculateShannonEntropy: entropy.calculateShannonEntropy,
    calculateTokenEntropy: entropy.calculateTokenEntropy,
    scoreChunk: entropy.scoreChunk,
  },
  'context-shaping/explain': {
    formatReport: async (text) => explaining.formatReport((await shaped(text)).report),
    reportLines: 'takes a result, which another case makes',
    explain: async (text) => explaining.explain(await shaped(text), 'a'),
    formatExplanation: async (text) =>
      explaining.formatExplanation(await explaining.explain(await shaped(text), 'b')),
    optionsWritten: (query) => explaining.optionsWritten({ query }),
  },
  'context-shaping/logprobs': {
    llamaServer: 'hands texts to a model or a service',
    nodeLlamaCpp: 'hands texts to a model or a service',
    ollamaModel: 'hands texts to a model or a service',
    openAICompatible: 'hands texts to a model or a service',
  },
  'context-shaping/rerankers': {
    httpReranker: 'hands texts to a model or a service',
    rerankJudge: 'hands texts to a model or a service',
  },
  'context-shaping-devtools/lockfile': {
    diffContexts: async (text) =>
      lockfile.formatDiff(lockfile.diffContexts(await recorded(text), await recorded(`${text} more`))),
    formatDiff: 'takes a result, which another case makes',
    formatLockfile: async (text) => lockfile.formatLockfile(await recorded(text)),
    openLockfile: 'takes a result, which another case makes',
    parseLockfile: refusing(lockfile.parseLockfile),
    recordContext: recorded,
    replayContext: async (text) => lockfile.replayContext(await recorded(text)),
    toMatchContext: 'serves tests',
  },
  'context-shaping-devtools/evaluate': {
    compareEvaluations: 'takes a result, which another case makes',
    evaluate: evaluated,
    fitMethods: 'takes no text',
    fitOf: 'takes a result, which another case makes',
    formatEvaluation: 'takes a result, which another case makes',
    fitModels: 'hands texts to a model or a service',
    formatFit: 'takes a result, which another case makes',
    formatModelFit: 'takes a result, which another case makes',
    parseEvaluation: refusing((text) => evaluation.parseEvaluation(text as never)),
    parseEvaluationCase: (text) =>
      evaluation.parseEvaluationCase({ query: QUERY, chunks: [text], evidence: { answers: [text] } }),
    toKeepEvidence: 'serves tests',
  },
  'context-shaping/telemetry': { openTelemetry: 'takes no text' },
  'context-shaping-devtools/inspector': {
    evaluationPage: async (text) => evaluationPage(await evaluated(text)),
    inspectorPage: async (text) => inspectorPage([await recorded(text)]),
  },
  'context-shaping/testing': Object.fromEntries(
    'fakeEmbedder fakeJudge fakeLogprobModel fakeReranker'
      .split(' ')
      .map((name) => [name, 'serves tests' as const]),
  ),
  'context-shaping-agents': {
    createConversationShaper: (text) =>
      createConversationShaper({ maxToolTokens: 2000, handleKey: 'the key of the costs' }).shapeRequest(
        message(text),
      ),
    'createConversationShaper: the whole request': (text) =>
      createConversationShaper({ maxTokens: 3000, handleKey: 'the key of the costs' } as never).shapeRequest(
        message(text),
      ),
    'createConversationShaper: recall': async (text) => {
      const shaper = createConversationShaper({ maxToolTokens: 500, handleKey: 'the key of the costs' });
      const { messages } = await shaper.shapeRequest(message(text));
      const handle = /recall_passage ([\w-]+)/.exec(JSON.stringify(messages))?.[1] ?? 'none';
      return shaper.recall({ thread: 'one', callId: 'r', handle, query: QUERY });
    },
    memoryPassageStore: 'hands texts to a store',
    readRecallInput: 'takes a name, a number or an option',
    shapeToolResult: (text) => toolResult(text),
    'shapeToolResult: with a question': (text) => toolResult(text, QUERY),
    'shapeToolResult: content items': (text) => toolResult([{ type: 'text', text }]),
    'shapeToolResult: an item for each line': (text) => toolResult(blocksIn(text)),
    'shapeToolResult: a value': (text) => toolResult(kit.parseJson(text) ?? { stdout: text, exitCode: 0 }),
  },
  'context-shaping-agents/passage-store': {
    sqlitePassageStore: 'hands texts to a store',
  },
  'context-shaping-agents/ai-sdk': {
    aiSdkShaping: 'takes a name, a number or an option',
    recallTool: 'hands texts to createConversationShaper',
    shapingMiddleware: 'hands texts to createConversationShaper',
  },
  'context-shaping-agents/mastra': {
    contextShapingProcessor: 'hands texts to createConversationShaper',
  },
  'context-shaping-agents/openai-agents': {
    openAiAgentsShaping: 'takes a name, a number or an option',
    recallTool: 'hands texts to createConversationShaper',
    shapedModelInput: 'hands texts to createConversationShaper',
  },
  'context-shaping/kit': {
    ...withoutText(
      'builtIns defined fieldsAsWritten ifPresent invalidInput invalidOption isObject loadTokenCounter makeFolder messageOf nearest openOwn packVector parseOptions pinTest readOwn rethrowControlFlow serviceError tellingOf within',
    ),
    beginningOf: (text) => kit.beginningOf(text, 100),
    digestOf: kit.digestOf,
    parseJson: kit.parseJson,
    readShapeRequest: refusing((text) => kit.readShapeRequest(kit.parseJson(request(text)))),
  },
  'context-shaping/cli': {
    ...withoutText(
      'Ends UsageError applyFlags checkWritable decimal demoPool flagNamed newProgram pipeAt readInput readJson readShapeInput start startProgress widthOf wholeNumber withHelpAfterErrors withOptionFlags withShapeFlags write writeText',
    ),
    parseJsonFile: refusing((text) => cli.parseJsonFile(text, 'a.json')),
    printable: cli.printable,
    readText: refusing((text) =>
      cli.readText('a', 'Give a text.', new AbortController().signal, async () => Buffer.from(text)),
    ),
  },
  'context-shaping/internal': {
    ...withoutText(
      'Recording checkAnswer checkNames condensedIndex conflictsInContext cosines createRecordedShaper defaultStage distinctIds ecsSettingsOf gram groupBy hasMethods importOptional inGroup insideOf isService linkage maximalMarginalRelevance mergeOptions optionsSchema orAborted pack readyShaper resolveOptions said sealReport sessionOf silence tableOf tellInTime toldError why',
    ),
    cellsIn: internal.cellsIn,
    unitsOf: internal.unitsOf,
    frameTokens: 'takes a result, which another case makes',
    hiddenIn: internal.hiddenIn,
    isAscii: internal.isAscii,
    searchTermsOf: (text) => internal.searchTermsOf(QUERY, [text]),
    tableLayout: (text) => internal.tableLayout(text.split('\n').map((line) => [...internal.cellsIn(line)])),
  },
  'context-shaping-agents/tool-calls': withoutText('isRead toolTest'),
  'context-shaping-agents/internal': {
    areBlocks: (text) => agents.areBlocks(blocksIn(text)),
    blocksOf: (text) =>
      agents.blocksOf(blocksIn(text), agents.contentOf(blocksIn(text)), (own) => ({
        type: 'text',
        text: own,
      })),
    cleaned: (text) => agents.cleaned(text, 'strip'),
    'cleaned: escape': (text) => agents.cleaned(text, 'escape'),
    contentOf: (text) => agents.contentOf(blocksIn(text)),
    contentText: (text) => agents.contentText(agents.contentOf(blocksIn(text))),
    excerptOf: (text) =>
      agents.excerptOf(agents.linesIn(text), {}, { maxTokens: 2000, count: core.estimateTokens }),
    'excerptOf: a pattern': refusing((text) =>
      agents.excerptOf(
        agents.linesIn(text),
        { pattern: 'a.*b' },
        { maxTokens: 2000, count: core.estimateTokens },
      ),
    ),
    linesIn: agents.linesIn,
    textsOf: (text) =>
      agents.textsOf({ type: 'document', title: text, source: { type: 'text', data: text } }),
    'textsOf: data': (text) => agents.textsOf({ type: 'image', data: text }),
    unknownIn: (text) => agents.unknownIn(agents.contentOf(blocksIn(text))),
  },
  'context-shaping-mcp': {
    createOutputServer: 'takes a name, a number or an option',
    createShapingServer: 'hands texts to createShaper',
    lineTransport: 'takes no text',
    proxyMcp: (text) => proxied({ content: [{ type: 'text', text }] }),
    'proxyMcp: structured': (text) => proxied({ content: [], structuredContent: { stdout: text } }),
    startServer: 'takes a name, a number or an option',
  },
  'context-shaping-server': {
    createService: (text) => createShape({} as never, 500)({ body: Buffer.from(request(text)) } as never),
    'createService: optimize': async (text) =>
      (await createOptimize({} as never))({
        body: Buffer.from(JSON.stringify({ chunks: [{ id: 'a', text }, other], query: QUERY })),
      } as never),
  },
  // Programs, and functions behind them.
  'the command line': {
    'keepOutput: an output': (text) => withFolder((folder) => keepOutput(folder, text)),
    'readOutput: an output': (text) =>
      withFolder(async (folder) => readOutput(folder, await keepOutput(folder, text))),
    'hook: an output': hook,
    'hook: an event': (text) =>
      hook(
        JSON.stringify({
          hook_event_name: 'PostToolUse',
          tool_name: 'Bash',
          tool_input: { command: 'x' },
          tool_response: { stdout: text, stderr: '' },
        }),
      ),
  },
};
