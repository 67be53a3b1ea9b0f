/** Placeholder of the room of structures. */
export interface Structure {
  readonly kind: 'json' | 'json-lines' | 'text';
  readonly blocks: readonly { text: string; shown: string; cuttable: boolean; title?: string | undefined }[];
  rebuild(kept: readonly { index: number; text?: string | undefined }[]): {
    text: string;
    missing: { facets: readonly { column: string; total: number; values: readonly string[] }[] };
  };
}
export function structureOf(text: string): Structure {
  let value: unknown;
  if (/^\s*\[/.test(text))
    try {
      value = JSON.parse(text);
    } catch {}
  const missing = { facets: [] };
  if (Array.isArray(value) && value.length > 1) {
    const blocks = value.map((each) => ({
      text: JSON.stringify(each),
      shown: JSON.stringify(each),
      cuttable: false,
    }));
    return {
      kind: 'json',
      blocks,
      rebuild: (kept) => ({
        text: `[${kept.map(({ index }) => blocks[index]?.shown).join(',')}]`,
        missing,
      }),
    };
  }
  const blocks = text.split(/\r?\n(?:[^\S\n]*\r?\n)+/).filter((block) => block.trim() !== '');
  return {
    kind: 'text',
    blocks: blocks.map((each) => ({ text: each, shown: each, cuttable: true })),
    rebuild: (kept) => ({ text: kept.map(({ index, text }) => text ?? blocks[index]).join('\n\n'), missing }),
  };
}
export const structureOfJson = (value: unknown): Structure => structureOf(JSON.stringify(value));
