/** Renders explanations for people. */
import { invalidInput } from '../../src/internal.js';
import { sentencesOf } from './sentences.js';
import type { Explanation } from './types.js';
import type { Flags } from './wording.js';

/**
 * The explanation as text for a terminal. Its first line says what happened, and the smallest change found to bring the chunk
 * back; a line for each further sentence follows.
 *
 * @param options `width`: number of columns, at least 40; longer lines break. `brief`: the first line alone. `verbose`: also
 *   relevance in numbers, the features that made the difference, and the values of each option that were run.
 *   `flags`: the flag of a command for each option that has one, such as `{ k: '--k' }`.
 * @throws ContextShapingError `invalid-input`, if it gets anything but an explanation.
 */
export function formatExplanation(
  explanation: Explanation,
  {
    width = 100,
    brief = false,
    verbose = false,
    flags,
  }: { width?: number; brief?: boolean; verbose?: boolean; flags?: Flags } = {},
): string {
  const { claims } = (explanation ?? {}) as Partial<Explanation>;
  if (!Array.isArray(claims))
    throw invalidInput('explanation', explanation, 'is no explanation', 'Give what explain() returned.');
  const columns = Math.max(40, Math.floor(width));
  const [first = '', ...others] = sentencesOf(brief ? claims.slice(0, 1) : claims, { verbose, flags });
  return [...wrapped(first, columns, ''), ...others.flatMap((each) => wrapped(each, columns, '  '))].join(
    '\n',
  );
}

/** Breaks a line at spaces; later lines are indented further. A word that is longer than a line is cut into pieces. */
function wrapped(line: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let rest = indent + line;
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    const end = rest.slice(0, space + 1).trim() === '' ? columns : space;
    lines.push(rest.slice(0, end));
    rest = `${indent}  ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
