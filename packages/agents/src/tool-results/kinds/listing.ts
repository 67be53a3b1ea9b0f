import { addLines, type LineBlock } from '../../structures/index.js';
import type { Kind } from './kind.js';
import { countsOf } from './log-priorities.js';
import { isGenerated } from './paths.js';

const LONG = /^[-bcdlps](?:[-r][-w][-xsStT]){3}[.+@]?\s/;
const SECTION = /^(\S.*):$/;
const BRANCH = /^((?:[│|] {3}|[│|]\u00a0\u00a0 | {4})*)(?:[├└]── |[|`+\\]-- ?)(.*)$/;
const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:[\\/])?[\w@.+~-][^:*?"<>|\t]*$/;
const COUNT = /^\d+ director(?:y|ies)(?:, \d+ files?)?$/;

/** Least length of the lines of encoded data. */
const ENCODED = 60;

interface Entry {
  /** The path of the folder that it is in. */
  readonly folder: string;
  readonly path: string;
  readonly depth: number;
  readonly isFolder: boolean;
  /** The line of the folder, which stays with it. */
  readonly above?: number | undefined;
}

/** Names of files: folders before files, near ones before deep ones, with the number of names in a folder. */
export const listing = {
  name: 'listing',
  recognise(lines) {
    const filled = lines.filter((line) => line.trim() !== '');
    if (filled.length < 3) return 0;
    const share = (pattern: RegExp) => filled.filter((line) => pattern.test(line)).length / filled.length;
    const [long, branches] = [share(LONG), share(BRANCH)];
    if (branches > 0.6) return 0.95;
    const headings = filled.filter((line) => SECTION.test(line) && !/\s/.test(line));
    const sections = headings.some((line) => /[./]/.test(line)) ? headings.length : 0;
    if (long > 0.6) return 0.95;
    const names = filled.filter((line) => PATH.test(line) && !/[.,;] |[=(){}]/.test(line));
    const paths = filled.filter((line) => /^[^\s/]*\/\S*$/.test(line) || SECTION.test(line));
    const short = filled.filter((line) => line.split(' ').length < 3);
    if (sections > 0 && (names.length + sections) / filled.length > 0.9) return 0.85;
    const isList = names.length / filled.length > 0.9 && short.length / filled.length > 0.9;
    // Lines of one length are encoded data, or columns.
    const usual = Math.max(...countsOf(names.map(({ length }) => length)).values());
    if (!isList || (usual > filled.length / 2 && filled.length > 9 && (filled[0]?.length ?? 0) >= ENCODED))
      return 0;
    // Names without folders may be any words.
    return paths.length / filled.length > 0.9 ? 0.85 : filled.every((line) => !line.includes(' ')) ? 0.4 : 0;
  },
  add(outline, text, place) {
    const lines = text.split('\n');
    const entries = lines.some((line) => BRANCH.test(line)) ? branches(lines) : paths(lines);
    const counts = new Map<string, number>();
    const lastOf = new Map<string, number>();
    for (const [at, entry] of entries.entries())
      if (entry !== undefined) {
        counts.set(entry.folder, (counts.get(entry.folder) ?? 0) + 1);
        lastOf.set(entry.folder, at);
      }
    const seen = new Map<string, number>();
    const blocks = lines.map((line, at): LineBlock => {
      const entry = entries[at];
      const place = { first: at + 1, last: at + 1 };
      if (entry === undefined) return { ...place, priority: COUNT.test(line) ? 1 : line === '' ? 0 : 0.5 };
      const { folder, path, depth, isFolder, above } = entry;
      const kind = `${folder} ${isFolder} ${isFolder ? '' : (/\.[^.]*$/.exec(path)?.[0] ?? '')}`;
      const before = seen.get(kind) ?? 0;
      seen.set(kind, before + 1);
      const weight = isGenerated(`${path}/`) ? 0.1 : 1;
      const own = (isFolder ? 0.9 : 0.5) / (1 + 0.2 * depth) / (1 + (isFolder ? 0.02 : 0.15) * before);
      const total = counts.get(folder) ?? 0;
      return {
        ...place,
        ...(above === undefined ? {} : { needs: [above] }),
        text: path,
        label: folder === '' ? 'names' : `names in ${folder}`,
        ...(lastOf.get(folder) === at && total > 2 && !isFolder
          ? // The last file of a folder comes last: until then the number of names stands in its place.
            {
              priority: 0.01 * weight,
              folded: {
                text: `${/^\s*/.exec(line)?.[0] ?? ''}… ${folder === '' ? '' : `${folder}: `}${total} names`,
                priority: (0.4 * weight) / (1 + 0.2 * depth),
              },
            }
          : { priority: own * weight }),
      };
    });
    addLines(outline, text, place, { blocks });
  },
} as const satisfies Kind;

/** The output of `tree`: an entry needs the branches above it. */
function branches(lines: readonly string[]): (Entry | undefined)[] {
  const open: { at: number; path: string }[] = [];
  return lines.map((line, at) => {
    const [, bars, name] = BRANCH.exec(line) ?? [];
    if (bars === undefined || name === undefined) return undefined;
    const depth = Math.round(bars.length / 4);
    open.length = Math.min(open.length, depth);
    const parent = open.at(-1);
    const path = parent === undefined ? name : `${parent.path}/${name}`;
    const next = BRANCH.exec(lines[at + 1] ?? '')?.[1]?.length ?? 0;
    open.push({ at, path });
    return {
      folder: parent?.path ?? '',
      path,
      depth,
      isFolder: Math.round(next / 4) > depth || name.endsWith('/'),
      above: parent?.at,
    };
  });
}

/** The output of `find`, `git ls-files` or `ls`, whose lines say all, and of `ls -R`: an entry needs the name of its folder. */
function paths(lines: readonly string[]): (Entry | undefined)[] {
  let above: number | undefined;
  const read = lines.map((line, at) => {
    if (line === '' || /^total \d/.test(line)) return undefined;
    if (SECTION.test(line) && (at === 0 || lines[at - 1] === '')) {
      above = at;
      return { path: line.slice(0, -1), isFolder: true };
    }
    const isLong = LONG.test(line);
    const name = (isLong && line.split(/\s+/).slice(8).join(' ')) || line.trim().replace(/\/$/, '');
    const path = above === undefined ? name : `${lines[above]?.slice(0, -1)}/${name}`;
    return { path, isFolder: line.endsWith('/') || (isLong && line.startsWith('d')), above };
  });
  const parents = new Set(read.flatMap((entry) => (entry === undefined ? [] : [parentOf(entry.path)])));
  return read.map((entry) => {
    if (entry === undefined) return undefined;
    const { path, isFolder } = entry;
    return {
      ...entry,
      folder: parentOf(path),
      depth: depthOf(path),
      isFolder: isFolder || parents.has(path),
    };
  });
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const depthOf = (path: string): number => path.replace(/^\.?\//, '').split('/').length - 1;
