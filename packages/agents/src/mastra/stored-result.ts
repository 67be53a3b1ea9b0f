/** A shaped result as the memory stores it, and as a request sends it. */
import type { MessageLike } from '../ai-sdk/index.js';
import type { Content, Held } from '../conversation/index.js';

/** The namespace of left-out passages in `providerMetadata` of a part. */
const NAMESPACE = 'contextShaping';

/**
 * Data stay data for the application. The note behind them is only for the model, which gets `mastra.modelOutput` in place
 * of a result.
 */
export function storedAs(content: readonly Content[], held: Held | undefined) {
  const text = content.map(textOf).join('\n\n');
  const [first, ...more] = content;
  const isData = first?.type === 'json';
  const view = isData && more.length > 0 ? { mastra: { modelOutput: { type: 'text', value: text } } } : {};
  return {
    result: isData ? first.value : text,
    providerMetadata: { ...view, ...(held && { [NAMESPACE]: { held } }) },
  };
}

const textOf = (content: Content) =>
  content.type === 'text' ? content.text : content.type === 'json' ? JSON.stringify(content.value) : '';

/**
 * The message as the provider gets it. Mastra copies metadata of stored parts into options for the provider, and some
 * providers send all of them over the network.
 */
export function withoutHeld<M extends MessageLike>(message: M): M {
  const { content } = message;
  if (typeof content === 'string' || !content.some(hasHeld)) return message;
  return { ...message, content: content.map((part) => (hasHeld(part) ? stripped(part) : part)) };
}

type WithOptions = { providerOptions?: Record<string, unknown> };

const hasHeld = (part: object) => (part as WithOptions).providerOptions?.[NAMESPACE] !== undefined;

function stripped<P extends object>(part: P): P {
  const { [NAMESPACE]: _, ...providerOptions } = (part as WithOptions).providerOptions ?? {};
  return { ...part, providerOptions };
}
