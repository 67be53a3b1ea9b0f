/** Entries of one line each: `key: value` as in YAML, metadata and transcripts, and logs with times. */
import { lazyRegExp } from '../../runtime/lazily.js';
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';
import { sentencesIn } from './sentences.js';

/** Up to four words and a colon, or one word and an equals sign. */
const KEY = lazyRegExp(() => {
  const word = String.raw`[\p{L}\p{N}_./()'-]`;
  return String.raw`^["'*]{0,3}[\p{L}_@$]${word}{0,40}(?:(?: ${word}{1,40}){0,3}["'*]{0,3} ?[:：](?:["'*]{0,3}\s|$)|["']? ?=)`;
}, 'u');
const TIME =
  /^[[(<]?(?:\d{4}[-/]\d\d?[-/]\d\d?[T ,]|\d{1,2}:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d)/;
/** In characters. A longer statement of a speaker is split into sentences. */
const LONGEST_ENTRY = 300;

/** An entry of one line, with the lines that a log adds to it. */
export const entry: Structure = {
  starts: ({ lines }, at) => isTimed(lines[at]) || (isKeyed(lines[at]) && hasNeighbour(lines, at)),
  read(page, at) {
    const line = page.lines[at] as Line;
    if (line.text.length > LONGEST_ENTRY) {
      addSentences(page, line);
      return at + 1;
    }
    let behind = at + 1;
    // Lines that a log adds to an entry: for instance, the frames of a stack.
    while (isTimed(line) && page.touches(behind - 1) && (page.lines[behind] as Line).indent > line.indent)
      behind++;
    page.addItem(at, behind, 'entry');
    return behind;
  },
};

/** The first sentence has the key, or the name of the speaker. The others lean on it. */
function addSentences(page: Page, { end, text, indent }: Line): void {
  let first: number | undefined;
  for (const sentence of sentencesIn(page.text, end - text.length, end)) {
    const kind = first === undefined ? 'item' : 'sentence';
    const place = page.add(kind, sentence.start, sentence.end, indent, { leansOn: first });
    first ??= place;
  }
}

function isTimed(line: Line | undefined): boolean {
  return line !== undefined && /^[[(<\dA-Z]/.test(line.text) && TIME.test(line.text.slice(0, 40));
}

function isKeyed(line: Line | undefined): boolean {
  if (line === undefined) return false;
  return KEY().test(line.text.slice(0, 180));
}

/** A single line with a key is a sentence with a colon in it, no entry. */
function hasNeighbour(lines: readonly Line[], at: number): boolean {
  const next = lines[at + 1];
  return (
    (next?.afterBlank === false && isKeyed(next)) ||
    (lines[at]?.afterBlank === false && isKeyed(lines[at - 1]))
  );
}
