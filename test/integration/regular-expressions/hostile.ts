/**
 * Texts on which an expression may take long. The expression matches the beginning, and repeats its part for the unit.
 * It does not match the end.
 */

/** One way through an expression takes one part of each group, and repeats nothing. */
type Part =
  | { is: 'one'; members: readonly string[] }
  | { is: 'group'; ways: readonly Part[][]; isAhead: boolean }
  | { is: 'repeat'; part: Part; least: number };

/** Characters of all kinds, to find members of classes among them. */
const CHARACTERS = [
  ...'aZ0_ \t\n-.:/"\'`!?,;=<>()[]{}|*+#%$&@^~\\bceinorstxABCE159',
  ...'\u00e9\u00df\u0301\u2014\u201d\u2026\u00a0\u200b\u202e\u20ac\u4e2d\u3002\u3042\u30a2\ud55c\u0431\u0416\u03b1\u0623\u0e01\u10d0\u0966\u00bd\ue000\ue001\ue006\ue00f\ufe0f\u2028\r\x1b\0',
  '\u{1f600}',
  '\u{e0061}',
];

const ENDS = ['', '!', '"', '\n', '\0', 'a', ' \r', '1', ')', '\u4e2d'];
const BEGINNINGS = ['', 'x ', '"', '\n', '('];

const UNITS = [
  ...CHARACTERS,
  'ab',
  'word ',
  'Word ',
  'WORD_',
  'camelCase',
  'a b',
  'a.b',
  'a,',
  'a-',
  'a_',
  'a:b',
  'a::',
  'a->',
  'a/',
  'a\\',
  'a=',
  'a(',
  'f()',
  'a[0]',
  'a<b<c',
  '<a>',
  '<a ',
  '</a',
  'a&',
  'a*',
  '()',
  '[]',
  '{}',
  '(',
  '((a',
  '[[',
  '{{',
  '""',
  "''",
  '``',
  '"a" ',
  "'a' ",
  '\\"',
  '  ',
  ' \t',
  '\t\n',
  '\n\n',
  ' \n',
  'a\n',
  '\n ',
  '\r\n',
  '12',
  '1.',
  '1,',
  '1 ',
  '12:',
  '1-1',
  '2024-01-01 ',
  '12:30:00 ',
  '$1',
  '1%',
  '0x1f',
  '..',
  '...',
  '. ',
  'a. ',
  'A. ',
  '!!',
  '?!',
  '//',
  '/*',
  '*/',
  '/* ',
  '**',
  '--',
  '---\n',
  '- ',
  '* ',
  '# ',
  '||',
  '|a',
  '| a ',
  '|-',
  '::',
  ': ',
  'key: value\n',
  'key=value ',
  'key: ',
  '"key": 1, ',
  'http://',
  'http://a.b/c ',
  'www.',
  'a@b',
  'a@b.c ',
  '/usr/lib',
  '../',
  'C:\\',
  'file.ts:1:2: ',
  '    at f (a.js:1:2)\n',
  'A',
  'AB ',
  'Ab',
  'aA',
  'a1',
  'a\u0301',
  '\u0301\u0323',
  '\u4e2d\u6587',
  '\u4e2d\u3002',
  '\u3042\u30a2',
  'private static final ',
  'import a from ',
  'const a = ',
  'async function ',
  'not ',
  'if (',
  'ERROR ',
  '[1] ',
  '(1) ',
  '\u201ca\u201d',
  '<!--',
  '&amp;',
  '&#39;',
  '\u{1f600}\u200d',
];

export interface Hostile {
  readonly before: string;
  /** The text repeats it. */
  readonly unit: string;
  readonly end: string;
}

/** The text with the unit repeated to `length` code units. */
export const textOf = ({ before, unit, end }: Hostile, length: number): string =>
  `${before}${unit.repeat(Math.ceil(length / unit.length)).slice(0, length)}${end}`;

/** Each end meets each unit with one of five. */
const endsOf = (row: number): string[] =>
  ENDS.filter((end, column) => end === '' || (row + column) % 2 === 0);

/** Texts for all expressions. */
export const ORDINARY: readonly Hostile[] = UNITS.flatMap((unit, row) =>
  endsOf(row).map((end, column) => ({
    before: BEGINNINGS[(row + column) % BEGINNINGS.length] as string,
    unit,
    end,
  })),
);

/** Texts for one expression. */
export function* hostileTo(expression: RegExp): Generator<Hostile> {
  for (const [row, { before, unit }] of pumps(parsed(expression)).entries()) {
    for (const end of endsOf(row)) yield { before, unit, end };
    if (before === '') continue;
    for (const end of endsOf(row + 1)) yield { before: '', unit: before + unit, end };
  }
}

const MOST_PUMPS = 60;

function pumps(ways: readonly Part[][]): { before: string; unit: string }[] {
  const found = new Map<string, { before: string; unit: string }>();
  const members = new Set<string>();
  const visit = (alternatives: readonly Part[][], before: string) => {
    for (const way of alternatives) {
      let soFar = before;
      for (const part of way) {
        if (part.is === 'one') for (const member of part.members) members.add(member);
        if (part.is === 'group') visit(part.ways, soFar);
        if (part.is === 'repeat') {
          for (const variant of [0, 1, 2]) {
            const unit = text([part.part], variant);
            if (unit !== '') found.set(`${soFar}\0${unit}`, { before: soFar, unit });
            const after = way[way.indexOf(part) + 1];
            const next =
              after === undefined ? '' : text([after.is === 'repeat' ? after.part : after], variant);
            if (next !== '') found.set(`${soFar}\0${unit}${next}`, { before: soFar, unit: unit + next });
          }
          visit([[part.part]], soFar);
        }
        soFar += text([part], 0);
      }
      if (soFar !== before) found.set(`\0${soFar}`, { before: '', unit: soFar });
    }
  };
  visit(ways, '');
  const list = [...found.values()];
  const few = [...members].slice(0, 14);
  for (const one of few) {
    list.push({ before: '', unit: one });
    for (const other of few) if (other !== one) list.push({ before: '', unit: one + other });
  }
  // A long list is sampled evenly.
  const step = Math.max(1, list.length / MOST_PUMPS);
  return Array.from(
    { length: Math.min(list.length, MOST_PUMPS) },
    (_, at) => list[Math.floor(at * step)] as { before: string; unit: string },
  );
}

/** A short text of these parts. */
function text(parts: readonly Part[], variant: number): string {
  return parts
    .map((part): string => {
      if (part.is === 'one') return part.members[variant % Math.max(1, part.members.length)] ?? '';
      if (part.is === 'group')
        return part.isAhead ? '' : text(part.ways[variant % part.ways.length] ?? [], variant);
      return text([part.part], variant).repeat(part.least);
    })
    .join('');
}

const TOKEN =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<[^>]*>|c[A-Za-z]|\d+|.)|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:[=!:]|<[=!]|<\w+>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsuy;

function parsed({ source, flags }: RegExp): Part[][] {
  const tokens = source.match(TOKEN) ?? [];
  const known = new Map<string, readonly string[]>();
  const membersOf = (token: string): readonly string[] => {
    let members = known.get(token);
    if (members === undefined) {
      const one = new RegExp(`^(?:${token})$`, flags.replace(/[gy]/g, ''));
      members = CHARACTERS.filter((each) => one.test(each)).slice(0, 3);
      if (members.length === 0) members = literalOf(token, one);
      known.set(token, members);
    }
    return members;
  };
  let at = 0;
  const alternatives = (): Part[][] => {
    const ways: Part[][] = [[]];
    for (; at < tokens.length && tokens[at] !== ')'; at++) {
      const token = tokens[at] as string;
      const way = ways.at(-1) as Part[];
      if (token === '|') ways.push([]);
      else if (/^\((?:\?.*)?$/s.test(token)) {
        at++;
        way.push({ is: 'group', ways: alternatives(), isAhead: /^\(\?<?[=!]$/.test(token) });
      } else if (/^(?:[*+?]\??|\{\d.*\}\??)$/.test(token)) {
        const part = way.pop();
        if (part === undefined) continue;
        const least = Math.min(3, Number(/\d+/.exec(token)?.[0] ?? (token.startsWith('+') ? 1 : 0)));
        way.push({ is: 'repeat', part, least });
      } else if (!/^(?:[$^]|\\[bB]|\\k<.*>|\\[1-9]\d*)$/.test(token))
        way.push({ is: 'one', members: membersOf(token) });
    }
    return ways;
  };
  return alternatives();
}

/** Members of a token, by trying all code points of the first planes. */
function literalOf(token: string, one: RegExp): string[] {
  if (token.length === 1) return [token];
  for (let point = 0; point < 0x1_ff_ff; point++) {
    const character = String.fromCodePoint(point);
    if (one.test(character)) return [character];
  }
  return [];
}
