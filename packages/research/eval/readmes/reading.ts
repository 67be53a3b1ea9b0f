/** What makes an excerpt hard to read, counted by lines and signs alone: not by the library's own units. */

const FENCE = /^\s*(?:`{3,}|~{3,})/;
const GAP = '…';
/** An item, a row, or code. */
const IS_OF_A_BLOCK = /^(?:[-*+|]|\d+[.)]|\(code\))/;
const LEANING =
  /^["'“(*_]*(?:It|This|That|These|Those|They|He|She|However|Therefore|Thus|Hence|Such|Moreover|Furthermore|Instead|Otherwise|Then)\b/;

/** Is a fence opened and not closed, or closed and not opened? */
export function hasOpenFence(text: string): boolean {
  return text.split('\n').filter((line) => FENCE.test(line)).length % 2 === 1;
}

/** Lines outside code that end with a colon, with nothing of what they promise: a heading or the end follows, or, behind a gap, prose. */
export function danglingLines(text: string): string[] {
  const lines = withoutCode(text).filter((line) => line.trim() !== '');
  return lines.filter((line, at) => {
    const next = lines[at + 1]?.trim();
    const isGap = next?.startsWith(GAP) === true;
    const following = isGap ? lines[at + 2]?.trim() : next;
    return (
      /[^:]:["'”)*_`]{0,4}$/.test(line.trim()) &&
      !/^#/.test(line.trim()) &&
      (following === undefined || /^#{1,6}\s/.test(following) || (isGap && !IS_OF_A_BLOCK.test(following)))
    );
  });
}

/** Excerpts that begin, after a gap or cut from what stood before, with a word that speaks of what is gone. */
export function leaningExcerpts(
  original: string,
  excerpts: readonly { start: number; end: number }[],
): string[] {
  return excerpts.flatMap(({ start, end }) => {
    const excerpt = original.slice(start, end).trim();
    const before = original
      .slice(0, start)
      .split('\n')
      .filter((line) => !FENCE.test(line))
      .join('\n');
    return before.trim() !== '' && LEANING.test(excerpt) ? [excerpt] : [];
  });
}

/** Code in fences is one line, so that it counts as something that follows. */
function withoutCode(text: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) {
      isOpen = !isOpen;
      if (isOpen) lines.push('(code)');
    } else if (!isOpen) lines.push(line);
  }
  return lines;
}
