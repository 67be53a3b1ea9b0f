/** Reads where each value of a JSON text begins and ends. It does not recurse, so depth cannot overflow the stack. */

/** A value of a JSON text. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'other';
  /** Offsets in the text, with brackets and quotation marks. */
  readonly start: number;
  end: number;
  /** For a field of an object: its key, and where the key begins. */
  readonly key?: string | undefined;
  readonly keyStart: number;
  /** Elements, or values of fields. */
  readonly children: JsonNode[];
}

/** Undefined if the text is not one JSON value. */
function readJson(text: string): JsonNode | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return read(text, 0, text.length);
}

/** JSON Lines as an array of their values. Undefined if a line is neither an object nor an array, or if there is only one. */
function readJsonLines(text: string): JsonNode | undefined {
  const children: JsonNode[] = [];
  for (const { index, 0: line } of text.matchAll(/(?<![^\r\n])[^\S\r\n]*\S[^\r\n]*/g)) {
    if (!/^\s*[[{]/.test(line) || readJson(line) === undefined) return undefined;
    children.push(read(text, index, index + line.length) as JsonNode);
  }
  // Its brackets would be before and behind the text.
  return children.length < 2
    ? undefined
    : { kind: 'array', start: -1, end: text.length + 1, keyStart: -1, children };
}

/**
 * The value of a text that is JSON, or those of JSON Lines.
 *
 * @param mayBeScalar whether a text or number alone is data, too.
 */
export function dataIn(text: string, mayBeScalar = false): JsonNode | undefined {
  const node = mayBeScalar || /^\s*[[{]/.test(text) ? readJson(text) : undefined;
  return node ?? readJsonLines(text);
}

/** A JSON value between other lines of a text. */
export interface JsonStretch {
  readonly start: number;
  readonly end: number;
  readonly node: JsonNode;
}

const SHORTEST_STRETCH = 200;
/** Brackets that begin no value cost a search each: all together as many characters as so many times the text. */
const MOST_SEARCHED = 8;

/** Long JSON objects and arrays that begin a line and end one. */
export function jsonStretches(text: string): JsonStretch[] {
  const found: JsonStretch[] = [];
  const begin = /^[ \t]*[[{]/gm;
  let left = MOST_SEARCHED * text.length;
  for (let match = begin.exec(text); match !== null && left > 0; match = begin.exec(text)) {
    const start = match.index + match[0].length - 1;
    const { end, isClosed } = valueEnd(text, start);
    left -= end - start;
    const isLine = isClosed && /^[,;]?[ \t]{0,40}(?:\r?\n|$)/.test(text.slice(end, end + 44));
    const value = isLine && end - start >= SHORTEST_STRETCH ? text.slice(start, end) : '';
    if (value === '' || readJson(value) === undefined) continue;
    found.push({ start, end, node: read(value, 0, value.length) as JsonNode });
    begin.lastIndex = end;
  }
  return found;
}

/** The offset behind the bracket that closes the one at this offset, or behind the first that closes none. */
function valueEnd(text: string, start: number): { end: number; isClosed: boolean } {
  const open: string[] = [];
  const token = /"(?:[^"\\\n]|\\.)*"?|[[\]{}]/g;
  token.lastIndex = start;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [sign] = match;
    if (sign.startsWith('"')) continue;
    if (sign === '[' || sign === '{') open.push(sign === '[' ? ']' : '}');
    else if (open.pop() !== sign) return { end: token.lastIndex, isClosed: false };
    if (open.length === 0) return { end: token.lastIndex, isClosed: true };
  }
  return { end: text.length, isClosed: false };
}

/** @param text valid JSON between these offsets. */
function read(text: string, from: number, to: number): JsonNode | undefined {
  const open: JsonNode[] = [];
  let root: JsonNode | undefined;
  let key: { text: string; start: number } | undefined;
  for (let at = from; at < to; ) {
    const character = text[at] as string;
    if (character === '}' || character === ']') {
      (open.pop() as JsonNode).end = ++at;
      continue;
    }
    if (' \t\n\r,:'.includes(character)) {
      at++;
      continue;
    }
    const end =
      character === '"' ? stringEnd(text, at) : '{['.includes(character) ? at + 1 : wordEnd(text, at);
    const parent = open.at(-1);
    if (character === '"' && parent?.kind === 'object' && key === undefined) {
      key = { text: text.slice(at, end), start: at };
      at = end;
      continue;
    }
    const kind =
      character === '{' ? 'object' : character === '[' ? 'array' : character === '"' ? 'string' : 'other';
    const node: JsonNode = {
      kind,
      start: at,
      end,
      keyStart: key?.start ?? at,
      children: [],
      ...(key === undefined ? {} : { key: JSON.parse(key.text) as string }),
    };
    key = undefined;
    if (parent === undefined) root = node;
    else parent.children.push(node);
    if (kind === 'object' || kind === 'array') open.push(node);
    at = end;
  }
  return root;
}

function stringEnd(text: string, at: number): number {
  let end = at + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && /[\w.+-]/.test(text[end] as string)) end++;
  return end;
}
