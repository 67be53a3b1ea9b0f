/** Whether an agent can still read the evidence of a question. */
import type { BaseMessage, ToolMessage } from '@langchain/core/messages';
import { RECALL_TOOL } from 'context-shaping-agents/langchain';
import { QUESTIONS, results } from './support.js';
import { type Middleware, THREAD } from './twenty-turns.js';

export type Reach = 'shown' | 'recalled' | 'lost';

/** Every handle that stands in a note: the result's own, and those of the passages that are listed. */
const handlesIn = (messages: readonly BaseMessage[]) =>
  messages.flatMap(({ text }) => {
    const note = /\[Of \d+ passages: [^\]]*, recall_passage [^\]]*\][^[\]]*$/.exec(text)?.[0] ?? '';
    return note.match(/(?<=recall_passage |\n)[\w-]{22}/g) ?? [];
  });

/** Is the evidence in the prompt, or does a handle in it lead there, directly or by the handles of the answer? */
export async function reachOf(
  prompt: readonly BaseMessage[],
  state: readonly BaseMessage[],
  [question, evidence]: [string, string],
  middleware?: Middleware,
): Promise<Reach> {
  if (prompt.some(({ text }) => text.includes(evidence))) return 'shown';
  const [recall] = middleware?.tools ?? [];
  if (recall === undefined) return 'lost';
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
      if (answer.status === 'error')
        throw new Error(`A handle of the prompt is of no passage: ${answer.text}`);
      if (answer.text.includes(evidence)) return 'recalled';
      next.push(...handlesIn([answer]));
    }
    handles = next;
  }
  return 'lost';
}
