import { structureOf } from '../../structures/index.js';
import type { Kind } from './kind.js';

/** Text with headings, lists, links or fences. Its parts keep their headings. */
export const markdown = {
  name: 'markdown',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    const marked = filled.filter((line) => /^\s{0,3}(#{1,6} |[-*+] |\d+[.)] |>|```|~~~|\|)|\]\(/.test(line));
    return filled.length === 0 ? 0 : Math.min(0.7, (2 * marked.length) / filled.length);
  },
  read: (text) => structureOf(text),
} as const satisfies Kind;
