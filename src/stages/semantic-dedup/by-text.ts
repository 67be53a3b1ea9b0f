/** Orders texts by their UTF-16 code units, as `sort` does: no locale decides. */
export const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
