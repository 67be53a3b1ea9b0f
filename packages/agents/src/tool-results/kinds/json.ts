import { parseJson } from 'context-shaping/kit';
import { structureOf } from '../../structures/index.js';
import type { Kind } from './kind.js';

/** A JSON value, or a value on each line. */
export const json = {
  name: 'json',
  recognise(lines, text) {
    if (!/^\s*[[{]/.test(text)) return 0;
    const filled = lines.filter((line) => line.trim() !== '');
    if (filled.length > 1 && filled.every((line) => /^\s*[[{]/.test(line) && parseJson(line) !== undefined))
      return 1;
    return parseJson(text) === undefined ? 0 : 1;
  },
  read: (text) => structureOf(text),
} as const satisfies Kind;
