import { addLines, type LineBlock } from '../../structures/index.js';
import type { Kind } from './kind.js';
import { isGenerated, isTest } from './paths.js';

/** `path:12:text`, `path-12-text` beside a match, `path:12:5:text`. */
const NUMBERED = /^((?:[A-Za-z]:)?[^\s:][^:\n]*?)([:-])(\d+)\2(?:\d+:)?(.*)/;
const PLAIN = /^((?:[A-Za-z]:)?[^\s:./]*[./][^\s:]*):(?!:)(.+)$/;
/** Below a heading: `12:text`. */
const UNDER_HEADING = /^(\d+)([:-])(.*)$/;
const BINARY = /^Binary file .* matches$/;
const DEFINITION =
  /^\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|pub\s+|async\s+|abstract\s+|default\s+)*(?:function|class|interface|type|struct|enum|trait|impl|def|fn|func|module|namespace|const\s+\w+\s*=|let\s+\w+\s*=|#define)\b/;
/** A line of a minified file, in characters. */
const LONGEST = 500;

interface Match {
  readonly path: string;
  readonly text: string;
  readonly isContext: boolean;
}

/** Lines that a search found in files: some of every file before all of one, definitions before uses. */
export const grep = {
  name: 'grep',
  recognise(lines) {
    const filled = lines.filter((line) => line !== '' && line !== '--');
    if (filled.length < 3) return 0;
    const found = matchesIn(filled).filter((match) => match !== undefined);
    const inFiles = found.filter(
      ({ path }) => /[/\\]|^[\w.-]*\.\w+$|^[A-Z]\w+file$/.test(path) && !/ [-["(]/.test(path),
    );
    const headings = filled.filter((line, at) => isHeading(line, filled[at + 1]));
    const files = new Set(found.map(({ path }) => path));
    const sure = files.size < found.length || found.length < 10 ? 0.9 : 0.5;
    return (sure * (inFiles.length + headings.length)) / filled.length;
  },
  add(outline, text, place) {
    const lines = text.split('\n');
    const matches = matchesIn(lines);
    const totals = new Map<string, number>();
    for (const match of matches)
      if (match !== undefined && !match.isContext) totals.set(match.path, (totals.get(match.path) ?? 0) + 1);
    const seen = new Map<string, number>();
    const texts = new Set<string>();
    const headings = new Map<string, number>();
    const lastOf = new Map(
      matches.flatMap((match, at) => (match === undefined ? [] : [[match.path, at] as const])),
    );
    const blocks = lines.map((line, at): LineBlock => {
      const match = matches[at];
      const place = { first: at + 1, last: at + 1 };
      if (match === undefined) {
        const isAbove = matches[at + 1]?.path === line;
        if (isAbove) headings.set(line, at);
        return { ...place, priority: isAbove ? 0.6 : line === '' || line === '--' ? 0 : 0.7 };
      }
      const { path, isContext } = match;
      const total = totals.get(path) ?? 0;
      const before = seen.get(path) ?? 0;
      if (!isContext) seen.set(path, before + 1);
      const own = match.text.trim();
      const isKnown = texts.has(own);
      texts.add(own);
      const base = DEFINITION.test(own) ? 0.7 : 0.6;
      const weight =
        (isContext ? 0.2 : 1) *
        (isKnown ? 0.5 : 1) *
        (isGenerated(path) || line.length > LONGEST ? 0.1 : isTest(path) ? 0.8 : 1);
      const heading = headings.get(path);
      return {
        ...place,
        ...(heading === undefined ? {} : { needs: [heading] }),
        title: path,
        text: heading === undefined ? line : `${path}: ${line}`,
        label: `matches in ${path}`,
        ...(lastOf.get(path) === at && total > 2
          ? // The last line of a file comes last: until then the number of matches stands in its place.
            {
              priority: 0.01 * weight,
              folded: { text: `… ${path}: ${total} matches`, priority: 0.3 * weight },
            }
          : { priority: (base * weight) / (1 + 0.3 * before) }),
      };
    });
    addLines(outline, text, place, { blocks });
  },
} as const satisfies Kind;

/** The match of each line. A heading is a line above lines that begin with numbers. */
function matchesIn(lines: readonly string[]): (Match | undefined)[] {
  let heading: string | undefined;
  return lines.map((line, at) => {
    const numbered = BINARY.test(line) ? null : NUMBERED.exec(line);
    const below = UNDER_HEADING.exec(line);
    if (below !== null && heading !== undefined)
      return { path: heading, text: below[3] as string, isContext: below[2] === '-' };
    if (numbered !== null && !/^\d+$/.test(numbered[1] as string))
      return { path: numbered[1] as string, text: numbered[4] as string, isContext: numbered[2] === '-' };
    const plain = PLAIN.exec(line);
    if (plain !== null && !/^\w+:\/\//.test(line))
      return { path: plain[1] as string, text: plain[2] as string, isContext: false };
    if (isHeading(line, lines[at + 1])) heading = line;
    else if (line === '') heading = undefined;
    return undefined;
  });
}

const isHeading = (line: string, next = ''): boolean =>
  /[./\\]/.test(line) && !/\s/.test(line) && !NUMBERED.test(line) && UNDER_HEADING.test(next);
