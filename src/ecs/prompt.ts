/** The prompts. They suit base models: they have no chat template and no instruction. */
import type { PromptInput } from '../ports.js';

/**
 * Renders `Context:` with one passage per line, then `Question:` and `Answer:`. Each passage is on one line, so that no
 * passage can imitate a question and an answer. The part that the prompts of one query share comes first, and the measured
 * passage is the last one before the question. So a server with a prefix cache reads the shared part once.
 */
export function plainPrompt({ context, question }: PromptInput): string {
  const shown = context.length === 0 ? '' : `Context:\n${context.map(onOneLine).join('\n')}\n\n`;
  return `${shown}Question: ${question}\nAnswer:`;
}

/**
 * The prompt before the question, for its probability. It begins with the passage, so that a cache of prefixes serves all
 * questions on it.
 *
 * @param passage absent: the prompt of the baseline, which has none.
 */
export function questionPrompt(passage?: string): string {
  if (passage === undefined) return 'A question:';
  return `Passage: ${onOneLine(passage)}\n\nA question that this passage answers:`;
}

/** Joins the lines of a text by spaces, without blank lines. */
export function onOneLine(text: string): string {
  return text
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
