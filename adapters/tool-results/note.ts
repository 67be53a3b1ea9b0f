/** What a shaped result does not show, for its note and its report. */
import type { KeptBlock, Rebuilt, Structure } from '../structures/index.js';

/** Blocks that are not shown, of one label. */
export interface Dropped {
  /** What they are. Absent: blocks without a name. */
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

/** What is not shown, the label with the most lines first; of equals the one that begins first. */
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

/** What the note says about left-out blocks of one structure, in one sentence. Empty if nothing is left out. */
export function sentenceOf(structure: Structure, kept: readonly KeptBlock[], rebuilt: Rebuilt): string {
  const dropped = droppedOf(structure, rebuilt);
  if (dropped.length === 0) return '';
  const hasLines = dropped.every(({ lines }) => lines > 0);
  const amount = (each: Dropped) => (hasLines ? each.lines : each.blocks);
  const named = dropped.filter(({ label }) => label !== undefined).slice(0, MOST_LABELS);
  const all = dropped.reduce((sum, each) => sum + amount(each), 0);
  const others = all - named.reduce((sum, each) => sum + amount(each), 0);
  const folded = kept.filter(({ isFolded }) => isFolded).length;
  const total = hasLines ? linesOf(structure) : structure.blocks.length;
  const parts = [
    ...named.map((each) => `${numberOf(amount(each))} × ${nameOf(each)}${hasLines ? rangeOf(each) : ''}`),
    ...(others > 0 && named.length > 0 ? [`${numberOf(others)} others`] : []),
  ];
  const list = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  const foldedToo = folded === 0 ? '' : `; ${numberOf(folded)} shown in short`;
  return `${numberOf(all)} of ${numberOf(total)} ${hasLines ? 'lines' : 'parts'} left out${foldedToo}${list}`;
}

const linesOf = ({ parts }: Structure): number =>
  parts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 1);

const numberOf = (count: number): string => count.toLocaleString('en');

const nameOf = ({ label = '' }: Dropped): string => label.replace(/[[\]\p{C}\s]+/gu, ' ').trim();

const rangeOf = ({ range }: Dropped): string =>
  range === undefined
    ? ''
    : range[0] === range[1]
      ? ` (line ${range[0]})`
      : ` (lines ${range[0]}–${range[1]})`;

/** The note; empty if nothing is left out. */
export const noteOf = (sentences: readonly string[], removed: readonly string[]): string => {
  const all = [
    ...sentences.filter((sentence) => sentence !== ''),
    ...(removed.length === 0 ? [] : [`without ${removed.join(', ')}`]),
  ];
  return all.length === 0 ? '' : `[${all.join('; ')}]`;
};
