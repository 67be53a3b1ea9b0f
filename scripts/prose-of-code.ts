/** Finds the prose of TypeScript code: comments, and strings of several words. */

/** A piece of prose with its line breaks, and the line of the file on which it begins. */
export interface Paragraph {
  line: number;
  text: string;
}

/** An expression of a template. It may contain one level of braces or templates. */
const EXPRESSION = /\$\{((?:[^{}`]|\{[^{}]*\}|`[^`]*`)*)\}/g;

const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/.source;
const TEMPLATE = `\`(?:${/[^`\\$]|\\[\s\S]|\$(?!\{)/.source}|${EXPRESSION.source})*\``;

/** Comments, strings that may be concatenated, and regular expressions, because these may contain quotes. */
const TOKENS = new RegExp(
  [
    /(?<comment>\/\/.*(?:\n *\/\/.*)*|\/\*[\s\S]*?\*\/)/.source,
    `(?<string>(?:${STRING}|${TEMPLATE})(?:\\s*\\+\\s*(?:${STRING}|${TEMPLATE}))*)`,
    /(?<=[(,=:[!&|?{};+>]\s*|\breturn )\/(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//.source,
  ].join('|'),
  'g',
);

/** The first lines of files that a script writes: their prose is in files that are checked. */
const GENERATED = /^(?:\/\/|\/\*\*\n \*) .*(?:Generated from|Written by) /;

/** A comment of this form exempts the strings of the statement below it. It gives the reason. */
const EXEMPTION = /^ *\/\/ Unchecked prose: \w/m;

/** Follows a string that is a list. */
const SPLIT = /^[\s,)]*\.(?:trim\(\)\s*\.)?split\(/;

/** Stands before the title of a test or of a group of tests. */
const LONGEST_START = 100;
const BEFORE_TITLE = /(?:\b(?:test|describe|bench)(?:\.\w+)*|\))\(\s*$/;

/** Strings without three words in a row are names, addresses or codes. */
const WORDS = /\p{L}+,? \p{L}+,? \p{L}+/u;
/** The parts of regular expressions, and arrows of functions: strings that have them are code. */
const CODE = /\\[bdpsw.]|\(\?|=>/;

/**
 * Returns the paragraphs of the comments and strings of a file. A list item, a tag of a docstring, a cell of a table and
 * a line of a string are paragraphs of their own. Formulas (indented blocks of a docstring), strings that are split into
 * lists, and exempted strings are left out.
 *
 * @param strings `titles`: of the strings, only the titles of tests. The data of tests may break the rules.
 * @param line the line of the first character.
 */
export function proseOfCode(code: string, strings: 'all' | 'titles' = 'all', line = 1): Paragraph[] {
  if (GENERATED.test(code)) return [];
  const lineAt = (index: number) => line + lineBreaks(code.slice(0, index)).length;
  let exemptTo = 0;
  return Array.from(code.matchAll(TOKENS)).flatMap(({ 0: token, index, groups }) => {
    if (groups?.comment) {
      if (EXEMPTION.test(token)) exemptTo = endOfStatement(code, index);
      return paragraphsOf(uncommented(token), lineAt(index));
    }
    if (groups?.string === undefined || index < exemptTo || SPLIT.test(code.slice(index + token.length)))
      return [];
    if (strings === 'titles' && !BEFORE_TITLE.test(code.slice(Math.max(0, index - LONGEST_START), index)))
      return [];
    const inner = Array.from(token.matchAll(EXPRESSION), (expression) =>
      proseOfCode(expression[1] as string, 'all', lineAt(index + expression.index)),
    );
    const text = unquoted(token);
    const own = WORDS.test(text) && !CODE.test(text) ? paragraphsOf(text, lineAt(index)) : [];
    return [...own, ...inner.flat()];
  });
}

const lineBreaks = (text: string) => text.replace(/[^\n]/g, '');

/** The statement goes on with lines that are indented more than its first, and with closing brackets. */
function endOfStatement(code: string, comment: number): number {
  const indent = comment - code.lastIndexOf('\n', comment) - 1;
  const next = new RegExp(`(?<=\\n {${indent}}(?!//).*)\\n {0,${indent}}(?![ )\\]}])`, 'g');
  next.lastIndex = comment;
  return next.exec(code)?.index ?? code.length;
}

const uncommented = (comment: string) =>
  comment
    .replace(/^[^\S\n]*(?:\/\*+|\*(?!\/)|\/\/)/gm, '')
    .replace(/\*\/$/, '')
    .replace(/(?<=\n *\n)(?: {3,}.*(?:\n|$))+/g, lineBreaks)
    .replace(/^ ?\|.*/gm, (row) => row.replaceAll('|', '\\n'))
    .replace(/\{@link ([^}]*)\}/g, '`$1`');

const unquoted = (string: string) =>
  string
    .replace(/(['"`]\s*\+\s*['"`])|\n/g, (gap, plus) => (plus ? ` ${lineBreaks(gap)}` : '\\n\n'))
    .replace(/^.|.$/g, '')
    .replace(EXPRESSION, (expression) => `\`expression\`${lineBreaks(expression)}`)
    .replace(/<\/?[a-z][^<>]*>/g, '\\n')
    .replace(/\\(['"`$])/g, '$1');

function paragraphsOf(text: string, line: number): Paragraph[] {
  return text.split(/(?=\n\s*\n|\n\s*(?:-|\d+\.|@\w+) |\\n|\\t)/).map((part) => {
    const paragraph = {
      line,
      text: part
        .replace(/`[^`]+`/g, (code) => `CODE${lineBreaks(code)}`)
        .replace(/^(\s*)(?:- |\d+\. |@param \S+(?: -)?|@\w+|\\n|\\t)/, '$1'),
    };
    line += lineBreaks(part).length;
    return paragraph;
  });
}
