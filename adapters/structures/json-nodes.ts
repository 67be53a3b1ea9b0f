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
export function readJson(text: string): JsonNode | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return read(text);
}

/** @param text valid JSON. */
function read(text: string): JsonNode | undefined {
  const open: JsonNode[] = [];
  let root: JsonNode | undefined;
  let key: { text: string; start: number } | undefined;
  for (let at = 0; at < text.length; ) {
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
