/** The tables of the scoreboard's page, from what was measured. */
import { type Estimate, estimate, mean } from '../../devtools/src/measurement/index.js';
import { short, signed } from '../eval/tables.js';
import { type Measured, type SetResult, SHARES } from './measure.js';
import { OURS } from './ours.js';
import type { Rival } from './rival.js';
import { KINDS } from './sets.js';

/** What was measured, as it is stored. */
export interface Scores {
  rivals: Pick<Rival, 'name' | 'package' | 'version'>[];
  sets: SetResult[];
}

/** What was measured in several runs, of the same rivals, as one. */
export function together(runs: readonly Scores[]): Scores {
  const sets = KINDS.flatMap((kind) => runs.flatMap((run) => run.sets.filter((set) => set.kind === kind)));
  return { rivals: runs[0]?.rivals ?? [], sets };
}

const PERCENT = SHARES.map((share) => `${share * 100} %`);
const isOurs = (name: string) => (OURS as readonly string[]).includes(name);

/** Of one rival on one set. */
const runsOf = ({ measured }: SetResult, rival: string) => measured.filter((each) => each.rival === rival);
const keptAt = ({ kept }: Measured, share: number) => kept[share] as number[];

/** Sets of a kind count together as much as those of any other. */
function meanOverKinds(sets: readonly SetResult[], of: (set: SetResult) => number): number {
  const kinds = KINDS.map((kind) => sets.filter((set) => set.kind === kind)).filter(
    ({ length }) => length > 0,
  );
  return mean(kinds.map((own) => mean(own.map(of))));
}

/** The setting of a rival that keeps most of the other kinds; of several the first; without other kinds the default. */
export function bestElsewhere(
  sets: readonly SetResult[],
  rival: string,
  kind: string,
  share: number,
): string {
  const others = sets.filter((set) => set.kind !== kind);
  const settings = runsOf(sets[0] as SetResult, rival).map(({ setting }) => setting);
  const [first = ''] = settings;
  if (others.length === 0) return first;
  const scoreOf = (setting: string) =>
    meanOverKinds(others, (set) => mean(keptAt(runOf(set, rival, setting), share)));
  const best = Math.max(...settings.map(scoreOf));
  return settings.find((setting) => scoreOf(setting) === best) ?? first;
}

const runOf = (set: SetResult, rival: string, setting: string): Measured => {
  const run = runsOf(set, rival).find((each) => each.setting === setting);
  if (run === undefined) throw new Error(`${rival} did not run with "${setting}" on ${set.set}.`);
  return run;
};

interface Cell {
  rival: string;
  setting: string;
  run: Measured;
  values: readonly number[];
}

/** A row of a table: every rival with the setting that is best on other kinds. */
export interface Row {
  set: SetResult;
  cells: Cell[];
  /** The best of the rivals; of several the first. */
  best: Cell;
  /** Each of ours less the best rival, question by question. */
  differences: Estimate[];
}

export function rowsAt({ rivals, sets }: Scores, share: number): Row[] {
  return sets.map((set) => {
    const cells = rivals.map(({ name }): Cell => {
      const setting = bestElsewhere(sets, name, set.kind, share);
      const run = runOf(set, name, setting);
      return { rival: name, setting, run, values: keptAt(run, share) };
    });
    const others = cells.filter(({ rival }) => !isOurs(rival));
    const most = Math.max(...others.map(({ values }) => mean(values)));
    const best = others.find(({ values }) => mean(values) === most) as Cell;
    const differences = cells
      .filter(({ rival }) => isOurs(rival))
      .map(({ values }) =>
        estimate(
          values.map((value, at) => value - (best.values[at] as number)),
          set.groups,
        ),
      );
    return { set, cells, best, differences };
  });
}

/** Less than the last digit of a figure. */
const NOTHING = 0.0005;

/** `▼` if ours is below a rival by more than chance, `▽` if it is below. */
export const markOf = ({ mean: difference, high }: Estimate): string =>
  difference > -NOTHING ? '' : high < 0 ? '▼' : '▽';

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Sets by rivals: the best in bold, and a mark where it is none of ours. */
export function keptTable(scores: Scores, share: number): string {
  const rows = rowsAt(scores, share).map(({ set, cells, differences }) => {
    const most = Math.max(...cells.map(({ values }) => mean(values)));
    return [
      set.kind,
      set.set,
      set.groups.length,
      ...cells.map(({ rival, values }) => {
        const figure = mean(values) > most - NOTHING ? `**${short(most)}**` : short(mean(values));
        const own = (OURS as readonly string[]).indexOf(rival);
        return own < 0 ? figure : `${figure}${markOf(differences[own] as Estimate)}`;
      }),
    ];
  });
  return table(['kind', 'set', 'questions', ...scores.rivals.map(({ name }) => name)], rows);
}

/** Ours less the best rival of each set. */
export function differencesTable(scores: Scores): string {
  const byShare = SHARES.map((_, share) => rowsAt(scores, share));
  const rows = scores.sets.map(({ set }, at) => [
    set,
    ...byShare.flatMap((all) => {
      const { best, differences } = all[at] as Row;
      return [
        best.setting === '' ? best.rival : `${best.rival}, ${best.setting}`,
        ...differences.map((each) => `${signed(each)}${markOf(each)}`),
      ];
    }),
  ]);
  return table(
    [
      'set',
      ...PERCENT.flatMap((percent) => [`best rival at ${percent}`, ...OURS.map((name) => `${name} − it`)]),
    ],
    rows,
  );
}

/** Each rival with its defaults and with the settings that are best on other kinds, over all sets. */
export function rivalsTable(scores: Scores): string {
  const { rivals, sets } = scores;
  const byShare = SHARES.map((_, share) => rowsAt(scores, share));
  const rows = rivals.map(({ name, package: from, version }, place) => {
    const [defaults] = runsOf(sets[0] as SetResult, name);
    const chosen = byShare.map((all) => all.map(({ cells }) => cells[place] as Cell));
    const cellOf = (set: SetResult, share: number) => chosen[share]?.[sets.indexOf(set)] as Cell;
    const settings = new Set(chosen.flat().map(({ setting }) => setting));
    return [
      name,
      from === undefined ? '–' : [from, version].filter(Boolean).join(' '),
      defaults?.setting || '–',
      ...SHARES.map((_, share) =>
        short(meanOverKinds(sets, (set) => mean(keptAt(runOf(set, name, defaults?.setting ?? ''), share)))),
      ),
      [...settings].filter(Boolean).join('; ') || '–',
      ...SHARES.map((_, share) => short(meanOverKinds(sets, (set) => mean(cellOf(set, share).values)))),
      ...SHARES.map((_, share) =>
        short(meanOverKinds(sets, (set) => cellOf(set, share).run.unused[share] as number)),
      ),
      meanOverKinds(sets, (set) => cellOf(set, 0).run.milliseconds).toFixed(1),
    ];
  });
  return table(
    [
      'name',
      'package',
      'its defaults',
      ...PERCENT.map((percent) => `kept at ${percent}`),
      'best on other kinds',
      ...PERCENT.map((percent) => `kept at ${percent}`),
      ...PERCENT.map((percent) => `unused at ${percent}`),
      'ms',
    ],
    rows,
  );
}

/** Names of sets at which ours is below the best rival. */
export const setsBehind = (scores: Scores): string[] => {
  const behind = SHARES.flatMap((_, share) =>
    rowsAt(scores, share).filter(({ differences }) => differences.some((each) => markOf(each) !== '')),
  );
  return [...new Set(behind.map(({ set }) => set.set))];
};

/** By name. */
export const tablesOf = (scores: Scores): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(SHARES.map((_, share) => [`kept ${share}`, keptTable(scores, share)])),
  differences: differencesTable(scores),
  rivals: rivalsTable(scores),
});

/** The page with these figures between its marks. The text around them is written by hand. */
export function pageWith(page: string, scores: Scores): string {
  return Object.entries(tablesOf(scores)).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- figures: ${name} -->`, '<!-- end of figures -->'];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`The page has no "${begin}" with "${end}" behind it.`);
    return `${text.slice(0, from)}${begin}\n${part}\n${text.slice(to)}`;
  }, page);
}
