/** Renders explanations for people. */
import { invalidInput } from '../../src/internal.js';
import type { KeptRanges } from './counterfactuals.js';
import type { Explanation } from './types.js';
import { count, isOnAxis, listed, optionsWritten, quoted } from './wording.js';

/**
 * The explanation as text for a terminal: one paragraph for each sentence, and the ranges of the options.
 *
 * @param options `width`: number of columns, at least 40. `brief`: one line, which breaks if it is too long: the cause and
 *   what brings the chunk back.
 * @throws ContextShapingError `invalid-input`, if it gets anything but an explanation.
 */
export function formatExplanation(
  explanation: Explanation,
  { width = 100, brief = false }: { width?: number; brief?: boolean } = {},
): string {
  if (!Array.isArray((explanation as Partial<Explanation> | null | undefined)?.sentences))
    throw invalidInput('explanation', explanation, 'is no explanation', 'Give what explain() returned.');
  const { id, index, outcome, cause, sentences, counterfactuals } = explanation;
  const columns = Math.max(40, Math.floor(width));
  if (brief) return wrapped(briefly(explanation), columns, '').join('\n');
  return [
    ...wrapped(`${quoted(id)} (chunk ${count(index)}): ${outcome}, ${cause}`, columns, ''),
    '',
    ...sentences.flatMap((sentence) => wrapped(sentence, columns, '  ')),
    ...(counterfactuals === undefined ? [] : ['', 'Kept with']),
    ...axesOf(explanation).flatMap((each) => wrapped(rangeLine(each), columns, '  ')),
  ].join('\n');
}

function axesOf({ counterfactuals }: Explanation): KeptRanges[] {
  const { maxTokens, k, lambda, maxPerCluster } = counterfactuals ?? {};
  return [maxTokens, k, lambda, maxPerCluster].filter((each) => each !== undefined);
}

function rangeLine({ option, current, kept, tried }: KeptRanges): string {
  const now = current === null ? 'no limit' : count(current);
  const ranges = listed(kept.map(rangeOf), 'and') || 'none';
  return `${option} (now ${now}; tried ${count(tried.from)}–${count(tried.to)}): ${ranges}`;
}

const rangeOf = ([from, to]: [number, number | null]): string =>
  to === null ? `${count(from)} and more` : from === to ? count(from) : `${count(from)}–${count(to)}`;

/** The cause, and the changes that bring an evicted chunk back. */
function briefly(explanation: Explanation): string {
  const { id, outcome, stage, cause, counterfactuals, remedy } = explanation;
  if (outcome !== 'evicted') return `${quoted(id)}: ${outcome}, ${cause}`;
  const { pin, absence = [] } = counterfactuals ?? {};
  const ways = [
    ...(remedy === undefined || isOnAxis(remedy)
      ? []
      : [`${optionsWritten(remedy.options)}${remedy.isVerified ? '' : ', perhaps'}`]),
    ...axesOf(explanation).flatMap(({ option, kept }) =>
      kept.length === 0
        ? []
        : [`${option} ${kept.slice(0, 2).map(rangeOf).join(', ')}${kept.length > 2 ? ', …' : ''}`],
    ),
    ...(pin === true ? ['a pin'] : []),
    ...absence.slice(0, 1).map((each) => `no ${quoted(each.id)}`),
  ];
  const none =
    counterfactuals === undefined
      ? 'a report alone does not tell the changes that keep it'
      : 'no single change keeps it';
  return `${quoted(id)}: ${stage}, ${cause}; ${ways.length > 0 ? `kept with ${ways.join('; ')}` : none}`;
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
