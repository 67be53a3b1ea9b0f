/**
 * A language model in plain TypeScript, for small GGUF files. It is not an export of the package: as a feature it is
 * too slow, and node-llama-cpp and servers run the same files. The command line keeps it, so that `context-shaping
 * calibrate` works without installing anything; the tests use it to check the other model adapters.
 */
export { ggufModel, loadGgufModel } from './gguf-model.js';
