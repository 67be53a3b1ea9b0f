import type { MessageLike } from './messages.js';
import { type AiSdkShaping, type AiSdkShapingOptions, shapeList, shapingOf } from './shaping.js';

/** A `prepareStep` of `generateText`, `streamText` and `ToolLoopAgent`. */
export type ShapedPrepareStep = <M extends MessageLike>(step: {
  messages: readonly M[];
  /** `ai` 7: the system prompt. */
  instructions?: string | MessageLike | readonly MessageLike[] | undefined;
  /** `ai` 6. */
  experimental_context?: unknown;
  /** `ai` 7. */
  runtimeContext?: unknown;
}) => Promise<{ messages: M[] }>;

/**
 * The given messages that a sent message stands for. `ai` 7 carries an override of `messages` on to later steps; so that
 * every step is shaped from the whole list, as in `ai` 6, the list is restored first.
 */
const GIVEN = new WeakMap<MessageLike, readonly MessageLike[]>();

export const restored = <M extends MessageLike>(messages: readonly M[]): M[] =>
  messages.flatMap((message) => (GIVEN.get(message) as readonly M[] | undefined) ?? [message]);

/**
 * Shapes the messages of each step. It cannot count the tools, and in `ai` 6 the system prompt, because the AI SDK does
 * not show them here: leave room for them, or use `shapingMiddleware`.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function shapedPrepareStep(options: AiSdkShapingOptions | AiSdkShaping = {}): ShapedPrepareStep {
  const shaping = shapingOf(options);
  return async <M extends MessageLike>({
    messages,
    instructions,
    experimental_context,
    runtimeContext,
  }: Parameters<ShapedPrepareStep>[0] & { messages: readonly M[] }) => {
    const system = systemOf(instructions);
    const whole = restored(messages);
    const { list } = await shapeList<MessageLike>([...system, ...whole], shaping, {
      context: experimental_context ?? runtimeContext,
    });
    let done = 0;
    return {
      messages: list.flatMap(({ at, message }): M[] => {
        if (at < system.length) return [];
        const stands = whole.slice(done, at - system.length + 1);
        done += stands.length;
        if (stands.length === 1 && stands[0] === message) return [message as M];
        // A copy: the message of the caller may be in other lists, where it stands for itself.
        const sent = { ...message } as M;
        GIVEN.set(sent, stands);
        return [sent];
      }),
    };
  };
}

function systemOf(
  instructions: string | MessageLike | readonly MessageLike[] | undefined,
): readonly MessageLike[] {
  if (instructions === undefined) return [];
  if (typeof instructions === 'string') return [{ role: 'system', content: instructions }];
  return Array.isArray(instructions) ? instructions : [instructions as MessageLike];
}
