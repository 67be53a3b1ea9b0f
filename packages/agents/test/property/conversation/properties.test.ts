/** Properties of every conversation and budget. */
import {
  type ConversationShapingOptions,
  createConversationShaper,
  type Message,
  type Part,
} from 'context-shaping-agents';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepFreeze } from '../../../../../test/support.js';
import { callsIn, conversation, requestsOf, resultsIn, textOf } from '../../conversation/support.js';

const handleKey = 'a key of the tests';
const thread = 'one';
const TOOLS = [{ name: 'search', description: 'Searches.', parameters: { type: 'object' } }];
const budget = fc.integer({ min: 1, max: 900 });
const numRuns = 100;

const shaperWith = (options: ConversationShapingOptions) =>
  createConversationShaper({ handleKey, tools: ['search'], sanitise: false, ...options });
/** The conversation with results of paragraphs, of which each has a word of its own. */
const plain = (messages: readonly Message[]): Message[] =>
  messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type !== 'result') return part;
      const paragraphs = Array.from(
        { length: 6 },
        (_, at) =>
          `The ferry of pier ${at} leaves for the island word${part.id.replaceAll('-', '')}x${at} on Mondays.`,
      );
      return { ...part, content: [{ type: 'text', text: paragraphs.join('\n\n') }] };
    }),
  }));

const listOf = (sent: readonly { message: Message }[]) => sent.map(({ message }) => message);

test('every call has its result; questions, pinned turns and unshaped results stay', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, budget, async (given, maxTokens) => {
      const messages = deepFreeze(given);
      const { messages: sent, report } = await shaperWith({ maxTokens }).shapeRequest({
        thread,
        messages,
        tools: TOOLS,
      });
      const list = listOf(sent);
      expect(resultsIn(list).map(({ id }) => id)).toEqual(callsIn(list));
      expect(report.results.map(({ id }) => id)).toEqual(callsIn(messages));
      expect([...sent.map(({ at }) => at), ...report.dropped].toSorted((a, b) => a - b)).toEqual(
        messages.map((_, at) => at),
      );
      for (const { at, message } of sent) {
        const before = messages[at] as Message;
        if (before.role !== 'tool') expect(message).toBe(before);
        for (const [part, { tool, failed }] of resultsIn([before]).entries())
          if (tool === 'unshaped' || failed) expect(message.parts[part]).toBe(before.parts[part]);
        const images = ({ parts }: Message) =>
          resultsIn([{ role: 'tool', parts }]).flatMap(({ content }) =>
            content.filter(({ type }) => type === 'other'),
          );
        expect(images(message)).toEqual(images(before));
      }
      const newest = messages.findLastIndex(({ role }) => role === 'user');
      for (const [at, message] of messages.entries())
        if (at >= newest || message.role === 'system' || message.pinned)
          expect(
            list.some((each) => each.role === message.role && (each === message || message.role === 'tool')),
          ).toBe(true);
    }),
    { numRuns },
  );
});

test('the budget is kept, or only what must stay is left', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, budget, async (messages, maxTokens) => {
      const { messages: sent, report } = await shaperWith({ maxTokens }).shapeRequest({
        thread,
        messages,
        tools: TOOLS,
      });
      // Counted once more, by a shaper without a budget that shapes nothing.
      const counted = await createConversationShaper({
        handleKey,
        tools: [],
        sanitise: false,
      }).shapeRequest({
        thread,
        messages: listOf(sent),
        tools: TOOLS,
      });
      expect(report.tokens.sent).toBe(counted.report.tokens.given);
      if (report.tokens.sent <= maxTokens) return;
      const newest = messages.findLastIndex(({ role }) => role === 'user');
      const isPinned = (at: number) => {
        const start = messages.findLastIndex(({ role }, place) => place <= at && role === 'user');
        return messages[start]?.pinned === true;
      };
      for (const { at, message } of sent) {
        expect(at >= newest || message.role === 'system' || isPinned(at)).toBe(true);
        if (isPinned(at)) continue;
        for (const result of resultsIn([message])) {
          if (result.tool === 'unshaped' || result.failed) continue;
          // Nothing but a note, or less than one.
          expect(/^(\[Of \d+ passages: |$)/.test(textOf(result)) || textOf(result).length < 160).toBe(true);
        }
      }
    }),
    { numRuns },
  );
});

test('a fresh shaper with the same key sends the same', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, budget, async (messages, maxTokens) => {
      const warm = shaperWith({ maxTokens });
      for (const request of requestsOf(messages)) {
        const before = await warm.shapeRequest({ thread, messages: request, tools: TOOLS });
        const after = await shaperWith({ maxTokens }).shapeRequest({
          thread,
          messages: structuredClone(request),
          tools: TOOLS,
        });
        expect(after.messages).toEqual(before.messages);
        expect(after.report).toEqual(before.report);
      }
    }),
    { numRuns: 40 },
  );
});

test('all that a result does not show can be recalled', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, budget, async (shape, maxTokens) => {
      const messages = plain(shape);
      const shaper = shaperWith({ maxTokens, maxToolTokens: 300 });
      const { messages: sent } = await shaper.shapeRequest({ thread, messages });
      const given = new Map(resultsIn(messages).map((result) => [result.id, result]));
      for (const result of resultsIn(listOf(sent))) {
        const handle = /recall_passage ([\w-]{22})\]/.exec(textOf(result))?.[1];
        if (handle === undefined) continue;
        const original = given.get(result.id);
        for (const list of [messages, undefined]) {
          const read = [textOf(result)];
          const answers: Message[] = [];
          for (let step = 0; step < 40; step++) {
            const callId = `recall-${step}`;
            const { found, text } = await shaper.recall({
              ...{ handle, thread, callId },
              ...(list === undefined ? { messages: answers } : { messages: [...list, ...answers] }),
            });
            expect(found).toBe(true);
            read.push(text);
            answers.push({
              role: 'tool',
              parts: [
                { type: 'result', id: callId, tool: 'recall_passage', content: [{ type: 'text', text }] },
              ],
            });
          }
          const words = (each: string) => each.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
          const all = new Set(read.flatMap(words));
          for (const word of words(textOf(original ?? { content: [] }))) expect(all).toContain(word);
        }
        expect((await shaper.recall({ handle, thread: 'other', callId: 'r', messages })).found).toBe(false);
      }
    }),
    { numRuns: 40 },
  );
});

test('a request repeats the previous one, except at reported rewrites', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, budget, async (messages, maxTokens) => {
      const shaper = shaperWith({ maxTokens, tokenizer: (text) => text.length });
      let before: Message[] = [];
      let rewrites = 0;
      for (const request of requestsOf(messages)) {
        const { messages: sent, report } = await shaper.shapeRequest({ thread, messages: request });
        const list = listOf(sent);
        const isRepeated = before.every(
          (message, at) => JSON.stringify(message) === JSON.stringify(list[at]),
        );
        const { cache } = report;
        if (cache.rewrites === rewrites) expect(isRepeated).toBe(true);
        const { read, write } = cache.tokens;
        expect(read + write).toBe(report.tokens.sent);
        expect(cache.stablePrefixTokens).toBe(read);
        rewrites = cache.rewrites;
        before = list;
      }
    }),
    { numRuns },
  );
});

test('what arrived shaped is sent as it stands, and gives the same decisions', async () => {
  const most = fc.option(fc.integer({ min: 300, max: 900 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(conversation, most, async (messages, maxTokens) => {
      const shaper = shaperWith({ maxToolTokens: 120, maxTokens });
      const direct = await shaper.shapeRequest({ thread, messages });
      const arrived: Message[] = [];
      for (const message of messages) {
        const parts: Part[] = [];
        for (const part of message.parts) {
          if (part.type !== 'result' || message.pinned) parts.push(part);
          else {
            const { content } = await shaper.shapeResult(part, { thread, messages: arrived });
            parts.push({ ...part, content });
          }
        }
        arrived.push({ ...message, parts });
      }
      const { messages: sent, report } = await shaper.shapeRequest({ thread, messages: arrived });
      expect(sent.map(({ message }) => resultsIn([message]).map(textOf))).toEqual(
        direct.messages.map(({ message }) => resultsIn([message]).map(textOf)),
      );
      expect(report.digest).toBe(direct.report.digest);
    }),
    { numRuns: 40 },
  );
});
