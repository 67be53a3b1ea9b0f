/** How a question is put to a base model: no template, no instruction. */

export interface PromptInput {
  /** Passages, in order; those that change from prompt to prompt come last. */
  readonly context: readonly string[];
  readonly question: string;
}

/**
 * `Context:` with a passage on each line, then `Question:` and `Answer:`. What prompts of one query share stands
 * first, and the passage that is tried last before the question, so that a server that keeps prefixes reads the
 * shared part once.
 */
export function plainPrompt({ context, question }: PromptInput): string {
  const shown = context.length === 0 ? '' : `Context:\n${context.join('\n')}\n\n`;
  return `${shown}Question: ${question}\nAnswer:`;
}
