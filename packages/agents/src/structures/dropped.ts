/** The blocks that a result does not show, for its note and its report. */
import { beginningOf } from 'context-shaping/kit';
import type { Packed } from './pack.js';
import type { KeptBlock, Rebuilt, Structure } from './types.js';

/** Blocks that are not shown, of one label. */
export interface Dropped {
  /** Their name. Absent: blocks without a name. */
  readonly label?: string | undefined;
  /** Number of the blocks. */
  readonly blocks: number;
  /** Number of their lines; 0 for a value. */
  readonly lines: number;
  /** The first of their lines and the last, from 1. Absent for a value. */
  readonly range?: readonly [first: number, last: number] | undefined;
}

/** Labels that a note names. The other blocks are counted together. */
const MOST_LABELS = 6;
/** A longer label is shortened, in characters. */
const LONGEST_LABEL = 60;

/** The blocks that are not shown, by label: the label with the most lines first, then the one that begins first. */
export function droppedOf(structure: Structure, { missing }: Rebuilt): Dropped[] {
  const groups = new Map<string | undefined, { blocks: number; lines: number; range?: [number, number] }>();
  for (const index of missing.leftOut) {
    const { label, lines } = structure.blocks[index] as Structure['blocks'][number];
    const group = groups.get(label) ?? { blocks: 0, lines: 0 };
    group.blocks++;
    if (lines !== undefined) {
      group.lines += lines[1] - lines[0] + 1;
      group.range = [Math.min(group.range?.[0] ?? lines[0], lines[0]), lines[1]];
    }
    groups.set(label, group);
  }
  return [...groups]
    .map(([label, group]): Dropped => ({ ...group, ...(label === undefined ? {} : { label }) }))
    .sort((a, b) => b.lines - a.lines || b.blocks - a.blocks || (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0));
}

/** The left-out blocks by label, a phrase each: `1,100 × Downloading 0 (lines 12–1290)`, `43 others`. None without labels. */
export function labelsOf(dropped: readonly Dropped[]): string[] {
  const hasLines = dropped.every(({ lines }) => lines > 0);
  const amountOf = ({ lines, blocks }: Dropped) => (hasLines ? lines : blocks);
  const named = dropped.filter(({ label, blocks }) => label && blocks > 1).slice(0, MOST_LABELS);
  const others = dropped.reduce((sum, each) => sum + (named.includes(each) ? 0 : amountOf(each)), 0);
  const phrases = named.map((each) => `${numberOf(amountOf(each))} × ${nameOf(each)}${rangeOf(each)}`);
  return named.length > 0 && others > 0 ? [...phrases, `${numberOf(others)} others`] : phrases;
}

/** Numbers of the blocks or lines of one structure that are not shown in full. Empty if all are. */
function countOf(structure: Structure, kept: readonly KeptBlock[], dropped: readonly Dropped[]): string {
  const hasLines = dropped.length > 0 && dropped.every(({ lines }) => lines > 0);
  const left = dropped.reduce((sum, { lines, blocks }) => sum + (hasLines ? lines : blocks), 0);
  const cut = kept.filter(({ text }) => text !== undefined).length;
  const folded = kept.filter(({ isFolded }) => isFolded).length;
  const total = hasLines ? linesOf(structure) : structure.blocks.length;
  const unit = ` of ${numberOf(total)} ${hasLines ? 'lines' : 'parts'}`;
  return (
    [
      [left, 'left out'],
      [folded, 'of them shown in short'],
      [cut, 'cut'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, is], place) => `${numberOf(count)}${place === 0 ? unit : ''} ${is}`)
    .join(', ');
}

const linesOf = ({ parts }: Structure): number =>
  parts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 1);

const numberOf = (count: number): string => count.toLocaleString('en');

const nameOf = ({ label = '' }: Dropped): string => {
  const plain = label.replace(/[[\]\p{C}\s]+/gu, ' ').trim();
  return plain.length > LONGEST_LABEL ? `${beginningOf(plain, LONGEST_LABEL).trimEnd()}…` : plain;
};

const rangeOf = ({ range: [first, last] = [0, 0] }: Dropped): string =>
  first === 0 ? '' : first === last ? ` (line ${first})` : ` (lines ${first}–${last})`;

/** The phrases of a note, the most important first. None if everything is shown. Texts that are gone are counted together. */
export function phrasesOf(
  structures: readonly Structure[],
  { kept, rebuilt }: Pick<Packed, 'kept' | 'rebuilt'>,
): string[] {
  const gone = rebuilt.map(({ text, missing }) => text === '' && missing.leftOut.length > 0);
  const texts = gone.filter((each) => each).length;
  const areMany = structures.length > 1 && texts > 1;
  const perStructure = structures.map((structure, at) => {
    if (areMany && gone[at]) return { count: '', more: [] };
    const dropped = droppedOf(structure, rebuilt[at] as Rebuilt);
    const more = [...labelsOf(dropped), ...(structure.removed ?? [])];
    return { count: countOf(structure, kept[at] ?? [], dropped), more };
  });
  return [
    ...(areMany ? [`${numberOf(texts)} of ${numberOf(structures.length)} texts left out`] : []),
    ...perStructure.flatMap(({ count }) => (count === '' ? [] : [count])),
    ...perStructure.flatMap(({ more }) => more),
  ];
}
