/** The report of each request against the bill of the messages that were sent. */
import { estimateTokens } from 'context-shaping';
import {
  createConversationShaper,
  type Message,
  type Part,
  type RequestReport,
} from 'context-shaping-agents';
import { expect, test } from 'vitest';
import { PRICES } from '../../src/conversation/plan-relief.js';
import { priceRequests, type Sent } from '../langchain/priced-requests.js';

const THINGS = ['valve', 'pump', 'filter', 'hose', 'gauge', 'seal', 'motor', 'tank', 'sensor', 'relay'];

/** A result of which much is left out at a small budget: one paragraph for each thing, of which one is asked for. */
const paragraphs = (chapter: number) =>
  THINGS.map(
    (thing, at) =>
      `In chapter ${chapter} the ${thing} is checked every ${chapter * 7 + at} hours. Then the ${thing} is cleaned with alcohol of grade ${at + 3}, and mounted again with ${chapter + at} new screws.`,
  ).join('\n\n');

function conversationOf(turns: number, callsPerTurn: number): Message[] {
  const messages: Message[] = [
    { role: 'system', parts: [{ type: 'text', text: 'Answer from the manual.' }] },
  ];
  for (let turn = 1; turn <= turns; turn++) {
    const query = `How often is the ${THINGS[turn % THINGS.length]} of machine ${turn} checked?`;
    messages.push({ role: 'user', parts: [{ type: 'text', text: query }] });
    for (let call = 1; call <= callsPerTurn; call++) {
      const id = `${turn}-${call}`;
      messages.push(
        { role: 'assistant', parts: [{ type: 'call', id, tool: 'read', input: { query, chapter: call } }] },
        {
          role: 'tool',
          parts: [
            {
              type: 'result',
              id,
              tool: 'read',
              content: [{ type: 'text', text: paragraphs(turn * 10 + call) }],
            },
          ],
        },
      );
    }
    messages.push({ role: 'assistant', parts: [{ type: 'text', text: `Every ${turn * 7} hours.` }] });
  }
  return messages;
}

/** Counted as the documentation says: four for each part, and its text, or its JSON. */
function tokensOf(part: Part): number {
  if (part.type === 'text') return 4 + estimateTokens(part.text);
  if (part.type === 'call')
    return 4 + estimateTokens(JSON.stringify({ id: part.id, tool: part.tool, input: part.input }));
  if (part.type === 'other') throw new Error('not in these conversations');
  return 4 + estimateTokens(part.content.map((each) => (each.type === 'text' ? each.text : '')).join('\n\n'));
}
const sentOf = ({ role, parts }: Message): Sent => ({
  text: JSON.stringify([role, parts]),
  tokens: parts.reduce((sum, part) => sum + tokensOf(part), 0),
});

const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);

test.each([
  [15, 1, 1500],
  [2, 12, 1500],
  [12, 1, 500],
  [3, 1, 20_000],
])('%i turns of %i calls within %i tokens', async (turns, callsPerTurn, maxTokens) => {
  const shaper = createConversationShaper({ maxTokens, handleKey: 'a key of the tests' });
  const all = conversationOf(turns, callsPerTurn);
  const requests: Sent[][] = [];
  const reports: RequestReport[] = [];
  const marks: number[][] = [];
  for (const [at, { role }] of all.entries()) {
    if (role !== 'assistant') continue;
    const { messages, report, breakpoints } = await shaper.shapeRequest({
      thread: 'manual',
      messages: all.slice(0, at),
    });
    requests.push(messages.map(({ message }) => sentOf(message)));
    reports.push(report);
    marks.push([...breakpoints]);
  }
  const prices = { ...PRICES.anthropic, minimum: 0, inside: false };
  const bill = priceRequests(requests, prices);
  expect(reports.map(({ tokens }) => tokens.sent)).toEqual(
    requests.map((sent) => sum(sent.map(({ tokens }) => tokens))),
  );
  expect(reports.slice(1).map(({ cache }) => cache?.stablePrefixTokens)).toEqual(bill.stable);
  expect(sum(reports.map(({ cache }) => cache?.tokens.read ?? 0))).toBe(bill.tokens.read);
  expect(sum(reports.map(({ cache }) => cache?.tokens.write ?? 0))).toBe(bill.tokens.write);
  expect(sum(reports.map(({ cache }) => cache?.cost ?? 0))).toBeCloseTo(bill.cost);
  expect(reports.at(-1)?.cache?.rewrites).toBe(bill.rewrites);
  // The breakpoints lose no read.
  expect(priceRequests(requests, prices, marks).tokens.read).toBe(bill.tokens.read);
});

test('recalls are counted, and compared with the results that are not whole', async () => {
  const shaper = createConversationShaper({ maxToolTokens: 80, handleKey: 'a key of the tests' });
  const messages = conversationOf(2, 1);
  const { report } = await shaper.shapeRequest({ thread: 'a', messages });
  expect(report.results.map(({ state }) => state)).toEqual(['shaped', 'shaped']);
  expect(report.recalls).toEqual({ calls: 0, tokens: 0, rate: 0 });
  const answer: Message[] = [
    { role: 'assistant', parts: [{ type: 'call', id: 'r', tool: 'recall_passage', input: { handle: 'x' } }] },
    {
      role: 'tool',
      parts: [
        { type: 'result', id: 'r', tool: 'recall_passage', content: [{ type: 'text', text: 'Every hour.' }] },
      ],
    },
  ];
  const again = await shaper.shapeRequest({ thread: 'a', messages: [...messages, ...answer] });
  expect(again.report.recalls).toEqual({ calls: 1, tokens: 4 + estimateTokens('Every hour.'), rate: 0.5 });
  const whole = await shaper.shapeRequest({ thread: 'b', messages: messages.slice(0, 3) });
  expect(whole.report.recalls).toBeUndefined();
});
