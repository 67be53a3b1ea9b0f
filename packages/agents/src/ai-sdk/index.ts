/**
 * Context shaping for the AI SDK, versions 6 and 7. Nothing of it is imported: its objects are typed structurally.
 *
 * @packageDocumentation
 */
export type { RecallInput } from '../conversation/index.js';
export type { MessageLike } from './messages.js';
export * from './shaping.js';
