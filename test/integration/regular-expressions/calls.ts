/** Calls that reach the places where an expression is made only when a function runs. */

import { excerptOf } from '../../../packages/agents/src/excerpts.js';
import { toolTest } from '../../../packages/agents/src/tool-calls.js';
import { pinnedBlocks } from '../../../packages/agents/src/tool-results/keep.js';
import { splitAt } from '../../../packages/devtools/page/model/marks.js';
import { overlaps } from '../../../packages/devtools/src/evaluate/evidence.js';
import { hookFlags } from '../../../packages/mcp/src/hook/flags.js';
import { formOf } from '../../../src/relevance/question-form.js';
import { byPieces } from '../../../src/tokens/token-pieces.js';

const count = (text: string) => text.length;
const question = 'The old man by the sea said what?';

export const calls: readonly (() => unknown)[] = [
  () => hookFlags({ keep: ['/error \\d+/i'] }),
  () => excerptOf([{ number: 1, text: 'a b' }], { pattern: 'a b' }, { maxTokens: 100, count }),
  () => toolTest({ tools: ['read_*', '*_file'] }),
  () => pinnedBlocks([], [/error/gi], () => 0),
  () => splitAt('a b and c', ['a b', '…c']),
  () => overlaps('a b', 'so a b', 0, 9),
  () => formOf(question, question.toLowerCase().match(/\w+/g) ?? []),
  () => formOf('old sea man?', ['old', 'sea', 'man']),
  () => byPieces(count, /\p{L}+|\p{N}{1,3}|[^\p{L}\p{N}]+/gu),
];
