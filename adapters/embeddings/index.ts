/**
 * Static embeddings: an embedder without a service.
 *
 * @packageDocumentation
 */
export {
  loadStaticEmbedder,
  type StaticEmbedder,
  type StaticEmbedderOptions,
  type StaticModelFiles,
  staticEmbedder,
} from './static/static.js';
