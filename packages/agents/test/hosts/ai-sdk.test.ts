/** The parts that are specific to the AI SDK, with its real packages: both versions run every test. */
import type { ModelMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { aiSdkShaping, recallTool, shapingMiddleware } from '../../src/ai-sdk/index.js';
import type { RequestReport } from '../../src/conversation/index.js';
import { type Prompt, type ScriptedModel, sent, VERSIONS, type Version } from './ai-sdk-host.js';
import type { Reply } from './host.js';

const OPTIONS = { maxToolTokens: 200, handleKey: 'a secret of sixteen characters' };
const RIVERS = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gum', 'Hazel', 'Ivy', 'Juniper'];
const passage = (river: string, topic: string) =>
  `The ${topic} over the river ${river} was opened in ${1800 + river.length * topic.length}, after ${river.length} years of work by the people of ${river}ton.`;
const found = (topic: string) => RIVERS.map((river) => passage(river, topic)).join('\n\n');
const HANDLE = /recall_passage ([\w-]{22})/;

const inputSchema = z.object({ query: z.string() });
const search = {
  description: 'Searches.',
  inputSchema,
  execute: async ({ query }: { query: string }) => found(query),
};

/** A model that searches once for each question, and answers when it has a result. */
function searches(prompt: Prompt): Reply {
  const pieces = sent(prompt);
  const last = pieces.at(-1);
  if (last?.role === 'tool') return { text: `Read ${last.result.length} characters.` };
  const question = last !== undefined && 'text' in last ? last.text : '';
  return { calls: [{ id: `call of ${question}`, tool: 'search', input: { query: question } }] };
}

const resultsIn = (prompt: Prompt): string[] =>
  sent(prompt).flatMap((piece) => ('result' in piece ? [piece.result] : []));
const promptsOf = ({ doGenerateCalls, doStreamCalls }: ScriptedModel): Prompt[] =>
  [...doGenerateCalls, ...doStreamCalls].map(({ prompt }) => prompt);

/** A conversation of three questions; each is a request of its own, with all messages before. */
async function converse(
  version: Version,
  settings: (
    model: ScriptedModel,
  ) => Omit<Parameters<typeof import('ai')['generateText']>[0], 'messages' | 'prompt'>,
  reply: (prompt: Prompt) => Reply = searches,
): Promise<{ prompts: Prompt[]; messages: ModelMessage[] }> {
  const { generateText, stepCountIs } = await version.ai();
  const model = await version.model(reply);
  const messages: ModelMessage[] = [];
  for (const content of ['bridge', 'tunnel', 'ferry']) {
    messages.push({ role: 'user', content });
    const result = await generateText({
      stopWhen: stepCountIs(5),
      ...settings(model),
      messages,
    } as Parameters<typeof generateText>[0]);
    messages.push(...(result.responseMessages ?? result.response.messages));
  }
  return { prompts: promptsOf(model), messages };
}

const titled = VERSIONS.map((version) => ({
  ...version,
  why: version.missing ? ` (${version.missing})` : '',
}));

describe.each(titled)('$name$why', (version) => {
  const it = test.skipIf(version.missing !== undefined);

  describe('shapingMiddleware', () => {
    it('keeps each request within its budget, tools and system prompt included, and reports', async () => {
      const { wrapLanguageModel } = await version.ai();
      const reports: RequestReport[] = [];
      const shaping = aiSdkShaping({
        ...OPTIONS,
        maxTokens: 600,
        onRequest: (report) => reports.push(report),
      });
      const { prompts } = await converse(version, (model) => ({
        model: wrapLanguageModel({ model, middleware: shapingMiddleware(shaping) }),
        system: 'You answer by what the tools say.',
        tools: { search },
      }));
      expect(prompts).toHaveLength(6);
      expect(reports).toHaveLength(6);
      for (const { tokens } of reports) expect(tokens.sent).toBeLessThanOrEqual(600);
      expect(resultsIn(prompts.at(-1) as Prompt).at(-1)).toMatch(HANDLE);
    });

    it('puts the report into the metadata of generated and of streamed answers', async () => {
      const { generateText, streamText, wrapLanguageModel } = await version.ai();
      const reports: RequestReport[] = [];
      const middleware = shapingMiddleware({
        ...OPTIONS,
        maxTokens: 600,
        onRequest: (report) => reports.push(report),
      });
      const model = wrapLanguageModel({ model: await version.model(() => ({ text: 'Yes.' })), middleware });
      const { text, providerMetadata } = await generateText({ model, prompt: 'Is it?' });
      expect(text).toBe('Yes.');
      expect(providerMetadata?.contextShaping).toEqual(reports[0]);
      const streamed = streamText({ model, prompt: 'Is it?' });
      expect(await streamed.text).toBe('Yes.');
      expect((await streamed.providerMetadata)?.contextShaping).toEqual(reports[1]);
      expect(await streamed.finishReason).toBe('stop');
    });

    it('sends everything but tool results as it was: images, files, reasoning, tools of the provider, approvals', async () => {
      const { wrapLanguageModel } = await version.ai();
      const reports: RequestReport[] = [];
      const plain = await version.model(() => ({ text: 'Seen.' }));
      const shaped = await version.model(() => ({ text: 'Seen.' }));
      const middleware = shapingMiddleware({
        ...OPTIONS,
        maxTokens: 2000,
        // The two images have room.
        images: 100,
        onRequest: (report) => reports.push(report),
      });
      const { generateText } = await version.ai();
      for (const model of [plain, wrapLanguageModel({ model: shaped, middleware })])
        await generateText({ model, system: 'Look.', messages: manifold() });
      expect(shaped.doGenerateCalls[0]?.prompt).toEqual(plain.doGenerateCalls[0]?.prompt);
      expect(reports[0]?.unknown).toEqual([{ kind: 'file', count: 1 }]);
    });

    it('marks what will be repeated, as often as Anthropic allows', async () => {
      const { wrapLanguageModel } = await version.ai();
      const middleware = shapingMiddleware({ ...OPTIONS, maxTokens: 600, cacheControl: true });
      const { prompts } = await converse(version, (model) => ({
        model: wrapLanguageModel({ model, middleware }),
        tools: { search },
      }));
      for (const prompt of prompts) {
        const marked = prompt.filter(({ providerOptions }) => providerOptions?.anthropic?.cacheControl);
        expect(marked.length).toBeGreaterThan(0);
        expect(marked.length).toBeLessThanOrEqual(4);
      }
    });

    it('ends with the abort of the caller, before the model is asked', async () => {
      const { generateText, wrapLanguageModel } = await version.ai();
      const asked = await version.model(() => ({ text: 'No.' }));
      const model = wrapLanguageModel({
        model: asked,
        middleware: shapingMiddleware({ ...OPTIONS, maxTokens: 100 }),
      });
      const messages = longMessages();
      const reason = new DOMException('Enough.', 'AbortError');
      await expect(
        generateText({ model, messages, abortSignal: AbortSignal.abort(reason), maxRetries: 0 }),
      ).rejects.toMatchObject({ name: 'AbortError' });
      expect(asked.doGenerateCalls).toEqual([]);
    });
  });

  describe('recallTool', () => {
    it('reads what the middleware left out', async () => {
      const { wrapLanguageModel } = await version.ai();
      const shaping = aiSdkShaping({ ...OPTIONS, maxTokens: 800 });
      const answers: string[] = [];
      await converse(
        version,
        (model) => ({
          model: wrapLanguageModel({ model, middleware: shapingMiddleware(shaping) }),
          tools: { search, recall_passage: recallTool(shaping) },
        }),
        (prompt) => {
          const last = sent(prompt).at(-1);
          if (last?.role !== 'tool') return searches(prompt);
          if (last.tool === 'recall_passage') {
            answers.push(last.result);
            return { text: 'Thanks.' };
          }
          const [, handle = ''] = HANDLE.exec(last.result) ?? [];
          return { calls: [{ id: `recall of ${last.id}`, tool: 'recall_passage', input: { handle } }] };
        },
      );
      expect(answers).toHaveLength(3);
      for (const [turn, topic] of ['bridge', 'tunnel', 'ferry'].entries())
        expect(RIVERS.some((river) => answers[turn]?.includes(passage(river, topic)))).toBe(true);
    });
  });
});

/** Two turns with results, and a question. */
function longMessages(): ModelMessage[] {
  const turn = (topic: string): ModelMessage[] => [
    { role: 'user', content: topic },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: topic, toolName: 'search', input: { query: topic } }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: topic,
          toolName: 'search',
          output: { type: 'text', value: found(topic) },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'I see.' }] },
  ];
  return [...turn('bridge'), ...turn('tunnel'), ...turn('lock'), { role: 'user', content: 'dam' }];
}

/** One of each kind of content. */
function manifold(): ModelMessage[] {
  const image = 'iVBORw0KGgo=';
  return [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'file', data: image, mediaType: 'image/png' },
        { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } },
        { type: 'tool-call', toolCallId: 'web', toolName: 'web', input: { q: 1 }, providerExecuted: true },
        {
          type: 'tool-result',
          toolCallId: 'web',
          toolName: 'web',
          output: { type: 'json', value: [found('bridge')] },
        },
        { type: 'tool-call', toolCallId: 'see', toolName: 'see', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'see',
          toolName: 'see',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'A picture.' },
              { type: 'image-data', data: image, mediaType: 'image/png' },
            ],
          },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'A bridge.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Really?' }] },
  ];
}
