/** The processor in real agents of Mastra: its purpose, and faults that must not happen. */
import { describe, expect, test } from 'vitest';
import { memoryPassageStore, type RequestReport } from '../../src/conversation/index.js';
import { contextShapingProcessor } from '../../src/mastra/index.js';
import type { Reply, ScriptedTool, Sent } from './host.js';
import { mastraHosts, scriptedAgent } from './mastra-host.js';

const missing = mastraHosts[0]?.missing;
const KEY = 'a key of sixteen or more';
const PEOPLE = ['Ada', 'Ben', 'Cleo', 'Dan'];
const memory = { thread: 'one', resource: 'someone' };

/** Notes on bridges, more of them than fit. */
const notes = (about: string) =>
  Array.from(
    { length: 60 },
    (_, n) =>
      `Bridge ${n} of ${about} was opened in ${1900 + n} by ${PEOPLE[n % 4]}. It crosses a river that is ${n * 7 + 3} metres wide.`,
  );

const search: ScriptedTool = {
  name: 'search',
  description: 'Searches notes.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  run: ({ query }) => notes(String(query)).join('\n\n'),
};
const list: ScriptedTool = {
  ...search,
  name: 'list',
  run: ({ query }) => ({ rows: notes(String(query)).map((note, row) => ({ row, note })), total: 60 }),
};

const queryOf = (n: number) => `When was bridge ${n} opened?`;
const calls = (...all: [tool: string, n: number][]): Reply => ({
  calls: all.map(([tool, n]) => ({ id: `${tool}-${n}`, tool, input: { query: queryOf(n) } })),
});
const results = (request: readonly Sent[]) => request.filter((sent) => sent.role === 'tool');

describe.skipIf(missing !== undefined)(missing ?? 'Mastra', () => {
  // mastra-ai/mastra#24110: a limiter that drops the result of the running call lets the agent call again, without end.
  test.each(['generate', 'stream'] as const)(
    'results of the running turn are never dropped, in the smallest budget: %s',
    async (method) => {
      const script = {
        system: 'You search before you answer.',
        tools: [search, list],
        // Like a model: it repeats a call if it does not see the result.
        reply: (request: readonly Sent[]): Reply => {
          const seen = new Set(results(request).map(({ id }) => id));
          if (!seen.has('search-7') || !seen.has('list-8')) return calls(['search', 7], ['list', 8]);
          return seen.has('search-9') ? { text: 'In 1907.' } : calls(['search', 9]);
        },
      };
      const { agent, requests } = await scriptedAgent(script, { maxTokens: 300, maxToolTokens: 150 });
      const options = { memory, maxSteps: 20 };
      if (method === 'generate') await agent.generate(queryOf(7), options);
      else await (await agent.stream(queryOf(7), options)).consumeStream();
      expect(requests.length).toBe(3);
      const last = requests[2] as Sent[];
      expect(results(last).map(({ id }) => id)).toEqual(['search-7', 'list-8', 'search-9']);
      for (const request of requests) {
        const called = request.flatMap((sent) => ('call' in sent ? [sent.call.id] : []));
        expect(results(request).map(({ id }) => id)).toEqual(called);
      }
      expect(results(last).every(({ result }) => result !== '')).toBe(true);
    },
  );

  /** One turn: both tools at once, then the answer. */
  const oneTurn = {
    system: '',
    tools: [search, list],
    reply: (request: readonly Sent[]): Reply =>
      results(request).length === 0 ? calls(['search', 7], ['list', 8]) : { text: 'In 1907.' },
  };
  /** The stored part of a call. */
  const storedPart = async ({ memory: own }: Awaited<ReturnType<typeof scriptedAgent>>, tool: string) => {
    const { messages } = await own.recall({ threadId: memory.thread, perPage: false });
    const parts = messages.flatMap(({ content }) => content.parts);
    for (const part of parts)
      if (part.type === 'tool-invocation' && part.toolInvocation.toolName === tool)
        return { result: part.toolInvocation.result };
    return expect.unreachable('the call is not stored');
  };

  test('the model gets shaped results, data as data; the memory keeps complete ones', async () => {
    const scripted = await scriptedAgent(oneTurn, { maxToolTokens: 400, handleKey: KEY });
    await scripted.agent.generate(queryOf(7), { memory });
    const shown = results(scripted.requests[1] as Sent[]);
    expect(shown[0]?.result).toContain('Bridge 7 of');
    expect(shown[0]?.result).toMatch(/recall_passage/);
    expect(shown[1]?.result).toContain(JSON.stringify({ row: 8, note: notes(queryOf(8))[8] }));
    expect(shown[1]?.result).toMatch(/recall_passage/);
    const stored = await storedPart(scripted, 'search');
    expect(stored.result).toBe(notes(queryOf(7)).join('\n\n'));
  });

  test('a passage can be recalled after a restart, in its own conversation alone', async () => {
    const options = { maxToolTokens: 400, handleKey: KEY, store: memoryPassageStore() };
    const first = await scriptedAgent(oneTurn, options);
    await first.agent.generate(queryOf(7), { memory });
    const note = results(first.requests[1] as Sent[])[0]?.result ?? '';
    const handle = /recall_passage ([\w-]+)/.exec(note)?.[1] ?? '';
    const recalling = {
      ...oneTurn,
      reply: (request: readonly Sent[]): Reply => {
        const asked = request.findLastIndex((sent) => sent.role === 'user');
        const input = { handle, query: queryOf(41) };
        return results(request.slice(asked)).length > 0
          ? { text: 'In 1941.' }
          : { calls: [{ id: 'recall', tool: 'recall_passage', input }] };
      },
    };
    const wanted = `Bridge 41 of ${queryOf(7)} was opened in 1941`;
    expect(note).not.toContain(wanted);
    const again = await scriptedAgent(recalling, options, { memory: first.memory });
    await again.agent.generate(queryOf(41), { memory });
    expect(results(again.requests.at(-1) as Sent[]).at(-1)?.result).toContain(wanted);

    await again.agent.generate(queryOf(41), { memory: { ...memory, thread: 'another' } });
    const refused = results(again.requests.at(-1) as Sent[]).at(-1)?.result;
    expect(refused).not.toContain('was opened in');
  });

  test('errors stay, and what a tool itself shows the model is shaped', async () => {
    const { createTool } = await import('@mastra/core/tools');
    const failing = { ...search, run: () => expect.unreachable('x'.repeat(5000)) };
    const scripted = await scriptedAgent({ ...oneTurn, tools: [failing, list] }, { maxToolTokens: 100 });
    await scripted.agent.generate(queryOf(7), { memory });
    expect(results(scripted.requests[1] as Sent[])[0]?.result).toContain('x'.repeat(5000));

    const whole = notes('Rome');
    const seeing = createTool({
      id: 'search',
      description: '',
      inputSchema: search.parameters,
      execute: async () => ({ whole }),
      toModelOutput: () => ({ type: 'text', value: whole.slice(0, 20).join('\n\n') }),
    });
    const { requests, agent } = await scriptedAgent(
      oneTurn,
      { maxToolTokens: 200 },
      { more: { search: seeing } },
    );
    const answer = await agent.generate(queryOf(7), { memory });
    expect(answer.steps[0]?.toolResults[0]?.payload.result).toEqual({ whole });
    const shown = results(requests[1] as Sent[])[0]?.result ?? '';
    expect(shown).toContain('Bridge 7 of Rome');
    expect(shown).not.toContain('Bridge 30 of Rome');
  });

  test('tools are counted as the provider gets them, and breakpoints are marked for its cache', async () => {
    const reports: RequestReport[] = [];
    const { agent, prompts } = await scriptedAgent(oneTurn, {
      maxTokens: 2000,
      cacheControl: true,
      tokenizer: (text) => text.length,
      onRequest: (report) => void reports.push(report),
    });
    await agent.generate(queryOf(7), { memory });
    const { tools, prompt } = prompts.at(-1) as {
      tools: { name: string; description: string; inputSchema: Record<string, unknown> }[];
      prompt: { providerOptions?: { anthropic?: unknown } }[];
    };
    expect(tools.map(({ name }) => name).sort()).toEqual(['list', 'recall_passage', 'search']);
    const naive = tools.map(({ name, description, inputSchema: { $schema: _, ...parameters } }) =>
      JSON.stringify({ name, description, parameters }),
    );
    expect(reports.at(-1)?.tokens.tools).toBe(naive.join('').length);
    const marked = prompt.filter(({ providerOptions }) => providerOptions?.anthropic !== undefined);
    expect(marked.length).toBeGreaterThan(0);
    for (const { providerOptions } of marked)
      expect(providerOptions?.anthropic).toEqual({ cacheControl: { type: 'ephemeral' } });
  });

  test('without a memory, the application names the conversation', async () => {
    const { RequestContext } = await import('@mastra/core/request-context');
    let handle = '';
    const reply = (request: readonly Sent[]): Reply => {
      const [first] = results(request);
      if (first !== undefined) {
        handle ||= /recall_passage ([\w-]+)/.exec(first.result)?.[1] ?? '';
        return { text: 'In 1907.' };
      }
      const recall = { id: 'recall', tool: 'recall_passage', input: { handle, query: queryOf(41) } };
      return handle === '' ? calls(['search', 7]) : { calls: [recall] };
    };
    const { agent, requests } = await scriptedAgent(
      { ...oneTurn, reply },
      { maxToolTokens: 400, thread: (context) => context?.get('chat') as string },
    );
    const answers: (string | undefined)[] = [];
    for (const chat of ['one', 'one', 'two']) {
      await agent.generate(queryOf(41), { requestContext: new RequestContext([['chat', chat]]) });
      answers.push(results(requests.at(-1) as Sent[])[0]?.result);
    }
    const wanted = `Bridge 41 of ${queryOf(7)} was opened in 1941`;
    expect(answers.map((answer) => answer?.includes(wanted))).toEqual([false, true, false]);
  });

  test('the recall tool as a plain object names wrong arguments', async () => {
    const { recallTool } = contextShapingProcessor();
    const { agent, requests } = await scriptedAgent(
      {
        ...oneTurn,
        reply: (request) =>
          results(request).length > 0
            ? { text: 'No.' }
            : { calls: [{ id: 'recall', tool: 'recall_passage', input: { handle: 'x' } }] },
      },
      {},
      { more: { recall_passage: recallTool } },
    );
    await agent.generate(queryOf(7), { memory });
    expect(results(requests[1] as Sent[])[0]?.result).toContain('createTool(processor.recallTool)');
  });
});
