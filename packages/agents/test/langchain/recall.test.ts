import { Document } from '@langchain/core/documents';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { expect, test } from 'vitest';
import { handleIn, recalledBy, shapedBy, tokensOf } from './support.js';

const ferry = (at: number) =>
  `Ferry ${at} leaves pier ${at + 1} every ${at + 10} minutes. Tickets are at counter ${at * 3}, dogs are free.`;
const ferries = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, at) => new Document({ id: `f${from + at}`, pageContent: ferry(from + at) }),
  );
const found = (documents: Document[]) =>
  new ToolMessage({
    content: documents.map(({ pageContent }) => pageContent).join('\n\n'),
    artifact: documents,
    name: 'search',
    tool_call_id: 'call',
  });
const QUERY = 'When does ferry 7 leave?';
const shownIn = ({ artifact }: ToolMessage): string[] => artifact.map(({ id }: Document) => id);

test('asked again and again, it reads all that the result does not show, nothing twice', async () => {
  const middleware = contextShapingMiddleware({ maxToolTokens: 300, extract: false });
  const shaped = await shapedBy(middleware, found(ferries(0, 30)), QUERY);
  const messages: BaseMessage[] = [new HumanMessage(QUERY), shaped];
  const read = shownIn(shaped);
  for (let handle = handleIn(shaped); handle !== ''; ) {
    const answer = await recalledBy(middleware, messages, { handle });
    messages.push(answer);
    read.push(...shownIn(answer));
    handle = handleIn(answer);
  }
  expect(read.toSorted()).toEqual(shownIn(found(ferries(0, 30))).toSorted());
  expect(messages.length).toBeGreaterThan(4);
  // In another turn the list may be without those answers.
  messages.push(new AIMessage('So.'), new HumanMessage('And?'));
  expect((await recalledBy(middleware, messages, { handle: handleIn(shaped) })).artifact).not.toEqual([]);
});

test('a passage that is a book in itself is cut for the query', async () => {
  const book = new Document({
    id: 'book',
    pageContent: ferries(0, 2000)
      .map(({ pageContent }) => pageContent)
      .join(' '),
  });
  const middleware = contextShapingMiddleware({ maxToolTokens: 500 });
  const shaped = await shapedBy(middleware, found([book]), QUERY);
  const answer = await recalledBy(middleware, [shaped], { handle: handleIn(shaped), query: 'ferry 1234' });
  expect(answer.text).toContain('Ferry 1234 leaves');
  expect(await tokensOf([answer])).toBeLessThanOrEqual(504);
});
