/** A server of MCP whose tools shape a context, explain it, and read left-out passages. */
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { createShaper } from 'context-shaping';
import { explain, formatExplanation } from 'context-shaping/explain';
import { fieldsAsWritten, LIBRARY, readShapeRequest } from 'context-shaping/kit';
import { createConversationShaper, RECALL_TOOL } from 'context-shaping-agents';
import * as z from 'zod';
import { digest } from './digest.js';
import { type McpProxyOptions, resolveOptions } from './options.js';
import { READ_ONLY, recall, recallOf, recallTool } from './recall.js';

const chunk = z.looseObject({
  id: z.string(),
  text: z.string(),
  score: z.number().optional().describe('How relevant the search found it: higher is better.'),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const request = z.object({
  query: z.string().describe('The question that the context must answer.'),
  chunks: z
    .array(chunk)
    .describe(
      'The results of a search, best first, or in any order with the option {"ranked": false}. Give more than fits.',
    ),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Options, such as {"budget": {"maxTokens": 1500}, "k": 8}.'),
});

const shaped = z.object({
  context: z.string().describe('The chunks that stay, and a note with the handle of the others.'),
  kept: z.array(z.string()).describe('The ids of the chunks that stay, in their order.'),
  evicted: z.array(z.object({ id: z.string(), stage: z.string(), reason: z.string() })),
});

const explained = z.object({ explanations: z.array(z.record(z.string(), z.unknown())) });

/**
 * A server with the tools `shape_context`, `explain` and `recall_passage`.
 *
 * @param options `maxTokens` is the limit of a context if the request has no `budget.maxTokens`.
 * @throws ContextShapingError `invalid-options`.
 */
export function createShapingServer(options: McpProxyOptions = {}): McpServer {
  const { maxTokens, thread, store, shaping } = resolveOptions(options);
  const server = new McpServer({ name: LIBRARY.name, version: LIBRARY.version });
  const shaperWith = (own: object) => createConversationShaper({ ...shaping, store, ...own });

  server.registerTool(
    'shape_context',
    {
      title: 'Shape a context',
      description:
        'Reduces the results of a search to the best evidence for the question that fits a budget of ' +
        `tokens: without duplicates, most relevant first; texts that differ in a fact all stay. ${RECALL_TOOL} reads the left-out chunks.`,
      inputSchema: request,
      outputSchema: shaped,
      annotations: READ_ONLY,
    },
    async (body, { mcpReq: { signal } }) => {
      const { query, chunks, options: own, paths } = readShapeRequest(body);
      const most = (own.budget as { maxTokens?: number } | undefined)?.maxTokens;
      try {
        const passages = chunks.map((each) => ({ ...each, rendered: `[${each.id}] ${each.text}` }));
        const content = passages.map(({ rendered }) => rendered).join('\n\n');
        const shaper = shaperWith(most === undefined ? { ...own, maxToolTokens: maxTokens } : own);
        const result = await shaper.shapeResult(
          {
            type: 'result',
            id: digest(body),
            tool: 'shape_context',
            content: [{ type: 'text', text: content }],
            passages,
          },
          { thread, input: { query: query.text }, signal },
        );
        const context = result.content.map((each) => (each.type === 'text' ? each.text : '')).join('\n\n');
        const structuredContent = {
          context,
          kept: (result.passages ?? passages).map(({ id }) => id as string),
          evicted: (result.report?.evicted ?? []).map(({ id, stage, reason }) => ({ id, stage, reason })),
        };
        return { content: [{ type: 'text', text: context }], structuredContent };
      } catch (error) {
        throw fieldsAsWritten(error, paths);
      }
    },
  );

  server.registerTool(
    'explain',
    {
      title: 'Explain a context',
      description: 'Says why chunks were left out of a context, and what would bring them back.',
      inputSchema: request.extend({
        ids: z.array(z.string()).optional().describe('The chunks to explain; absent: all that are left out.'),
      }),
      outputSchema: explained,
      annotations: READ_ONLY,
    },
    async ({ ids, ...body }, { mcpReq: { signal } }) => {
      const { query, chunks, options: own, paths } = readShapeRequest(body);
      try {
        const session = createShaper(own).session({ query, chunks });
        const wanted = ids ?? (await session.at({}, { signal })).report.evicted.map(({ index }) => index);
        const explanations = [];
        for (const id of wanted) explanations.push(await explain(session, id, { signal }));
        const text = explanations.map((each) => formatExplanation(each)).join('\n\n');
        return {
          content: [{ type: 'text', text: text || 'No chunk was left out.' }],
          structuredContent: { explanations: explanations.map((each) => ({ ...each })) },
        };
      } catch (error) {
        throw fieldsAsWritten(error, paths);
      }
    },
  );

  const { name, inputSchema, ...config } = recallTool;
  server.registerTool(
    name,
    { ...config, inputSchema: fromJsonSchema(inputSchema as never) },
    (args, { mcpReq: { signal } }) =>
      recall(shaperWith({ maxToolTokens: maxTokens }), recallOf(args), thread, signal),
  );
  return server;
}
