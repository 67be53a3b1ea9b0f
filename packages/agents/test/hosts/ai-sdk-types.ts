/** The real types of both versions accept the objects of the adapter without casts. Never run. */
import type * as ai7 from 'ai';
import type * as ai6 from 'ai-6';
import * as z from 'zod';
import {
  aiSdkShaping,
  recallTool,
  shapedReranking,
  shapedTool,
  shapingMiddleware,
} from '../../src/ai-sdk/index.js';

const shaping = aiSdkShaping({ maxTokens: 1000, thread: ({ providerOptions }) => String(providerOptions) });
const inputSchema = z.object({ query: z.string() });

export async function version6(
  { generateText, rerank, streamText, tool, ToolLoopAgent, wrapLanguageModel }: typeof ai6,
  given: Parameters<typeof ai6.wrapLanguageModel>[0]['model'],
) {
  const search = shapedTool(tool({ inputSchema, execute: async ({ query }) => [query.length] }), shaping);
  search satisfies ai6.Tool<{ query: string }, number[]>;
  // @ts-expect-error: the output keeps its type.
  search satisfies ai6.Tool<{ query: string }, string[]>;
  const dynamic = shapedTool(
    { type: 'dynamic', inputSchema, execute: async () => 'text' } satisfies ai6.Tool,
    shaping,
  );
  const tools = { search, recall_passage: recallTool(shaping) };
  const model = wrapLanguageModel({ model: given, middleware: [shapingMiddleware(shaping)] });
  const { toolResults } = await generateText({ model, prompt: '', tools });
  for (const result of toolResults)
    if (result.dynamic) continue;
    else if (result.toolName === 'search') result.output satisfies number[];
    else if (result.toolName === 'recall_passage') result.output satisfies string;
  streamText({
    model,
    prompt: '',
    tools: { ...tools, dynamic },
  });
  new ToolLoopAgent({ model, tools });
  return rerank({ model: shapedReranking(), documents: [{ a: 1 }], query: '' });
}

export async function version7(
  { generateText, rerank, streamText, tool, ToolLoopAgent, wrapLanguageModel }: typeof ai7,
  given: Parameters<typeof ai7.wrapLanguageModel>[0]['model'],
) {
  const search = shapedTool(tool({ inputSchema, execute: async ({ query }) => [query.length] }), shaping);
  search satisfies ai7.Tool<{ query: string }, number[]>;
  // @ts-expect-error: the output keeps its type.
  search satisfies ai7.Tool<{ query: string }, string[]>;
  const dynamic = shapedTool(
    { type: 'dynamic', inputSchema, execute: async () => 'text' } satisfies ai7.Tool,
    shaping,
  );
  const tools = { search, recall_passage: recallTool(shaping) };
  const model = wrapLanguageModel({ model: given, middleware: [shapingMiddleware(shaping)] });
  const { toolResults, responseMessages } = await generateText({ model, prompt: '', tools });
  responseMessages satisfies ai7.ModelMessage[];
  for (const result of toolResults)
    if (result.dynamic) continue;
    else if (result.toolName === 'search') result.output satisfies number[];
    else if (result.toolName === 'recall_passage') result.output satisfies string;
  streamText({
    model,
    prompt: '',
    tools: { ...tools, dynamic },
  });
  new ToolLoopAgent({ model, tools });
  return rerank({ model: shapedReranking(), documents: [{ a: 1 }], query: '' });
}
