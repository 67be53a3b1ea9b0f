/** One line, in a thread. */
import { messageOf } from '../../../src/internal.js';
import type { Answer, Problem, Threads } from '../../workers/index.js';
import type { QueuedOutcome } from './jobs.js';

const never = new AbortController().signal;

/** A wrong line is rejected, and so is one that ended its thread at each attempt. */
export async function shapeLine(
  threads: Threads,
  body: Uint8Array,
): Promise<{ outcome: QueuedOutcome; facts?: Answer['facts'] }> {
  let answer: Answer;
  try {
    answer = await threads.run(
      { kind: 'shape', body, isJson: true },
      { late: never, left: never },
      undefined,
    );
  } catch (error) {
    return { outcome: rejected(`The line ended its thread at each attempt: ${messageOf(error)}`) };
  }
  const text = typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString('utf8');
  if (answer.status === 200) return { outcome: { is: 'shaped', json: text }, facts: answer.facts };
  if (answer.failure !== undefined) return { outcome: rejected(`Shaping failed: ${answer.failure.name}.`) };
  const { detail, field, remedy } = JSON.parse(text) as Problem;
  return { outcome: { is: 'rejected', problem: { detail, field, remedy } } };
}

const rejected = (detail: string): QueuedOutcome => ({ is: 'rejected', problem: { detail } });
