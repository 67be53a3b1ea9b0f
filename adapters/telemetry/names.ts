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
  metadata: 'metadata',
  input: 'input.value',
  inputType: 'input.mime_type',
} as const;

/** OpenTelemetry: https://github.com/open-telemetry/semantic-conventions-genai */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  query: 'gen_ai.retrieval.query.text',
  documents: 'gen_ai.retrieval.documents',
  topK: 'gen_ai.retrieval.top_k',
  errorType: 'error.type',
} as const;

/** Names of this package. */
export const OWN = {
  digest: 'context_shaping.digest',
  tokensIn: 'context_shaping.tokens.input',
  tokensOut: 'context_shaping.tokens.output',
  budget: 'context_shaping.tokens.budget',
  chunksIn: 'context_shaping.chunks.input',
  chunksKept: 'context_shaping.chunks.kept',
  chunksEvicted: 'context_shaping.chunks.evicted',
  givenOmitted: 'context_shaping.input_documents.omitted',
  keptOmitted: 'context_shaping.output_documents.omitted',
  isInterrupted: 'context_shaping.interrupted',
  operation: 'context_shaping.operation.name',
  stage: 'context_shaping.stage.name',
  stageSeconds: 'context_shaping.stage.duration',
  code: 'context_shaping.degradation.code',
  message: 'context_shaping.degradation.message',
  tokenType: 'context_shaping.token.type',
} as const;
