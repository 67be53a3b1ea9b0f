import type { Content } from '../conversation/index.js';

/**
 * A shaped result as the memory stores it. Data stay data for the application. The note behind them is only for the model,
 * which gets `mastra.modelOutput` in place of a result.
 */
export function storedAs(content: readonly Content[]) {
  const text = content.map(textOf).join('\n\n');
  const [first, ...more] = content;
  if (first?.type !== 'json') return { result: text };
  const view = more.length > 0 && {
    providerMetadata: { mastra: { modelOutput: { type: 'text', value: text } } },
  };
  return { result: first.value, ...view };
}

const textOf = (content: Content) =>
  content.type === 'text' ? content.text : content.type === 'json' ? JSON.stringify(content.value) : '';
