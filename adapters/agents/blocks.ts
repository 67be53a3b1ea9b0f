/**
 * Splits a long text into blocks that can be left out individually: the elements of a JSON array (or of the array in a
 * JSON object, the usual form of search results), else the paragraphs between blank lines. Blocks keep the order of the
 * text, and numbers keep their notation, because floating-point numbers cannot represent long ids. In a very long list, a
 * block is several consecutive elements, one per line: comparing 5000 elements with each other would take half a minute.
 */
export function blocksOf(text: string): { blocks: string[]; isJson: boolean } {
  const elements = elementsOf(text);
  if (elements !== undefined) return { blocks: inRows(elements.map(toJson), '\n'), isJson: true };
  const blocks = text.split(/\r?\n(?:[^\S\n]*\r?\n)+/).filter((block) => block.trim() !== '');
  return { blocks: inRows(blocks, '\n\n'), isJson: false };
}

const MOST_BLOCKS = 250;

function inRows(blocks: readonly string[], separator: string): string[] {
  const length = Math.ceil(blocks.length / MOST_BLOCKS);
  const starts = blocks.flatMap((_, at) => (at % length === 0 ? [at] : []));
  return starts.map((start) => blocks.slice(start, start + length).join(separator));
}

/** Marks numbers as strings, so that parsing keeps their notation. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const markNumber = (token: string): string => (token.startsWith('"') ? token : `"\\u0000${token}"`);
const toJson = (value: unknown): string => JSON.stringify(value).replace(/"\\u0000(-?\d[\d.eE+-]*)"/g, '$1');

function elementsOf(text: string): unknown[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    JSON.parse(text);
    value = JSON.parse(text.replace(STRING_OR_NUMBER, markNumber));
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) return value.length > 1 ? value : undefined;
  const fields = Object.entries(value as object);
  const list = fields.find(([, each]) => Array.isArray(each) && each.length > 1);
  if (list === undefined) return undefined;
  const [name, elements] = list as [string, unknown[]];
  const others = fields.filter(([key]) => key !== name);
  return [...(others.length === 0 ? [] : [Object.fromEntries(others)]), ...elements];
}
