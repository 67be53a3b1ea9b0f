/** Records that stand out among others of their form: errors that name themselves, and rare values of columns with few values. */

/** A value and the name of its column. */
export type Cell = readonly [column: string, value: string];

/** A column with more values holds names or numbers, of which each is rare. It may have the root of the number of records too. */
const MOST_VALUES = 8;
const FEWEST_RECORDS = 4;
/** Records of one form have this many times their cells at most, if each has all columns. */
const MOST_EMPTY = 4;
const LONGEST_VALUE = 60;
/** A rare value occurs so many times less often than the usual one. */
const RARE = 4;

const ERROR = /^(?:err(?:or)?|fatal|crit(?:ical)?|emerg(?:ency)?|alert|severe|panic|fail(?:ed|ure|ing)?)$/i;
const WARNING = /^warn(?:ing)?$/i;
const NAMED_ERROR = /^(?:err(?:or)?s?|exception|fail(?:ed|ure)|stderr)$/i;
const NOTHING = /^(?:|null|none|nil|undefined|false|0|-|\[\]|\{\})$/i;
const STATUS = /(?:^|[._])(?:(?:http_?)?status(?:_?code)?|code|exit_?(?:code|status)|rc)$/i;
const EXIT = /exit|rc$/i;

/** How much each record stands out, 0..1. */
export function raritiesOf(records: readonly (readonly Cell[])[]): number[] {
  if (records.length < FEWEST_RECORDS) return records.map(() => 0);
  const most = Math.max(MOST_VALUES, Math.sqrt(records.length));
  const columns = new Map<string, Map<string, number>>();
  for (const [column, value] of records.flat()) {
    const counts = columns.get(column) ?? new Map<string, number>();
    columns.set(column, counts.set(value, (counts.get(value) ?? 0) + 1));
  }
  for (const counts of columns.values()) {
    const filled = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (filled < records.length) counts.set('', (counts.get('') ?? 0) + records.length - filled);
  }
  const filled = records.reduce((sum, cells) => sum + cells.length, 0);
  // Lines of one record have a column each, and none of them is rare for that.
  const haveColumns = columns.size * records.length <= MOST_EMPTY * filled;
  const usual = new Map([...columns].map(([column, counts]) => [column, Math.max(...counts.values())]));
  const seen = new Map<string, number>();
  const repeated = (key: string, share: number) => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return 1 / (1 + share * before);
  };
  return records.map((cells) =>
    cells.reduce((best, [column, value]) => {
      const counts = columns.get(column) as Map<string, number>;
      const count = counts.get(value) as number;
      const surprise = Math.log(records.length / count) / Math.log(records.length);
      const isOneOfFew =
        haveColumns &&
        counts.size > 1 &&
        counts.size <= Math.min(most, records.length / 2) &&
        value.length <= LONGEST_VALUE &&
        value !== '';
      const isRare = RARE * count <= (usual.get(column) as number);
      const rare = isOneOfFew ? surprise * (isRare ? 0.8 : 0.3) * repeated(`${column}\n${value}`, 1) : 0;
      const told = severityOf(column, value);
      return Math.max(best, rare, told === 0 ? 0 : told * repeated(`\n${told}`, 0.1));
    }, 0),
  );
}

/** How bad it is what a cell says, 0..1. */
function severityOf(column: string, value: string): number {
  if (ERROR.test(value)) return 0.95;
  if (WARNING.test(value)) return 0.4;
  if (NAMED_ERROR.test(column)) return NOTHING.test(value) ? 0 : 0.9;
  if (!STATUS.test(column)) return 0;
  if (EXIT.test(column)) return /^-?[1-9]\d*$/.test(value) ? 0.9 : 0;
  return /^5\d\d$/.test(value) ? 0.9 : /^4\d\d$/.test(value) ? 0.7 : 0;
}
