import type { MessageLike } from '../ai-sdk/index.js';
import type { RequestContextLike } from './types.js';

/**
 * The newest request of each conversation of a run, as it was before shaping. The recall tool needs it, because Mastra
 * tells a tool only the new messages of the user. Runs are known by their request contexts, and forgotten with them; a
 * context that many runs share has many conversations.
 */
export class NewestRequests {
  readonly #ofRun = new WeakMap<RequestContextLike, Map<string, readonly MessageLike[]>>();

  note(context: RequestContextLike | undefined, thread: string, prompt: readonly MessageLike[]): void {
    if (context === undefined) return;
    const ofThread = this.#ofRun.get(context) ?? new Map<string, readonly MessageLike[]>();
    this.#ofRun.set(context, ofThread.set(thread, prompt));
  }

  of(context: RequestContextLike | undefined, thread: string): readonly MessageLike[] | undefined {
    return context && this.#ofRun.get(context)?.get(thread);
  }
}
