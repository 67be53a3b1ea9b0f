/**
 * Pairs of statements, contradictory and consistent, in a pool of two chunks: alone, inside the same paragraph, and
 * with different real sentences around each. Are the contradictory ones reported, and are the consistent ones left alone?
 *
 * The pairs are those of `test/adversarial/statement-pairs.txt`.
 */
import type { Chunk } from 'context-shaping';
import { wordsOf } from '../../../../src/text/words.js';
import { STATEMENT_PAIRS, type StatementPair } from '../../../../test/adversarial/statement-pairs.js';
import { isAbout, LEVELS, type Level, mergedOf, reportOf, sidesOf } from '../conflict-reports.js';
import { loadNeighbours, type Neighbours } from '../data/neighbours.js';
import type { Table } from '../results.js';
import { type Suite, spread } from './suite.js';

/** So many sentences are in the paragraph that both chunks have. */
const OF_A_PARAGRAPH = 4;

type Texts = [one: string, other: string];
type Surround = (pair: StatementPair, at: number, near: Neighbours) => Texts;

const SETTINGS: Readonly<Record<string, Surround>> = {
  alone: ({ one, other }) => [one, other],
  'in one paragraph': ({ language, one, other }, at, near) => {
    const paragraph = near.nearest([one, other], OF_A_PARAGRAPH);
    const place = at % (OF_A_PARAGRAPH + 1);
    return [woven(one, paragraph, place, language), woven(other, paragraph, place, language)];
  },
  'one neighbour': differing(1),
  'two neighbours': differing(2),
  'three neighbours': differing(3),
  'three neighbours, one title': differing(3),
};
const SHOWN = ['alone', 'three neighbours'];
/** In this setting both chunks have one title and each its own source, as two versions of a page have. */
const TITLED = 'three neighbours, one title';

/** Each statement with other sentences around it, at a place that changes from pair to pair and from side to side. */
function differing(count: number): Surround {
  return ({ language, one, other }, at, near) => {
    const sentences = near.nearest([one, other], 2 * count);
    const [left, right] = [0, 1].map((side) => sentences.filter((_, place) => place % 2 === side));
    return [
      woven(one, left as string[], at % (count + 1), language),
      woven(other, right as string[], (at * 3 + 1) % (count + 1), language),
    ];
  };
}

/** A statement among sentences. Rows, list items and lines without a full stop are paragraphs of their own. */
function woven(statement: string, sentences: readonly string[], place: number, language: string): string {
  const isSentence =
    /[.!?。।؟]["”»]?$/u.test(statement) && !/^(?:[|#]|- |\d+\.)/.test(statement) && !statement.includes('\n');
  const gap = isSentence ? (language === 'zh' ? '' : ' ') : '\n\n';
  const join = (some: readonly string[]) => some.join(language === 'zh' ? '' : ' ');
  return [join(sentences.slice(0, place)), statement, join(sentences.slice(place))].filter(Boolean).join(gap);
}

interface Outcome {
  /** In a conflict that is about the statements. */
  reported: boolean;
  /** In a conflict that is about sentences beside them. */
  elsewhere: boolean;
  merged: boolean;
}

interface Measured {
  pair: StatementPair;
  /** By setting. */
  rival: Record<string, boolean>;
  /** By level and setting. */
  outcomes: Record<Level, Record<string, Outcome>>;
}

export const statements: Suite = {
  name: 'statements',
  async run({ dataDir, limit, onProgress, print }) {
    const neighbours = loadNeighbours(dataDir);
    const english = neighbours.get('en');
    if (english === undefined) return undefined;
    const pairs = spread(STATEMENT_PAIRS, limit);
    const measured: Measured[] = [];
    for (const [at, pair] of pairs.entries()) {
      onProgress(at, pairs.length);
      const near = neighbours.get(pair.language) ?? english;
      const each: Measured = { pair, rival: {}, outcomes: { sure: {} } };
      for (const [setting, surround] of Object.entries(SETTINGS)) {
        const texts = surround(pair, at, near);
        each.rival[setting] = isReportedByRival(texts);
        for (const level of LEVELS) {
          each.outcomes[level][setting] = await outcomeOf(pair, chunksOf(texts, setting === TITLED), level);
        }
      }
      measured.push(each);
    }
    if (print) for (const line of wrongLines(measured)) print(line);
    const languages = new Set(pairs.map(({ language }) => language));
    return {
      suite: 'statements',
      counts: {
        'contradictory pairs': pairs.filter(({ contradicts }) => contradicts).length,
        'consistent pairs': pairs.filter(({ contradicts }) => !contradicts).length,
        languages: languages.size,
      },
      methods: [],
      comparisons: [],
      tables: [
        settingsTable(measured),
        groupsTable('Contradictory pairs by kind', measured, true, 'kind'),
        groupsTable('Contradictory pairs by language', measured, true, 'language'),
        groupsTable('Contradictory pairs by domain', measured, true, 'domain'),
        groupsTable('Consistent pairs by kind', measured, false, 'kind'),
        groupsTable('Consistent pairs by language', measured, false, 'language'),
      ],
    };
  },
};

const chunksOf = (texts: Texts, isTitled: boolean): Chunk[] =>
  texts.map((text, at) => ({
    id: at === 0 ? 'a' : 'b',
    text,
    ...(isTitled ? { metadata: { title: 'Handbook', source: `handbook-${at + 1}.md` } } : {}),
  }));

async function outcomeOf(
  { one, other }: StatementPair,
  chunks: readonly Chunk[],
  level: Level,
): Promise<Outcome> {
  const report = await reportOf(chunks, level);
  const about = report.conflicts.map((conflict) => {
    const [left, right] = sidesOf(conflict, 'a', 'b') ?? [];
    return left !== undefined && right !== undefined && isAbout(left, one) && isAbout(right, other);
  });
  return {
    reported: about.includes(true),
    elsewhere: about.includes(false),
    merged: mergedOf(report).length > 0,
  };
}

/** Two chunks that share half of the words of each, and whose numbers differ. */
function isReportedByRival([a, b]: Texts): boolean {
  const [left, right] = [new Set(wordsOf(a)), new Set(wordsOf(b))];
  const shared = [...left].filter((word) => right.has(word)).length;
  return 2 * shared >= Math.max(left.size, right.size) && numbersOf(a) !== numbersOf(b);
}

const numbersOf = (text: string): string =>
  [...new Set(text.normalize('NFKC').match(/\d+(?:[.,:]\d+)*/g))].toSorted().join(' ');

function settingsTable(measured: readonly Measured[]): Table {
  const [wrong, right] = [true, false].map((is) => measured.filter(({ pair }) => pair.contradicts === is));
  const count = (of: Measured[] | undefined, holds: (each: Measured) => boolean | undefined) =>
    of?.filter(holds).length ?? 0;
  const rows = LEVELS.flatMap((level) =>
    Object.keys(SETTINGS).map((setting) => {
      const is = (what: keyof Outcome) => (each: Measured) => each.outcomes[level][setting]?.[what];
      return [
        `${level}: ${setting}`,
        count(wrong, is('reported')),
        count(wrong, is('elsewhere')),
        count(wrong, is('merged')),
        count(right, is('reported')),
        count(right, is('elsewhere')),
        count(right, (each) => each.pair.relation === 'same' && is('merged')(each)),
        count(right, (each) => each.pair.relation === 'different' && is('merged')(each)),
      ];
    }),
  );
  const rivals = Object.keys(SETTINGS).map((setting) => {
    const is = ({ rival }: Measured) => rival[setting];
    return [`words and numbers: ${setting}`, count(wrong, is), '–', '–', count(right, is), '–', '–', '–'];
  });
  const same = count(right, ({ pair }) => pair.relation === 'same');
  return {
    title: `Statements: ${wrong?.length} contradictory pairs, ${right?.length} consistent ones`,
    columns: [
      'level: setting',
      'contradictory: reported',
      'neighbours',
      'merged',
      'consistent: reported',
      'neighbours',
      `merged, of ${same} that say the same`,
      `merged, of ${(right?.length ?? 0) - same} others`,
    ],
    rows: [...rows, ...rivals],
    notes: [
      'Pools of two chunks, without titles and sources unless one is named. Neighbours: pools with a report on other sentences.',
      'Words and numbers: a rule that reports two chunks if they share half of their words and their numbers differ.',
    ],
  };
}

function groupsTable(
  title: string,
  measured: readonly Measured[],
  contradicts: boolean,
  by: 'kind' | 'language' | 'domain',
): Table {
  const own = measured.filter(({ pair }) => pair.contradicts === contradicts);
  const groups = [...new Set(own.map(({ pair }) => pair[by]))].toSorted();
  return {
    title,
    columns: [by, 'pairs', ...SHOWN.flatMap((setting) => [`${setting}: reported`, 'merged'])],
    rows: groups.map((group) => {
      const some = own.filter(({ pair }) => pair[by] === group);
      const count = (level: Level, setting: string, what: keyof Outcome) =>
        some.filter(({ outcomes }) => outcomes[level][setting]?.[what]).length;
      const cells = SHOWN.flatMap((setting) => [
        count('sure', setting, 'reported'),
        count('sure', setting, 'merged'),
      ]);
      return [group, some.length, ...cells];
    }),
    notes: [],
  };
}

/** One line for each pair that is judged wrongly somewhere, at the level that is reported by default. */
function wrongLines(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ pair, outcomes }) => {
    const { contradicts, relation, language, domain, kind, one, other } = pair;
    const where = (holds: (outcome: Outcome) => boolean) =>
      Object.entries(outcomes.sure)
        .filter(([, outcome]) => holds(outcome))
        .map(([setting]) => setting)
        .join(', ');
    const problems = {
      missed: contradicts ? where(({ reported }) => !reported) : '',
      'reported wrongly': contradicts ? '' : where(({ reported }) => reported),
      'merged wrongly': relation === 'same' ? '' : where(({ merged }) => merged),
      'reported for a neighbour': where(({ elsewhere }) => elsewhere),
    };
    const texts = [one, other].map((text) => JSON.stringify(text)).join(' / ');
    return Object.entries(problems)
      .filter(([, settings]) => settings !== '')
      .map(([problem, settings]) => `${problem} (${settings}): ${language} ${domain}, ${kind}: ${texts}`);
  });
}
