/** Separates the signs of Markdown from the words that they mark. Nothing of the text is lost. */
export interface Piece {
  text: string;
  /** `sign`: `##`, `**` or a backtick. Absent: plain words. */
  kind?: 'sign' | 'strong' | 'code';
}

const MARKED = /^(#{1,6} +)(\S.*)()$|(\*\*)([^*\n]+)(\*\*)|(`)([^`\n]+)(`)/gm;

/** Headings, bold words and code in a line. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: whole, index, ...groups } of text.matchAll(MARKED)) {
    const [before = '', words = '', after = ''] = [1, 4, 7].flatMap((first) =>
      groups[first] === undefined ? [] : [groups[first], groups[first + 1], groups[first + 2]],
    );
    pieces.push({ text: text.slice(at, index) }, { text: before, kind: 'sign' });
    pieces.push({ text: words, kind: before === '`' ? 'code' : 'strong' }, { text: after, kind: 'sign' });
    at = index + whole.length;
  }
  return [...pieces, { text: text.slice(at) }].filter((each) => each.text !== '');
}
