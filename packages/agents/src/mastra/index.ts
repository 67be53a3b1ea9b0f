/**
 * Context shaping for Mastra: a processor for agents with tools, and the recall tool.
 *
 * @packageDocumentation
 */
export * from './processor.js';
