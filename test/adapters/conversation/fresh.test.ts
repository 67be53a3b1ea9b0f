/** The cap on all results that are new in one request. */
import { estimateTokens } from 'context-shaping';
import { createConversationShaper, type Message, RECALL_TOOL } from 'context-shaping/conversation';
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

test('new results share the cap: small ones stay, long ones get equal parts, and the report names the option', async () => {
  const most = 500;
  const alone = await report({ maxToolTokens: 400 });
  expect(sum(fresh(alone))).toBeGreaterThan(most);
  const shared = await report({ maxToolTokens: 400, maxFreshTokens: most });
  const [a = 0, b = 0, small = 0] = fresh(shared);
  expect(a + b + small).toBeLessThanOrEqual(most);
  expect(a + b + small).toBeGreaterThan(most * 0.8);
  expect(Math.abs(a - b)).toBeLessThan(80);
  expect(shared.results.map(({ id, state, limit }) => [id, state, limit])).toEqual([
    ['a', 'shaped', 'maxFreshTokens'],
    ['b', 'shaped', 'maxFreshTokens'],
    ['small', 'whole', undefined],
  ]);
  expect(small).toBe(4 + estimateTokens(long.small));
  for (const { limit } of alone.results) expect(limit).toBeUndefined();
});

test('results that fit the cap stay as they are without it', async () => {
  const without = await report({ maxToolTokens: 400 });
  expect(await report({ maxToolTokens: 400, maxFreshTokens: sum(fresh(without)) })).toEqual(without);
});

test('each request has its own cap, and older results stay as they were first sent', async () => {
  const options = { maxToolTokens: 400, maxFreshTokens: 500 };
  const [first] = await Promise.all([report(options)]);
  const answer: Message = { role: 'assistant', parts: [{ type: 'text', text: 'It is 217 bar.' }] };
  const later = await report(options, [
    ...messages,
    answer,
    ...turn('and of number 9?', { c: long.a, d: long.b }),
  ]);
  expect(fresh(later).slice(0, 3)).toEqual(fresh(first as typeof later));
  expect(sum(fresh(later).slice(3))).toBeLessThanOrEqual(500);
  expect(sum(fresh(later))).toBeGreaterThan(500);
});

test('a recalled result counts, and stays', async () => {
  const recalled = paragraphs('pump', 20);
  const of = await report(
    { maxToolTokens: 400, maxFreshTokens: 600 },
    turn('pressure of number 7', { recalled, a: long.a, b: long.b }),
  );
  expect(fresh(of)[0]).toBe(4 + estimateTokens(recalled));
  expect(sum(fresh(of))).toBeLessThanOrEqual(600);
});

test('the smaller of the cap and the room of the request is the limit', async () => {
  const of = await report({ maxTokens: 450, maxToolTokens: 400, maxFreshTokens: 5000 });
  expect(of.tokens.sent).toBeLessThanOrEqual(450);
  expect(new Set(of.results.map(({ limit }) => limit))).toEqual(new Set(['maxTokens', undefined]));
});

test.each([0, -1, 1.5, 'many'])('%j is refused', (maxFreshTokens) => {
  expect(() => shaperOf({ maxFreshTokens })).toThrow(/maxFreshTokens/);
});
