/** Ours: `shape` for passages, `shapeToolResult` for one result of a tool, with the default options. */
import { createShaper } from 'context-shaping';
import { shapeToolResult } from 'context-shaping-agents';
import { type Rival, WHOLE } from './rival.js';

export const OURS = ['ours', 'ours, vectors'] as const;

export function shaping(name: (typeof OURS)[number], needsVectors = false): Rival {
  return {
    name,
    package: 'context-shaping',
    ...(needsVectors && { needsVectors: true }),
    async select({ question, history, chunks, result, embedder, countTokens }, maxTokens) {
      const tokenizer = countTokens;
      const options = { tokenizer, ...(needsVectors && { embedder }) };
      if (result === undefined) {
        const shaper = createShaper({ ...options, budget: { maxTokens } });
        return (await shaper.shape({ query: { text: question, history }, chunks })).chunks;
      }
      const shaper = createShaper(options);
      const shaped = await shapeToolResult({ ...result, query: question, maxTokens, tokenizer, shaper });
      const { content } = shaped;
      return [{ id: WHOLE, text: typeof content === 'string' ? content : JSON.stringify(content) }];
    },
  };
}
