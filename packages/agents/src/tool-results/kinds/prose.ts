import { structureOf } from '../../structures/index.js';
import type { Kind } from './kind.js';

/** Sentences in paragraphs, and every text that nothing else is surer of. */
export const prose = {
  name: 'prose',
  recognise: () => 0.2,
  read: (text) => structureOf(text),
} as const satisfies Kind;
