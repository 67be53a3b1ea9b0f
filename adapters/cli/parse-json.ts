/**
 * Parses JSON with errors that name line and column. `JSON.parse` names no position in some versions of Node, and never
 * a line.
 */
import { ContextShapingError } from '../../src/index.js';

/**
 * @param name the source of the text, for the message: a file name, `standard input`.
 * @param own the number of the line, and what to do, if the text is one line of a file with a value on each.
 * @throws ContextShapingError `invalid-input`, with line and column of the first fault.
 */
export function parseJson(text: string, name: string, own?: { line: number; remedy: string }): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = findFault(text);
    if (fault === undefined) throw cause;
    const before = text.slice(0, fault.at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    const rest = text.slice(fault.at).split('\n', 1)[0] ?? '';
    const character = own === undefined ? ` (character ${fault.at + 1})` : '';
    throw new ContextShapingError('invalid-input', {
      field: `${name}, line ${own?.line ?? before.length}, column ${column}${character},`,
      value: fault.at >= text.length ? `the end of the ${own === undefined ? 'text' : 'line'}` : rest,
      is: `is not JSON: expected ${fault.expected}`,
      remedy: own?.remedy ?? 'Correct the text there, or write it with JSON.stringify or json.dumps.',
      cause,
    });
  }
}

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const STRING_BODY = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Descriptions of the expected next token. */
const WANTED = {
  value: 'a value',
  'first value': 'a value or "]"',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or "}"',
  colon: 'a colon after the key',
  next: 'a comma or the end of the array or object',
  end: 'nothing more',
} as const;

/**
 * The first character at which a text stops being JSON (RFC 8259), and the expected syntax. Not recursive, so any depth of
 * nesting works.
 */
export function findFault(text: string): { at: number; expected: string } | undefined {
  const open: ('[' | '{')[] = [];
  let want: keyof typeof WANTED = 'value';
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const afterValue = () => (open.length === 0 ? 'end' : 'next');
  for (;;) {
    skip(SPACE);
    const character = text[at];
    if (want === 'end' && character === undefined) return undefined;
    if (want === 'colon' && character === ':') {
      at += 1;
      want = 'value';
    } else if (want === 'next' && character === ',') {
      at += 1;
      want = open.at(-1) === '{' ? 'key' : 'value';
    } else if (closes(character, open.at(-1)) && (want === 'next' || want.startsWith('first'))) {
      at += 1;
      open.pop();
      want = afterValue();
    } else if (character === '"' && /value|key/.test(want)) {
      skip(STRING_BODY);
      if (text[at] !== '"') return { at, expected: inString(text[at]) };
      at += 1;
      want = want.endsWith('key') ? 'colon' : afterValue();
    } else if ((character === '[' || character === '{') && want.endsWith('value')) {
      at += 1;
      open.push(character);
      want = character === '[' ? 'first value' : 'first key';
    } else if (want.endsWith('value') && skip(SCALAR)) {
      want = afterValue();
    } else {
      return { at, expected: WANTED[want] };
    }
  }
}

function closes(character: string | undefined, open: '[' | '{' | undefined): boolean {
  return (character === ']' && open === '[') || (character === '}' && open === '{');
}

function inString(character: string | undefined): string {
  if (character === '\\') return 'a valid escape';
  return character === undefined
    ? 'a closing double quote'
    : 'no unescaped control character in a string (write \\n for a line break)';
}
