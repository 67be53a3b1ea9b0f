/** Conflicts as a table: the words around the difference, and the statement of each side. */

import type { Conflict, ConflictSide, ShapingReport } from '../../src/index.js';
import { section } from './table.js';

/** The conflicts that the model sees: the context has a chunk of at least two of their sides. */
export function conflictsInContext({
  conflicts,
  kept,
}: Pick<ShapingReport, 'conflicts' | 'kept'>): Conflict[] {
  const stayed = new Set(kept.map(({ index }) => index));
  const isSeen = ({ indices }: ConflictSide) => indices.some((index) => stayed.has(index));
  return conflicts.filter(({ sides }) => sides.filter(isSeen).length > 1);
}

/** A row for each side. The table is at most `width` columns wide, and empty without conflicts. */
export function conflictTable(title: string, width: number, conflicts: readonly Conflict[]): string {
  const hasTexts = conflicts.some(({ about }) => about !== undefined);
  const rows = conflicts.flatMap((conflict) => {
    const names = sideNames(conflict);
    return conflict.sides.map(({ says, excerpt }, side) => [
      side === 0 ? comparedIn(conflict) : '',
      names[side] as string,
      ...(hasTexts ? [says ?? excerpt ?? '–'] : []),
    ]);
  });
  return section(title, width, ['compared', ...(hasTexts ? ['document', 'says'] : ['ids'])], rows);
}

/** The words around the difference, else the kinds of facts. */
const comparedIn = ({ about, kinds }: Conflict): string => about ?? kinds.join(', ');

/**
 * A name for each side, with its date, its version and its support: the title, the source or the ids, whichever first
 * tells the sides apart. A report without texts names the ids.
 */
function sideNames({ about, sides }: Conflict): string[] {
  const titled = about === undefined ? [] : (['title', 'source'] as const);
  const namings = [
    ...titled.map((key) => sides.map((side) => side[key])),
    sides.map(({ ids }) => ids.join(', ')),
  ];
  const labels = namings.map((names) =>
    sides.map(({ date, version, support }, at) => {
      const release = version && (/^\d/.test(version) ? `v${version}` : version);
      const all = [names[at], date, release, support > 1 && `${support} documents`];
      return names[at] === undefined ? undefined : all.filter(Boolean).join(' · ');
    }),
  );
  const isClear = (names: readonly unknown[]) =>
    !names.includes(undefined) && new Set(names).size === names.length;
  return (labels.find(isClear) ?? labels.at(-1)) as string[];
}
