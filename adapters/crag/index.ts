/** Corrective retrieval without a graph: what is asked of graders, searches and people, and what it means. */
export * from './types.js';
