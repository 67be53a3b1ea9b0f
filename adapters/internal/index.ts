/**
 * Names that the packages of this repository use besides the public ones: `context-shaping/internal`. They depend on the exact
 * version of this package, because no promise is made about any of these names: they may change in every release.
 */
export {
  condensedIndex,
  cosines,
  digestOf,
  FLAG_KINDS,
  gram,
  linkage,
  loadTokenCounter,
  maximalMarginalRelevance,
  pack,
  packVector,
} from '../../src/internal.js';
