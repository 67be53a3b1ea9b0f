/** Orders texts by their UTF-16 code units, as `sort` does: no locale decides. */
export const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Returns the place of each text in the order of the texts. Equal texts have one place. */
export function ranksByText(texts: readonly string[]): Int32Array {
  const ranks = new Int32Array(texts.length);
  const order = [...texts.keys()].sort((a, b) => byText(texts[a] as string, texts[b] as string));
  let before: number | undefined;
  for (const [rank, at] of order.entries()) {
    const isEqual = before !== undefined && texts[before] === texts[at];
    ranks[at] = isEqual ? (ranks[before as number] as number) : rank;
    before = at;
  }
  return ranks;
}
