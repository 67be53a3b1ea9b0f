/** Twenty questions to one agent: what is sent to the model, and whether all evidence stays within reach. */
import type { Document } from '@langchain/core/documents';
import type { BaseMessage, ToolMessage } from '@langchain/core/messages';
import {
  type ContextShapingMiddlewareOptions,
  contextShapingMiddleware,
  RECALL_TOOL,
} from 'context-shaping/agents';
import { beforeAll, expect, test } from 'vitest';
import { documentation, QUESTIONS, results } from './support.js';
import { type Middleware, THREAD, twentyTurns } from './twenty-turns.js';

let documents: Document[];
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

/** Every handle that stands in a note: the result's own, and those of the passages that are listed. */
const handlesIn = (messages: readonly BaseMessage[]) =>
  messages.flatMap(({ text }) => {
    const note = /\[Of \d+ passages: [^\]]*, recall_passage [^\]]*\][^[\]]*$/.exec(text)?.[0] ?? '';
    return note.match(/(?<=recall_passage |\n)[\w-]{22}/g) ?? [];
  });

const textOf = (messages: readonly BaseMessage[]) => messages.map(({ text }) => text).join('\n');

/** Is the evidence in the prompt, or does a handle in it lead there? */
async function reach(
  prompt: readonly BaseMessage[],
  state: readonly BaseMessage[],
  [question, evidence]: [string, string],
  middleware: Middleware,
): Promise<'shown' | 'recalled' | 'lost'> {
  if (textOf(prompt).includes(evidence)) return 'shown';
  const [recall] = middleware.tools as NonNullable<Middleware['tools']>;
  const asked = new Set<string>();
  // That of its own turn first: the others would take their time.
  const own = results(prompt).filter((_, turn) => QUESTIONS[turn]?.[0] === question);
  let handles: string[] = handlesIn([...own, ...prompt]);
  for (let step = 0; step < 2; step++) {
    const next: string[] = [];
    for (const handle of handles.filter((each) => !asked.has(each))) {
      asked.add(handle);
      const call = {
        id: 'r',
        name: RECALL_TOOL,
        args: { handle, query: question },
        type: 'tool_call' as const,
      };
      const answer = (await recall.invoke(call, {
        ...THREAD,
        state: { messages: state },
        toolCallId: 'r',
      } as object)) as ToolMessage;
      expect(answer.status).not.toBe('error');
      if (answer.text.includes(evidence)) return 'recalled';
      next.push(...handlesIn([answer]));
    }
    handles = next;
  }
  return 'lost';
}

let plain: Awaited<ReturnType<typeof twentyTurns>>;
beforeAll(async () => {
  documents = await documentation();
  plain = await twentyTurns(documents, []);
});

test('unshaped, twenty turns are some sixty thousand tokens, with all evidence', () => {
  expect(plain.tokens.at(-1)).toBeGreaterThan(55_000);
  for (const [turn, [, evidence]] of QUESTIONS.entries())
    expect(textOf(plain.answers[turn] as BaseMessage[]).includes(evidence)).toBe(true);
});

test.each<[string, ContextShapingMiddlewareOptions]>([
  ['results and messages', { maxTokens: 6000, maxToolTokens: 1500 }],
  ['messages alone', { mode: 'model', maxTokens: 6000 }],
])(
  '%s shaped: a fifth of the tokens, never more than the budget, no evidence out of reach',
  async (_, options) => {
    const middleware = contextShapingMiddleware({ ...options, handleKey: 'a key of the tests' });
    const shaped = await twentyTurns(documents, [middleware]);
    expect(shaped.tokens).toHaveLength(2 * QUESTIONS.length);
    expect(Math.max(...shaped.tokens)).toBeLessThanOrEqual(6000);
    expect(sum(shaped.tokens)).toBeLessThan(sum(plain.tokens) / 5);

    const ofItsTurn = [];
    for (const [turn, question] of QUESTIONS.entries()) {
      const [prompt, state] = [shaped.answers[turn], shaped.states[turn]] as [BaseMessage[], BaseMessage[]];
      ofItsTurn.push(await reach(prompt, state, question, middleware));
    }
    expect(ofItsTurn).not.toContain('lost');

    const [prompt, state] = [shaped.answers.at(-1), shaped.states.at(-1)] as [BaseMessage[], BaseMessage[]];
    const atTheEnd = [];
    for (const question of QUESTIONS) atTheEnd.push(await reach(prompt, state, question, middleware));
    expect(atTheEnd).not.toContain('lost');
  },
);
