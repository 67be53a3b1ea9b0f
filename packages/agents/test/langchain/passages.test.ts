/** Results of tools whose content or extras others have written to. */
import { Document } from '@langchain/core/documents';
import { type BaseMessage, HumanMessage, type ToolMessage } from '@langchain/core/messages';
import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { createAgent, createMiddleware } from 'langchain';
import { expect, test } from 'vitest';
import { results, ScriptedModel, searching, searchTool, tokensOf } from './support.js';

const documents = Array.from(
  { length: 20 },
  (_, at) =>
    new Document({
      id: `f${at}`,
      pageContent: `Ferry ${at} leaves every ${at + 10} minutes; ask ann${at}@pier.org.`,
    }),
);

test('what another middleware took out of a shaped result does not come back', async () => {
  const redaction = createMiddleware({
    name: 'Redaction',
    wrapToolCall: async (request, handler) => {
      const result = (await handler(request)) as ToolMessage;
      return Object.assign(Object.create(Object.getPrototypeOf(result)), result, {
        content: result.text.replace(/\S+@\S+/g, '(address)'),
      });
    },
  });
  const model = new ScriptedModel(searching);
  const agent = createAgent({
    model,
    tools: [searchTool(documents)],
    middleware: [redaction, contextShapingMiddleware({ maxToolTokens: 400, maxTokens: 350 })],
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('When does ferry 7 leave?')] });
  const request = model.requests.at(-1) as BaseMessage[];
  expect(await tokensOf(messages)).toBeGreaterThan(350);
  expect(await tokensOf(request)).toBeLessThanOrEqual(350);
  expect(results(request)[0]?.text).toContain('Ferry 7 leaves every 17 minutes; ask (address)');
  for (const { text } of request) expect(text).not.toContain('@');
});
