/**
 * An agent of the AI SDK with a search tool answers six questions; a middleware shapes its requests.
 *
 * Look at the tokens: a request has at most 900, and most of them are as in the request before, for the prompt cache.
 *
 *     npm install context-shaping-agents ai zod
 *
 * Runs offline with a scripted model. `aiSdkShaping` is shared by the middleware and the tool that recalls.
 */
import { generateText, type ModelMessage, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { aiSdkShaping, recallTool, shapingMiddleware } from 'context-shaping-agents/ai-sdk';
import * as z from 'zod';

// Unchecked prose: an invented guide.
const PLACES = [
  'Harbour Bridge',
  'Old Lighthouse',
  'Ferry Terminal',
  'City Museum',
  'Botanic Garden',
  'Fish Market',
];
const guide = PLACES.flatMap((place, at) => [
  `The ${place} is open from ${at + 6} to ${at + 17} o’clock, every day except the first Monday of the month.`,
  `The ${place} was opened on ${at + 3} May ${1932 + at * 7}, after ${at + 2} years of work and two strikes.`,
  `Tickets of the ${place} are ${at + 4} dollars for adults; children under ${at + 5} and dogs are free.`,
  `How to get there: bus ${at + 301} stops in front of the ${place} every ${at + 9} minutes, on Sundays half as often.`,
]);

const search = tool({
  description: 'Searches the guide to the sights of the city.',
  inputSchema: z.object({ query: z.string() }),
  // Stands for your retriever: it finds the whole guide for every question.
  execute: async () => guide.join('\n\n'),
});

const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
const rest = { usage: { inputTokens: tokens, outputTokens: tokens }, warnings: [] };

/** Searches for each question, then answers with the line of the result that has the place and the opening. */
const scripted = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const question = JSON.stringify(prompt.findLast(({ role }) => role === 'user')?.content);
    const place = PLACES.find((each) => question.includes(each)) ?? '';
    if (prompt.at(-1)?.role !== 'tool') {
      const input = JSON.stringify({ query: `When was the ${place} opened?` });
      const call = { type: 'tool-call', toolCallId: place, toolName: 'search', input } as const;
      return { ...rest, content: [call], finishReason: { unified: 'tool-calls', raw: undefined } };
    }
    const result = JSON.stringify(prompt.at(-1)?.content);
    const [text = 'I do not know.'] = new RegExp(`The ${place} was opened [^,]*`).exec(result) ?? [];
    return { ...rest, content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: undefined } };
  },
});

const requests: { given: number; sent: number; cached: number }[] = [];
const shaping = aiSdkShaping({
  maxTokens: 900,
  maxToolTokens: 150,
  handleKey: 'a secret of the application',
  onRequest: ({ tokens: { given, sent }, cache }) =>
    requests.push({ given, sent, cached: cache?.stablePrefixTokens ?? 0 }),
});
const model = wrapLanguageModel({ model: scripted, middleware: shapingMiddleware(shaping) });

const messages: ModelMessage[] = [];
for (const place of PLACES) {
  messages.push({ role: 'user', content: `When was the ${place} opened?` });
  const { text, response } = await generateText({
    model,
    tools: { search, recall_passage: recallTool(shaping) },
    messages,
    stopWhen: stepCountIs(5),
  });
  // In `ai` 7: `responseMessages`.
  messages.push(...response.messages);
  console.log(text);
}

console.log('tokens without shaping:', requests.map(({ given }) => given).join(' '));
console.log('tokens with shaping:   ', requests.map(({ sent }) => sent).join(' '));
console.log('of them as before:     ', requests.map(({ cached }) => cached).join(' '));
