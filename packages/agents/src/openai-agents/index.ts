/**
 * Context shaping for the OpenAI Agents SDK: a filter of the model's input, and the tool that reads left-out passages.
 *
 * @packageDocumentation
 */
export * from './shaping.js';
