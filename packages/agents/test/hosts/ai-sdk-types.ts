/** The real types of both versions accept the objects of the adapter without casts. Never run. */
import type * as ai7 from 'ai';
import type * as ai6 from 'ai-6';
import * as z from 'zod';
import { aiSdkShaping, recallTool, shapingMiddleware } from '../../src/ai-sdk/index.js';

const shaping = aiSdkShaping({ maxTokens: 1000, thread: ({ providerOptions }) => String(providerOptions) });
const inputSchema = z.object({ query: z.string() });

export async function version6(
  { generateText, streamText, tool, ToolLoopAgent, wrapLanguageModel }: typeof ai6,
  given: Parameters<typeof ai6.wrapLanguageModel>[0]['model'],
) {
  const search = tool({ inputSchema, execute: async ({ query }) => [query.length] });
  const tools = { search, recall_passage: recallTool(shaping) };
  const model = wrapLanguageModel({ model: given, middleware: [shapingMiddleware(shaping)] });
  const { toolResults } = await generateText({ model, prompt: '', tools });
  for (const result of toolResults)
    if (result.dynamic) continue;
    else if (result.toolName === 'search') result.output satisfies number[];
    else if (result.toolName === 'recall_passage') result.output satisfies string;
  streamText({ model, prompt: '', tools });
  return new ToolLoopAgent({ model, tools });
}

export async function version7(
  { generateText, streamText, tool, ToolLoopAgent, wrapLanguageModel }: typeof ai7,
  given: Parameters<typeof ai7.wrapLanguageModel>[0]['model'],
) {
  const search = tool({ inputSchema, execute: async ({ query }) => [query.length] });
  const tools = { search, recall_passage: recallTool(shaping) };
  const model = wrapLanguageModel({ model: given, middleware: [shapingMiddleware(shaping)] });
  const { toolResults, responseMessages } = await generateText({ model, prompt: '', tools });
  responseMessages satisfies ai7.ModelMessage[];
  for (const result of toolResults)
    if (result.dynamic) continue;
    else if (result.toolName === 'search') result.output satisfies number[];
    else if (result.toolName === 'recall_passage') result.output satisfies string;
  streamText({ model, prompt: '', tools });
  return new ToolLoopAgent({ model, tools });
}
