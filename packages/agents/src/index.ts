/**
 * Results of tools and lists of messages, shaped to token budgets in any host of agents.
 *
 * @packageDocumentation
 */
export * from './conversation/index.js';
export * from './tool-results/index.js';
