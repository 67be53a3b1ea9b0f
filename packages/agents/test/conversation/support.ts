/** Conversations as agents leave them: turns of a question, calls with their results, and an answer. */
import type { Content, Message, Part, ResultPart } from 'context-shaping-agents';
import fc from 'fast-check';
import { text } from '../../../../test/support.js';

export const said = (role: 'system' | 'user' | 'assistant', words: string): Message => ({
  role,
  parts: words === '' ? [] : [{ type: 'text', text: words }],
});

const content = fc.oneof(
  fc
    .array(text, { minLength: 1, maxLength: 6 })
    .map((texts): Content[] => [{ type: 'text', text: texts.join('\n\n') }]),
  fc
    .array(text, { minLength: 1, maxLength: 6 })
    .map((texts): Content[] => [{ type: 'json', value: texts.map((each, id) => ({ id, text: each })) }]),
  fc.tuple(text, text).map(([first, second]): Content[] => [
    { type: 'text', text: first },
    { type: 'other', kind: 'image' },
    { type: 'text', text: second },
  ]),
);
const result = fc.record({
  content,
  tool: fc.constantFrom('search', 'search', 'search', 'unshaped'),
  failed: fc.constantFrom(false, false, false, true),
});
const turn = fc.record({
  question: text,
  rounds: fc.array(fc.array(result, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  answer: text,
  pinned: fc.constantFrom(false, false, false, true),
});

/** Complete turns; the last one may end with results that are not answered yet. */
export const conversation = fc
  .record({ turns: fc.array(turn, { minLength: 1, maxLength: 5 }), isOpen: fc.boolean() })
  .map(({ turns, isOpen }): Message[] => {
    const messages = [said('system', 'Answer from the results.')];
    for (const [at, { question, rounds, answer, pinned }] of turns.entries()) {
      messages.push({ ...said('user', `${at} ${question}`), ...(pinned ? { pinned } : {}) });
      for (const [round, results] of rounds.entries()) {
        const id = (call: number) => `call-${at}-${round}-${call}`;
        const parts = results.map(
          ({ tool }, call): Part => ({ type: 'call', id: id(call), tool, input: { query: question } }),
        );
        messages.push({ role: 'assistant', parts });
        for (const [call, { content, tool, failed }] of results.entries())
          messages.push({
            role: 'tool',
            parts: [{ type: 'result', id: id(call), tool, content, ...(failed ? { failed } : {}) }],
          });
      }
      messages.push(said('assistant', answer));
    }
    return isOpen ? messages.slice(0, -1) : messages;
  });

export const resultsIn = (messages: readonly Message[]): ResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part): part is ResultPart => part.type === 'result'));

export const callsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));

/** The texts of a result, in one. */
export const textOf = ({ content: all }: Pick<ResultPart, 'content'>): string =>
  all
    .map((each) =>
      each.type === 'text' ? each.text : each.type === 'json' ? JSON.stringify(each.value) : '',
    )
    .join('\n\n');

/** The requests of a conversation, one before each answer of the model, and the list itself. */
export const requestsOf = (messages: readonly Message[]): Message[][] => [
  ...messages.flatMap(({ role }, at) => (role === 'assistant' ? [messages.slice(0, at)] : [])),
  [...messages],
];
