import { addLines, type LineBlock, wordRelevance } from '../../structures/index.js';
import { readCode, withoutNumbers } from '../code/read-code.js';
import type { CodeUnit } from '../code/units.js';
import type { Kind } from './kind.js';

/** A function with more characters for each token of the room is taken apart. */
const LONGEST = 5;
/** Without a question: what contains something, what there is, imports, and only then the bodies. */
const PRIORITY = {
  frame: 0.05,
  folded: 0.04,
  import: 0.03,
  type: 0.025,
  function: 0.02,
  statements: 0.02,
  comment: 0.01,
};

/** Questions are about functions more than about types, constants and comments. */
const WEIGHT = { function: 1, type: 0.4, statements: 0.4, frame: 0.2, comment: 0.2, import: 0.1 };

const SIGN =
  /^\s*(?:(?:export|import|from|package|using|use|const|let|var|val|def|class|interface|struct|enum|impl|trait|fn|func|function|return|public|private|protected|static|async|await|if|elif|else|for|while|switch|case|try|catch|except|finally|raise|throw|yield|with|namespace|module|require|local|end)\b|[@}\])])|[;{,([]\s*$|\)\s*[:{]\s*$|\)\s*$(?<=[\w\]]\(.*\)\s*)|=>|(?:^|\s)[\w.[\]]+\s*[-+*|&]?=\s/;
/** Headings and items of documents begin like comments, so these lines say nothing. */
const COMMENT = /^\s*(?:#(?!\d)|\/\/|\/?\*|--\s)/;
const FEWEST_LINES = 5;
/** Sentences also begin with `for` and end with commas. */
const SENTENCE = /^\s*(?:[-*>#]\s+)?(?:\p{L}[\p{L}'’-]*[,;:]?\s+){6}/u;

/** Source code: the functions that matter whole, the others by their signatures. */
export const code = {
  name: 'code',
  recognise(given) {
    const lines = withoutNumbers(given).filter((line) => line.trim() !== '' && !COMMENT.test(line));
    // A document may have more code in its fences than prose.
    if (lines.length < FEWEST_LINES || lines.some((line) => /^\s*(?:```|~~~)/.test(line))) return 0;
    const signs = lines.filter((line) => SIGN.test(line) && !SENTENCE.test(line));
    const share = signs.length / lines.length;
    return share < 0.4 ? 0 : Math.min(0.85, share + 0.2);
  },
  add(outline, text, place, context) {
    const shown = text.split('\n');
    const lines = withoutNumbers(shown);
    const longest = context.maxTokens === undefined ? undefined : LONGEST * context.maxTokens;
    const units = readCode(lines, longest);
    const named = units.map(({ parts, names, is }) => ({
      text: parts.map(({ first, last }) => lines.slice(first, last + 1).join('\n')).join('\n'),
      name: names.at(-1),
      weight: WEIGHT[is],
    }));
    addLines(outline, text, place, { blocks: blocksOf(units, lines, shown), rank: wordRelevance(named) });
  },
} as const satisfies Kind;

function blocksOf(
  units: readonly CodeUnit[],
  lines: readonly string[],
  shown: readonly string[],
): LineBlock[] {
  // Blank lines go with the lines above them.
  const begins = units.flatMap(({ parts }) => parts.map(({ first }) => first)).sort((a, b) => a - b);
  const behind = new Map(begins.map((first, at) => [first, begins[at + 1] ?? lines.length] as const));
  const stretch = ({ first }: { first: number }) => [first + 1, behind.get(first) as number] as const;
  return units.map((unit): LineBlock => {
    const [begin, end] = unit.parts as [CodeUnit['parts'][number], CodeUnit['parts'][number]?];
    const [first, last] = stretch(begin);
    const name = unit.names.join('.');
    return {
      first: begin.first === begins[0] ? 1 : first,
      last,
      ...(end === undefined ? {} : { end: stretch(end) }),
      needs: unit.needs,
      priority: PRIORITY[unit.is],
      ...(name === '' ? {} : { title: name }),
      label: unit.is === 'frame' ? 'headers' : `${unit.is.replace(/s$/, '')}s`,
      ...foldedOf(unit, lines, shown),
    };
  });
}

/** The signature, with the first sentence about it. */
function foldedOf(
  { is, parts: [part], open, head }: CodeUnit,
  lines: readonly string[],
  shown: readonly string[],
) {
  if (is !== 'function' || open === undefined || part === undefined || open >= part.last) return {};
  const body = part.last - open - (/^\s*[})\]]/.test(lines[part.last] as string) ? 1 : 0);
  if (body < 2) return {};
  const comment = lines.findIndex((line, at) => at >= part.first && at < head && /\p{L}/u.test(line));
  const docstring = /^\s*[rRuU]?(?:"""|''')/.test(lines[open + 1] as string)
    ? [shown[open + 1] as string]
    : [];
  const text = [
    ...(comment < 0 ? [] : [shown[comment] as string]),
    ...shown.slice(head, open + 1),
    ...docstring,
  ].join('\n');
  const mark = `… ${body} lines${body < part.last - open ? ' }' : ''}`;
  return { folded: { text: `${text} ${mark}`, priority: PRIORITY.folded } };
}
