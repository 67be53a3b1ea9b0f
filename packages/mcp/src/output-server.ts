/** A server of MCP with one tool, which reads the outputs that `context-shaping-mcp hook` keeps in a folder. */
import { McpServer } from '@modelcontextprotocol/server';
import { ContextShapingError } from 'context-shaping';
import { LIBRARY, loadTokenCounter } from 'context-shaping/kit';
import { shapeToolResult } from 'context-shaping-agents';
import { cleaned, excerptOf, linesIn } from 'context-shaping-agents/internal';
import * as z from 'zod';
import { type McpProxyOptions, resolveOptions } from './options.js';
import { RECALL_OUTPUT_TOOL, readOutput } from './output-store.js';
import { READ_ONLY } from './recall.js';

const inputSchema = z.object({
  handle: z.string().describe('The handle, as it stands in the note.'),
  lines: z.string().optional().describe('Numbers of lines, such as 120-180.'),
  pattern: z
    .string()
    .optional()
    .describe('A text or a regular expression: the lines that match, and two lines around each.'),
  query: z.string().optional().describe('A question, if you know no pattern.'),
});

/**
 * @param folder where `context-shaping-mcp hook --store` keeps outputs.
 * @param options `maxTokens` is the limit of an answer.
 * @throws ContextShapingError `invalid-options`.
 */
export function createOutputServer(folder: string, options: McpProxyOptions = {}): McpServer {
  const { maxTokens, shaping } = resolveOptions(options);
  const { tokenizer = 'estimate' } = shaping;
  const server = new McpServer({ name: LIBRARY.name, version: LIBRARY.version });
  server.registerTool(
    RECALL_OUTPUT_TOOL,
    {
      title: 'Recall an output',
      description:
        'Reads what a shaped output of a tool leaves out, by the handle in its note: by lines, by a pattern, or both.',
      inputSchema,
      annotations: READ_ONLY,
    },
    async ({ handle, query, ...wanted }, { mcpReq: { signal } }) => {
      const output = await readOutput(folder, handle);
      if (output === undefined)
        throw new ContextShapingError('invalid-input', {
          field: 'handle',
          value: handle,
          is: 'is of no output that is kept',
          remedy: 'Copy it from the note, or run the tool again.',
        });
      const isAsked = query !== undefined && wanted.lines === undefined && wanted.pattern === undefined;
      if (isAsked) {
        const { content, note } = await shapeToolResult({
          content: output,
          maxTokens,
          query,
          tokenizer,
          signal,
        });
        return textResult([content, note].filter((part) => part !== '').join('\n\n'));
      }
      const count = await loadTokenCounter(tokenizer);
      return textResult(excerptOf(linesIn(cleaned(output, 'strip').text), wanted, { maxTokens, count }));
    },
  );
  return server;
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });
