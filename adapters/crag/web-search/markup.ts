/** Plain text of snippets. Search services mark found words in them. */

const BREAKS = /<\/?(?:br|p)(?:\s[^<>]*)?\/?>/gi;
/** Only tags that mark words: a snippet may be about `List<String>`, or a < b. */
const MARKS = /<\/?(?:a|b|em|font|i|mark|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bull: '•',
  gt: '>',
  hellip: '…',
  laquo: '«',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  middot: '·',
  nbsp: ' ',
  ndash: '–',
  quot: '"',
  raquo: '»',
  rdquo: '”',
  rsquo: '’',
};

/** Removes tags before it reads entities, because escaped tags are text. */
export function withoutMarkup(snippet: string): string {
  return snippet
    .replace(BREAKS, ' ')
    .replace(MARKS, '')
    .replace(ENTITY, (whole, decimal?: string, hexadecimal?: string, name?: string) =>
      name === undefined
        ? (characterOf(Number.parseInt(decimal ?? (hexadecimal as string), decimal ? 10 : 16)) ?? whole)
        : (NAMED[name] ?? whole),
    );
}

/** `undefined` for surrogates, control characters and numbers out of range. */
function characterOf(codePoint: number): string | undefined {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint < 0x20 || codePoint > 0x10ffff || isSurrogate
    ? undefined
    : String.fromCodePoint(codePoint);
}
