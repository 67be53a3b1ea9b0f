/** The differences between two runs, which may have different inputs. */
import type { Row } from './rows.js';

export interface Pair {
  id: string;
  /** The chunk in each run. Absent: the input of that run does not have it. */
  before?: Row;
  now?: Row;
  /** `moved`: kept in both, at another place among the chunks that both keep. */
  difference:
    | 'came'
    | 'went'
    | 'cut differently'
    | 'moved'
    | 'other reason'
    | 'only in the first'
    | 'only in the second';
  hasOtherText: boolean;
}

/** Chunks that differ: came, went, cut differently and moved ones first. A chunk is known by its id; equal ids by order. */
export function compare(before: readonly Row[], now: readonly Row[]): Pair[] {
  const [old, current] = [byKey(before), byKey(now)];
  const both = (rows: Map<string, Row>, others: Map<string, Row>) =>
    new Map(
      [...rows]
        .filter(([key, row]) => isKept(row) && isKept(others.get(key)))
        .sort(([, a], [, b]) => (a.place ?? 0) - (b.place ?? 0))
        .map(([key], at) => [key, at]),
    );
  const [oldPlaces, places] = [both(old, current), both(current, old)];
  const keys = [...new Set([...current.keys(), ...old.keys()])];
  return keys
    .flatMap((key): Pair[] => {
      const [one, other] = [old.get(key), current.get(key)];
      const hasMoved = oldPlaces.get(key) !== places.get(key);
      const difference = differenceOf(one, other, hasMoved);
      const hasOtherText = one?.text !== undefined && other?.text !== undefined && one.text !== other.text;
      if (difference === undefined && !hasOtherText) return [];
      return [
        {
          id: ((other ?? one) as Row).id,
          ...(one === undefined ? {} : { before: one }),
          ...(other === undefined ? {} : { now: other }),
          difference: difference ?? 'other reason',
          hasOtherText,
        },
      ];
    })
    .toSorted((a, b) => ORDER.indexOf(a.difference) - ORDER.indexOf(b.difference));
}

const ORDER: readonly Pair['difference'][] = [
  'came',
  'went',
  'cut differently',
  'moved',
  'only in the first',
  'only in the second',
  'other reason',
];

const isKept = (row: Row | undefined) => row?.entry !== undefined;

function differenceOf(one: Row | undefined, other: Row | undefined, hasMoved: boolean) {
  if (one === undefined || other === undefined) {
    if (isKept(other)) return 'came';
    if (isKept(one)) return 'went';
    return one === undefined ? 'only in the second' : 'only in the first';
  }
  if (isKept(one) !== isKept(other)) return isKept(other) ? 'came' : 'went';
  if (isKept(one)) {
    const [cut, cutNow] = [one, other].map(({ entry }) => JSON.stringify(entry?.excerpts));
    return cut !== cutNow ? 'cut differently' : hasMoved ? 'moved' : undefined;
  }
  const isSame =
    one.eviction?.stage === other.eviction?.stage && one.eviction?.reason === other.eviction?.reason;
  return isSame ? undefined : 'other reason';
}

/** Rows by id, in input order. A repeated id gets the number of its occurrence. */
function byKey(rows: readonly Row[]): Map<string, Row> {
  const seen = new Map<string, number>();
  return new Map(
    rows
      .toSorted((a, b) => a.index - b.index)
      .map((row) => {
        const times = seen.get(row.id) ?? 0;
        seen.set(row.id, times + 1);
        return [`${times} ${row.id}`, row];
      }),
  );
}
