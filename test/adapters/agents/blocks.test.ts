import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { contextShapingMiddleware, shapedPreModelHook } from 'context-shaping/agents';
import { describe, expect, test } from 'vitest';
import { calling, recalledBy, results, shapedBy, tokensOf } from './support.js';

const QUERY = 'When does flight 33 from London to Paris leave?';
const flight = (at: number) =>
  `Flight ${at} from London to Paris leaves at ${at % 24} o’clock with Captain Smith.`;
const flights = (count: number) => Array.from({ length: count }, (_, at) => flight(at));
const found = (content: string) => new ToolMessage({ content, name: 'search', tool_call_id: 'x' });
/** Lines before the note. */
const shownIn = ({ text }: BaseMessage) =>
  text
    .slice(0, text.lastIndexOf('[Of '))
    .split('\n')
    .filter((line) => line !== '');

describe('JSON', () => {
  test('numbers are written as the tool wrote them', async () => {
    const rows = flights(40).map(
      (text) => `{"id":12345678901234567890,"price":1.50,"text":"\\u0000 ${text}"}`,
    );
    const middleware = contextShapingMiddleware({ maxToolTokens: 300 });
    const shaped = await shapedBy(middleware, found(`[${rows.join(', ')}]`), QUERY);
    expect(shownIn(shaped).length).toBeGreaterThan(1);
    expect(rows).toEqual(expect.arrayContaining(shownIn(shaped)));
  });

  test('elements stay whole in the list of messages as well, and when they are read back', async () => {
    const texts = [0, 1, 2, 3, 4, 5].map((group) =>
      flights(72)
        .slice(group * 12, group * 12 + 12)
        .join(' '),
    );
    const messages = [new HumanMessage(QUERY), calling('search', {}), found(JSON.stringify(texts))];
    const { llmInputMessages } = await shapedPreModelHook({ maxTokens: 800 })({ messages });
    const inList = shownIn(results(llmInputMessages)[0] as ToolMessage);
    const middleware = contextShapingMiddleware({ maxToolTokens: 700 });
    const shaped = await shapedBy(middleware, found(JSON.stringify(texts)), QUERY);
    const handle = /recall_passage ([\w-]{22})/.exec(shaped.text)?.[1] ?? '';
    const readBack = shownIn(await recalledBy(middleware, [shaped], { handle }));
    for (const shown of [inList, readBack]) {
      expect(shown.length).toBeGreaterThan(0);
      expect(texts).toEqual(expect.arrayContaining(shown.map((each) => JSON.parse(each))));
    }
  });

  test('rows that differ in punctuation or case alone are all within reach', async () => {
    const rows = ['a-b.ts', 'a b.ts', 'A-B.TS', 'a-b.ts'].map((file) => ({ file, note: 'of the bridge' }));
    const others = flights(30).map((text) => ({ text }));
    const middleware = contextShapingMiddleware({ maxToolTokens: 300 });
    const shaped = await shapedBy(middleware, found(JSON.stringify([...rows, ...others])), 'bridge file');
    const { shown, leftOut } = shaped.additional_kwargs.context_shaping as Record<
      'shown' | 'leftOut',
      { pageContent: string }[]
    >;
    const kept = new Set([...shown, ...leftOut].map(({ pageContent }) => pageContent));
    expect(kept).toEqual(new Set([...rows, ...others].map((row) => JSON.stringify(row))));
  });
});

test.each([
  ['rows of JSON', JSON.stringify(flights(5000))],
  ['paragraphs', flights(5000).join('\n\n')],
])('thousands of %s are no matter of minutes', { timeout: 60_000 }, async (_, content) => {
  const shaped = await shapedBy(contextShapingMiddleware({ maxToolTokens: 1000 }), found(content), QUERY);
  expect(shaped.text).toContain(flight(33));
  expect(await tokensOf([shaped])).toBeLessThanOrEqual(1004);
});
