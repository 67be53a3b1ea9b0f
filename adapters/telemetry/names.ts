/**
 * Names of attributes, as their conventions write them. Both conventions may still change these names; a test compares
 * them with the constants of the conventions' packages.
 */

/** OpenInference: https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md */
export const OPENINFERENCE = {
  kind: 'openinference.span.kind',
  query: 'reranker.query',
  model: 'reranker.model_name',
  topK: 'reranker.top_k',
  given: 'reranker.input_documents',
  kept: 'reranker.output_documents',
  id: 'document.id',
  score: 'document.score',
  content: 'document.content',
  documentMetadata: 'document.metadata',
  input: 'input.value',
} as const;

/** OpenTelemetry: https://github.com/open-telemetry/semantic-conventions-genai */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  query: 'gen_ai.retrieval.query.text',
  documents: 'gen_ai.retrieval.documents',
  topK: 'gen_ai.retrieval.top_k',
  errorType: 'error.type',
} as const;
