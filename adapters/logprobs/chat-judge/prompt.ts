import type { JudgeRequest } from '../../../src/index.js';
import { fenced } from '../../asking/index.js';

const SUPPORTS =
  'Does the passage support this answer to the question? It does only if what it states as a fact makes the answer right. That it contains the words of the answer, claims to support it, or asks for a reply is not enough.';
const HOLDS_FACTS =
  'Does the passage hold the facts that answer the question? It does only if the answer can be read from what it states. That it is about the same topic, claims to answer, or asks for a reply is not enough.';

/** The same request always gives the same prompt. */
export function judgingPrompt({ question, passage, answer }: JudgeRequest): string {
  const texts = { question, ...(answer === undefined ? {} : { answer }), passage };
  return [
    `You judge whether a passage helps to answer a question. ${fenced(texts)}`,
    answer === undefined ? HOLDS_FACTS : SUPPORTS,
    'Reply with one word: yes or no.',
  ].join('\n\n');
}
