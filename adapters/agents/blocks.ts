/**
 * A long text as blocks that can be left out one by one: the elements of a JSON array (or of the array in a JSON
 * object, as search tools answer), else what stands between blank lines. Order is that of the text.
 */
export function blocksOf(text: string): { blocks: string[]; isJson: boolean } {
  const elements = elementsOf(text);
  if (elements !== undefined) return { blocks: elements.map((each) => JSON.stringify(each)), isJson: true };
  const blocks = text.split(/\r?\n(?:[^\S\n]*\r?\n)+/).filter((block) => block.trim() !== '');
  return { blocks, isJson: false };
}

function elementsOf(text: string): unknown[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
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
