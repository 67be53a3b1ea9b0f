/** The adapter of the OpenAI Agents SDK in real runs: sessions, handoffs. */
import { describe, expect, test } from 'vitest';
import type { RequestReport } from '../../src/conversation/index.js';
import {
  type OpenAiAgentsShaping,
  openAiAgentsShaping,
  recallTool,
  shapedModelInput,
} from '../../src/openai-agents/index.js';
import { missing } from './installed.js';
import { ScriptedModel, sentOf } from './openai-host.js';

type Sdk = typeof import('@openai/agents-core');
type Item = import('@openai/agents-core').AgentInputItem;
type Request = import('@openai/agents-core').ModelRequest;

const reason = missing('@openai/agents-core');

const PASSAGES = Array.from(
  { length: 30 },
  (_, at) =>
    `Passage ${at}: ${at === 17 ? 'the pump in hall B has a red valve' : `report number ${at * 13} from the archive`}, as clerk ${at % 7} wrote it down in the yearly book.`,
);
const NOTE = /\[Of \d+ passages: .*recall_passage ([\w-]+)\]/;

const calling = (callId: string, name: string, args: unknown) => ({
  type: 'function_call' as const,
  callId,
  name,
  status: 'completed' as const,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});
const saying = (text: string) => ({
  type: 'message' as const,
  role: 'assistant' as const,
  status: 'completed' as const,
  content: [{ type: 'output_text' as const, text }],
});
const resultsOf = (request: Request | undefined) =>
  request === undefined ? [] : sentOf(request).flatMap((sent) => (sent.role === 'tool' ? [sent.result] : []));

describe.skipIf(reason !== undefined)(
  `the OpenAI Agents SDK${reason === undefined ? '' : ` (${reason})`}`,
  async () => {
    if (reason !== undefined) return;
    const sdk: Sdk = await import('@openai/agents-core');
    const { Agent, handoff, MemorySession, Runner, setTracingDisabled, tool } = sdk;
    setTracingDisabled(true);

    const searchTool = () =>
      tool({
        name: 'search',
        description: 'Searches.',
        parameters: {
          type: 'object',
          properties: { query: { type: 'string' } },
          required: ['query'],
          additionalProperties: false,
        },
        strict: true,
        execute: async () => PASSAGES.join('\n\n'),
      });

    /** An agent that searches once for each question, and then does what `then` says. */
    function scripted(
      shaping: OpenAiAgentsShaping,
      then: (request: Request, results: string[]) => ReturnType<typeof calling> | undefined = () => undefined,
    ) {
      const requests: Request[] = [];
      let calls = 0;
      const model = new ScriptedModel((request) => {
        requests.push({ ...request, input: structuredClone(request.input) });
        const last = (request.input as Item[]).at(-1);
        if (last !== undefined && 'role' in last && last.role === 'user')
          return [calling(`call-${++calls}`, 'search', { query: 'Which pump has a red valve?' })];
        return [then(request, resultsOf(request)) ?? saying('The pump in hall B.')];
      });
      const agent = new Agent({
        name: 'archivist',
        instructions: 'Answer from the archive.',
        model,
        tools: [searchTool(), tool(recallTool(shaping))],
      });
      return { agent, requests };
    }

    const SMALL = { maxToolTokens: 120, maxTokens: 2000, handleKey: 'the key of these tests' };

    test('the model recalls by the handle, and a call without a handle does not end the run', async () => {
      const shaping = openAiAgentsShaping(SMALL);
      const { agent, requests } = scripted(shaping, (_, results) => {
        const handle = NOTE.exec(results[0] ?? '')?.[1];
        if (results.length === 1) return calling('malformed', 'recall_passage', '{"handle": ');
        if (results.length === 2) return calling('without', 'recall_passage', {});
        if (results.length === 3)
          return calling('right', 'recall_passage', { handle, query: 'report number 52' });
        return undefined;
      });
      const runner = new Runner({ callModelInputFilter: shapedModelInput(shaping) });
      await runner.run(agent, 'Which pump has a red valve?');
      const [, malformed, without, right] = resultsOf(requests.at(-1));
      expect(malformed).toContain('error');
      expect(without).toContain('This handle is of no passage of this conversation');
      expect(right).toContain('report number 52 ');
    });

    test('after a handoff the other agent gets the same results, byte for byte', async () => {
      const reports: RequestReport[] = [];
      const shaping = openAiAgentsShaping({ ...SMALL, onRequest: (report) => reports.push(report) });
      const { agent: first, requests } = scripted(shaping, () => calling('hand', 'transfer_to_second', {}));
      const received: Request[] = [];
      const second = new Agent({
        name: 'second',
        instructions: 'You are another.',
        model: new ScriptedModel((request) => {
          received.push({ ...request, input: structuredClone(request.input) });
          return [saying('The pump in hall B.')];
        }),
        tools: [tool(recallTool(shaping))],
      });
      first.handoffs = [handoff(second)];
      const runner = new Runner({ callModelInputFilter: shapedModelInput(shaping) });
      const { lastAgent } = await runner.run(first, 'Which pump has a red valve?');
      expect(lastAgent?.name).toBe('second');
      const [result] = resultsOf(requests.at(-1));
      const [again, transfer] = resultsOf(received.at(-1));
      expect(again).toBe(result);
      expect(transfer).toContain('second');
      expect(received.at(-1)?.systemInstructions).toBe('You are another.');
      expect(reports).toHaveLength(3);
    });

    test('an abort ends the run', async () => {
      const shaping = openAiAgentsShaping(SMALL);
      const controller = new AbortController();
      const { agent } = scripted(shaping, () => {
        controller.abort(new Error('enough'));
        return calling('again', 'search', { query: 'x' });
      });
      const runner = new Runner({ callModelInputFilter: shapedModelInput(shaping) });
      await expect(
        runner.run(agent, 'Which pump has a red valve?', { signal: controller.signal }),
      ).rejects.toThrow();
    });

    test('results in the input of a run are saved as they were sent, all else of the session is complete', async () => {
      const shaping = openAiAgentsShaping(SMALL);
      const { agent } = scripted(shaping);
      const session = new MemorySession();
      const earlier: Item[] = [
        { type: 'message', role: 'user', content: 'Which pump has a red valve?' },
        calling('old', 'search', { query: 'Which pump has a red valve?' }),
        {
          type: 'function_call_result',
          callId: 'old',
          name: 'search',
          status: 'completed',
          output: PASSAGES.join('\n\n'),
        },
        saying('The pump in hall B.'),
        { type: 'message', role: 'user', content: 'Are you sure?' },
      ];
      await new Runner({
        callModelInputFilter: shapedModelInput(shaping),
        sessionInputCallback: (history, input) => [...history, ...input],
      }).run(agent, earlier, { session });
      const items = await session.getItems();
      expect(items.map(({ type }) => type)).toEqual([
        ...earlier.map(({ type }) => type),
        'function_call',
        'function_call_result',
        'message',
      ]);
      const outputs = items.flatMap((item) => (item.type === 'function_call_result' ? [item.output] : []));
      expect(outputs[0]).toMatch(NOTE);
      expect(outputs[1]).toEqual({ type: 'text', text: PASSAGES.join('\n\n') });
    });
  },
);
