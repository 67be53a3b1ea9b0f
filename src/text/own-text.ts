/** A copy of the characters. A text can be a view of a longer one, as what `match` gives, and keeps all of that alive. */
export const ownText = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
