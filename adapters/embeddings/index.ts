/**
 * Static embeddings: an embedder without a service.
 *
 * @packageDocumentation
 */
export { loadStaticEmbedder } from './static/folder.js';
export {
  type StaticEmbedder,
  type StaticEmbedderOptions,
  type StaticModelFiles,
  staticEmbedder,
} from './static/static.js';
