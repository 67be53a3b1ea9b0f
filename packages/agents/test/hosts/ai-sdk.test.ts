/** The parts that are specific to the AI SDK, with its real packages: both versions run every test. */
import type { ModelMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import { shapingMiddleware } from '../../src/ai-sdk/index.js';
import type { RequestReport } from '../../src/conversation/index.js';
import { VERSIONS } from './ai-sdk-host.js';

const OPTIONS = { maxToolTokens: 200, handleKey: 'a secret of sixteen characters' };
const RIVERS = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gum', 'Hazel', 'Ivy', 'Juniper'];
const passage = (river: string, topic: string) =>
  `The ${topic} over the river ${river} was opened in ${1800 + river.length * topic.length}, after ${river.length} years of work by the people of ${river}ton.`;
const found = (topic: string) => RIVERS.map((river) => passage(river, topic)).join('\n\n');

const titled = VERSIONS.map((version) => ({
  ...version,
  why: version.missing ? ` (${version.missing})` : '',
}));

describe.each(titled)('$name$why', (version) => {
  const it = test.skipIf(version.missing !== undefined);

  describe('shapingMiddleware', () => {
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
