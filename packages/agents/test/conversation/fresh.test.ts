/** Results that are new in one request share its room. */
import { estimateTokens } from 'context-shaping';
import { createConversationShaper, type Message, RECALL_TOOL } from 'context-shaping-agents';
import { expect, test } from 'vitest';

const paragraphs = (about: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `The ${about} number ${at} has a pressure of ${at * 31} bar.`,
  ).join('\n\n');

/** A question, a call for each result, and the results. */
const turn = (question: string, results: Record<string, string>): Message[] => [
  { role: 'user', parts: [{ type: 'text', text: question }] },
  {
    role: 'assistant',
    parts: Object.keys(results).map((id) => ({ type: 'call', id, tool: 'read', input: { query: question } })),
  },
  ...Object.entries(results).map(
    ([id, text]): Message => ({
      role: 'tool',
      parts: [
        {
          type: 'result',
          id,
          tool: id === 'recalled' ? RECALL_TOOL : 'read',
          content: [{ type: 'text', text }],
        },
      ],
    }),
  ),
];
const long = { a: paragraphs('pump', 60), b: paragraphs('valve', 80), small: 'The hall is closed.' };
const messages = turn('pressure of number 7', long);
const shaperOf = (options: object) => createConversationShaper({ handleKey: 'k'.repeat(16), ...options });
const report = async (options: object, given = messages) =>
  (await shaperOf(options).shapeRequest({ thread: 't', messages: given })).report;
const fresh = (of: Awaited<ReturnType<typeof report>>) => of.results.map(({ tokens }) => tokens.sent);
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** Room for about 500 tokens of results, beside the question and its calls. */
const options = { maxToolTokens: 400, maxTokens: 600 };

test('small ones stay, long ones get equal parts, and the report names the option', async () => {
  const { maxToolTokens, maxTokens } = options;
  const alone = await report({ maxToolTokens });
  expect(sum(fresh(alone))).toBeGreaterThan(maxTokens);
  const shared = await report(options);
  const [a = 0, b = 0, small = 0] = fresh(shared);
  expect(shared.tokens.sent).toBeLessThanOrEqual(maxTokens);
  expect(shared.tokens.sent).toBeGreaterThan(maxTokens * 0.8);
  expect(Math.abs(a - b)).toBeLessThan(80);
  expect(shared.results.map(({ id, state, limit }) => [id, state, limit])).toEqual([
    ['a', 'shaped', 'maxTokens'],
    ['b', 'shaped', 'maxTokens'],
    ['small', 'whole', undefined],
  ]);
  expect(small).toBe(4 + estimateTokens(long.small));
  for (const { limit } of alone.results) expect(limit).toBeUndefined();
});

test('results for which there is room stay as they are', async () => {
  const without = await report({ maxToolTokens: 400 });
  const roomy = await report({ maxToolTokens: 400, maxTokens: without.tokens.sent });
  expect(roomy.results).toEqual(without.results);
});

test('a recalled result counts, and stays', async () => {
  const recalled = paragraphs('pump', 15);
  const of = await report(options, turn('pressure of number 7', { recalled, a: long.a, b: long.b }));
  expect(fresh(of)[0]).toBe(4 + estimateTokens(recalled));
  expect(of.tokens.sent).toBeLessThanOrEqual(600);
});
