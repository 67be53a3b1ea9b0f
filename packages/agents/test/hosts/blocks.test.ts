/** Every block that hosts and providers have, in a result of a tool, through every host and door. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { answer, call, lines } from '../../../mcp/test/support.js';
import { shapingMiddleware } from '../../src/ai-sdk/index.js';
import { areBlocks, textsOf } from '../../src/blocks.js';
import type { RequestReport } from '../../src/conversation/index.js';
import { contextShapingMiddleware } from '../../src/langchain/index.js';
import { contextShapingProcessor } from '../../src/mastra/index.js';
import { openAiAgentsShaping, shapedModelInput } from '../../src/openai-agents/index.js';
import { shapeToolResult } from '../../src/tool-results/index.js';
import { type BlockOf, blocksWith } from './block-samples.js';
import { missing } from './installed.js';

const MOST = 600;
/** A part of a message has these besides its texts. */
const BESIDE = 4;
const tokenizer = (text: string) => Math.ceil(text.length / 4);
const TEXT = Array.from({ length: 400 }, (_, at) => `Pump ${1000 + at} has a red valve.`).join('\n');
/** Tokens of the sentences of the text that a value has, at least. */
const tokensIn = (value: unknown) => 5 * (JSON.stringify(value).match(/Pump \d{4} has a/g)?.length ?? 0);

type Block = Readonly<Record<string, unknown>>;

interface Passed {
  sent: readonly unknown[];
  tokens: { given: number; sent: number };
  /** Kinds of content whose tokens are unknown, images among them. */
  declared: readonly string[];
}

type Door = (blocks: readonly Block[]) => Promise<Passed>;

const OPTIONS = { maxTokens: 1_000_000, maxToolTokens: MOST, tokenizer };
const QUESTION = 'Which valve has pump 1200?';

/** A door of requests, whose report has the tokens of the only result. */
function ofRequests(
  send: (blocks: readonly Block[], onRequest: (report: RequestReport) => void) => Promise<readonly unknown[]>,
): Door {
  return async (blocks) => {
    let report: RequestReport | undefined;
    const sent = await send(blocks, (each) => {
      report = each;
    });
    const { unknown = [], images, results: [result] = [] } = report ?? {};
    const declared = [...unknown.map(({ kind }) => kind), ...(images === undefined ? [] : ['image'])];
    const beside = BESIDE + (images?.tokens ?? 0);
    const { given = 0, sent: now = 0 } = result?.tokens ?? {};
    return { sent, tokens: { given: given - beside, sent: now - beside }, declared };
  };
}

const prompt = (blocks: readonly Block[]) => [
  { role: 'user' as const, content: [{ type: 'text', text: QUESTION }] },
  {
    role: 'assistant' as const,
    content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'read', input: {} }],
  },
  {
    role: 'tool' as const,
    content: [
      { type: 'tool-result', toolCallId: 'c', toolName: 'read', output: { type: 'content', value: blocks } },
    ],
  },
];
const outputIn = (sent: readonly { content: unknown }[]) =>
  (sent.at(-1) as { content: { output: { value: unknown[] } }[] }).content[0]?.output.value ?? [];

const DOORS: Readonly<Record<string, Door>> = {
  LangChain: ofRequests(async (blocks, onRequest) => {
    const { wrapModelCall } = contextShapingMiddleware({ ...OPTIONS, onRequest, mode: 'model' });
    const messages = [
      new HumanMessage(QUESTION),
      new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'read', args: {} }] }),
      new ToolMessage({ tool_call_id: 'c', content: blocks as never }),
    ];
    let sent: unknown[] = [];
    await wrapModelCall?.(
      { messages, tools: [], runtime: {}, state: {} } as never,
      (async (request: { messages: ToolMessage[] }) => {
        sent = request.messages.at(-1)?.content as unknown[];
        return new AIMessage('Seen.');
      }) as never,
    );
    return sent;
  }),
  'AI SDK': ofRequests(async (blocks, onRequest) => {
    const { transformParams } = shapingMiddleware({ ...OPTIONS, onRequest });
    return outputIn((await transformParams({ params: { prompt: prompt(blocks) } })).prompt);
  }),
  Mastra: ofRequests(async (blocks, onRequest) => {
    const processor = contextShapingProcessor({ ...OPTIONS, onRequest });
    return outputIn((await processor.processLLMRequest({ prompt: prompt(blocks), state: {} })).prompt);
  }),
  'OpenAI Agents': ofRequests(async (blocks, onRequest) => {
    const filter = shapedModelInput(openAiAgentsShaping({ ...OPTIONS, onRequest }));
    const input = [
      { role: 'user', content: QUESTION },
      { type: 'function_call', callId: 'c', name: 'read', arguments: '{}' },
      { type: 'function_call_result', callId: 'c', name: 'read', output: blocks as unknown },
    ];
    const sent = await filter({ modelData: { input }, agent: {}, context: undefined });
    return sent.input.at(-1)?.output as unknown[];
  }),
  shapeToolResult: async (blocks) => {
    const { content, report } = await shapeToolResult({ content: blocks, maxTokens: MOST, tokenizer });
    return {
      sent: content,
      tokens: report.tokens,
      declared: blocks.flatMap((block) => textsOf(block).media),
    };
  },
  'MCP proxy': async (blocks) => {
    let passed: Omit<Passed, 'sent'> | undefined;
    const { client, server } = lines({
      maxTokens: MOST,
      tokenizer,
      onCall: ({ tokens, unknown }) => {
        passed = { tokens: tokens.content, declared: unknown.map(({ kind }) => kind) };
      },
    });
    client.write(call(1, 'read', { query: QUESTION }));
    await server.next();
    server.write(answer(1, { content: blocks }));
    const { result } = await client.next();
    return { sent: (result as { content: unknown[] }).content, ...(passed as Omit<Passed, 'sent'>) };
  },
};

/** A text beside the block, so that each result has to shrink. */
const BESIDE_IT = { type: 'text', text: TEXT };
const named = ({ type, block }: BlockOf) =>
  `${type} ${Object.keys(block).slice(1)} ${JSON.stringify(block).length}`;

describe.each(Object.entries(DOORS))('%s', (_, door) => {
  const samples = [
    ...blocksWith(TEXT),
    { type: 'of_tomorrow', block: { type: 'of_tomorrow', body: [TEXT] } },
  ];
  test.each(samples.map((sample) => [named(sample as BlockOf), sample.block] as const))(
    '%s is counted, and the result has room or the block stays',
    async (_, block) => {
      const { texts, media } = textsOf(block);
      const { sent, tokens, declared } = await door([block, BESIDE_IT]);
      expect(tokens.given).toBeGreaterThanOrEqual(tokensIn([block, BESIDE_IT]));
      expect(tokens.sent).toBeGreaterThanOrEqual(tokensIn(sent));
      expect(declared.length > 0 || tokens.given > tokenizer(TEXT)).toBe(true);
      expect(media.length > 0).toBe(declared.length > 0);
      const fixed = texts.length > 0 ? 0 : tokenizer(JSON.stringify(block));
      expect(tokens.sent).toBeLessThanOrEqual(Math.max(MOST, fixed + NOTE));
      if (texts.length === 0) expect(sent).toContainEqual(block);
      expect(sent.filter((each) => (each as Block).type === undefined)).toEqual([]);
    },
  );

  test('a block that has room stays as it is', async () => {
    for (const { block } of blocksWith('short')) expect((await door([block])).sent).toEqual([block]);
  });
});

/** Tokens of a note about texts that all went. */
const NOTE = 40;

/** The column of a block. */
function treatment({ block }: BlockOf): string {
  const { texts, media } = textsOf(block);
  if (texts.length > 0) return 'texts shrink';
  if (media.length === 0) return 'counted, unchanged';
  return media.every((kind) => kind === 'image') ? 'an image: counts as `images`' : 'data: in `unknown`';
}

test('the page of the package says what becomes of each type of block', () => {
  const samples = blocksWith(TEXT);
  const hosts = [...new Set(samples.flatMap(({ of }) => of))];
  const columns = [
    'texts shrink',
    'counted, unchanged',
    'an image: counts as `images`',
    'data: in `unknown`',
  ];
  const rows = hosts.map((host) => [
    host,
    ...columns.map((column) => {
      const own = samples.filter((each) => each.of.includes(host) && treatment(each) === column);
      return [...new Set(own.map(({ type }) => `\`${type}\``))].sort().join(', ');
    }),
  ]);
  const table = [['', ...columns], columns.map(() => '---').concat('---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  const page = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(page).toContain(table);
});

test('records with a field `type` are no blocks', () => {
  expect(areBlocks([{ type: 'file', name: 'a.ts', path: 'src/a.ts', url: 'https://example.org' }])).toBe(
    false,
  );
  expect(areBlocks([{ type: 'bug', id: 1 }])).toBe(false);
  expect(areBlocks([{ type: 'of_tomorrow' }, { type: 'text', text: 'a' }])).toBe(true);
  expect(areBlocks([])).toBe(false);
});

test.skipIf(missing('@mastra/core') !== undefined)('no host has a type that these samples lack', () => {
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '--noEmit', '-p', import.meta.dirname], { stdio: 'pipe' });
});
