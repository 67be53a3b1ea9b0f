/** How a question is put to a base model: no template, no instruction. */

export interface PromptInput {
  /** Passages, in order; those that change from prompt to prompt come last. */
  readonly context: readonly string[];
  readonly question: string;
}

/**
 * `Context:` with a passage on one line each, so that none can pass for a question and an answer, then `Question:` and `Answer:`. What prompts of one query share stands
 * first, and the passage that is tried last before the question, so that a server that keeps prefixes reads the
 * shared part once.
 */
export function plainPrompt({ context, question }: PromptInput): string {
  const shown = context.length === 0 ? '' : `Context:\n${context.map(onOneLine).join('\n')}\n\n`;
  return `${shown}Question: ${question}\nAnswer:`;
}

export function onOneLine(text: string): string {
  return text
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
