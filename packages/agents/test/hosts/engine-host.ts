/** The engine itself as a host: what every other host is compared with. */

import manifest from '../../../../package.json' with { type: 'json' };
import {
  type Content,
  type ConversationShapingOptions,
  createConversationShaper,
  type Message,
  type Part,
  RECALL_DESCRIPTION,
  RECALL_TOOL,
  type RequestReport,
  type ResultPart,
  recallToolSchema,
} from '../../src/conversation/index.js';
import { mapStore } from './conformance.js';
import type { Call, Host, Run, Script, Sent } from './host.js';

/**
 * `arrival`: shapes results when they arrive, and keeps the shaped ones. `restarts`: has a new
 * shaper for each request, as replicas have.
 */
export const engineHost = (way?: 'arrival' | 'restarts'): Host => ({
  name: { arrival: 'Engine, on arrival', restarts: 'Engine, with restarts', none: 'Engine' }[way ?? 'none'],
  version: manifest.version,
  takesImages: true,
  run: (script, options) => run(script, options, way),
});

async function run(
  { thread = 'conformance', system, questions, images = [], tools, reply }: Script,
  options: ConversationShapingOptions,
  way: 'arrival' | 'restarts' | undefined,
): Promise<Run> {
  const reports: RequestReport[] = [];
  const { store = mapStore() } = options;
  const start = () =>
    createConversationShaper({ ...options, store, onRequest: (report) => reports.push(report) });
  let shaper = start();
  const recall = { name: RECALL_TOOL, description: RECALL_DESCRIPTION, parameters: recallToolSchema };
  const schemas = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const requests: Sent[][] = [];
  const messages: Message[] = [{ role: 'system', parts: [{ type: 'text', text: system }] }];
  let unchanged = true;
  const answer = async ({ id, tool, input }: Call): Promise<Part> => {
    if (tool === RECALL_TOOL) {
      const asked = input as { handle: string; query?: string };
      const { text, found } = await shaper.recall({ ...asked, thread, callId: id, messages });
      return {
        type: 'result',
        id,
        tool,
        content: [{ type: 'text', text }],
        ...(found ? {} : { failed: true }),
      };
    }
    const value = tools.find(({ name }) => name === tool)?.run(input);
    const content: Content[] = [
      typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value },
    ];
    const result: ResultPart = { type: 'result', id, tool, content };
    if (way !== 'arrival') return result;
    const shaped = await shaper.shapeResult(result, { thread, input, messages });
    return { ...result, content: shaped.content, passages: shaped.passages };
  };
  for (const [at, question] of questions.entries()) {
    const image: Part[] = images.includes(at) ? [{ type: 'other', kind: 'image' }] : [];
    messages.push({ role: 'user', parts: [{ type: 'text', text: question }, ...image] });
    for (;;) {
      if (way === 'restarts') shaper = start();
      const before = JSON.stringify(messages);
      const shaped = await shaper.shapeRequest({
        thread,
        messages: [...messages],
        tools: [...schemas, recall],
      });
      unchanged &&= JSON.stringify(messages) === before;
      const request = shaped.messages.flatMap(({ message }) => sentOf(message));
      requests.push(request);
      const said = reply(request);
      if ('text' in said) {
        messages.push({ role: 'assistant', parts: [{ type: 'text', text: said.text }] });
        break;
      }
      const calls = said.calls.map(({ id, tool, input }): Part => ({ type: 'call', id, tool, input }));
      messages.push({ role: 'assistant', parts: calls });
      // One after the other, so that the shaper sees them in order.
      const results: Part[] = [];
      for (const call of said.calls) results.push(await answer(call));
      messages.push({ role: 'tool', parts: results });
    }
  }
  return { requests, reports, unchanged };
}

function sentOf({ role, parts }: Message): Sent[] {
  return parts.flatMap((part): Sent[] => {
    if (part.type === 'text') return [{ role: role as 'user', text: part.text }];
    if (part.type === 'call')
      return [
        { role: 'assistant', call: { id: part.id, tool: part.tool, input: part.input as Call['input'] } },
      ];
    if (part.type === 'result')
      return [{ role: 'tool', id: part.id, tool: part.tool, result: resultText(part.content) }];
    return [];
  });
}

const resultText = (content: readonly Content[]) =>
  content
    .flatMap((each) =>
      each.type === 'text' ? [each.text] : each.type === 'json' ? [JSON.stringify(each.value)] : [],
    )
    .join('\n\n');
