/** What `npm run bench` measures by itself, from the very modules that run. Nothing imports it. */
export { simdKernel } from './math/gram/kernel.js';
export { cut } from './math/linkage.js';
export { wordsOf } from './text/words.js';
