/** Names that the programs of `context-shaping-mcp` use besides the public ones. No promise is made about them. */
export { areBlocks, blocksOf, contentOf, textsOf } from './blocks.js';
export { contentText, unknownIn } from './conversation/tokens.js';
export { excerptOf, linesIn, type Wanted } from './excerpts.js';
export { cleaned } from './sanitising.js';
