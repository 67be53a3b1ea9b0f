/** The line with its numbers, hexadecimals and durations replaced: lines of one template repeat each other. */
export const templateOf = (line: string): string =>
  line
    .replace(/\b(?:0x)?(?=[\da-f-]*\d)[\da-f]{7,}(?:-[\da-f]{4,})*\b/gi, '#')
    .replace(/\d+(?:[.,:]\d+)*/g, '0')
    .replace(/\s+/g, ' ')
    .trim();
