/** The structure of a text that is read line by line: a log, a diff, a listing. */
import { Outline, ROOT } from './outline.js';
import type { Block, Structure } from './types.js';

/** Neighbouring lines that go together. */
export interface LineBlock extends Pick<Block, 'title' | 'priority' | 'label' | 'folded'> {
  /** Its first and last line, from 1. */
  readonly first: number;
  readonly last: number;
  /** Places of earlier blocks that stay with it: the name of the file above its lines. */
  readonly needs?: readonly number[] | undefined;
  /** The gap that it leaves has no mark. */
  readonly isSilent?: boolean | undefined;
  /** Later lines that stay with it: a closing bracket. No block has them. */
  readonly end?: readonly [first: number, last: number] | undefined;
  /** The text for relevance and for recall, if the lines do not say it themselves. */
  readonly text?: string | undefined;
}

const GAP = '…';

/**
 * @param lines the lines of the text as they are shown, without their line breaks. As many as the text has.
 * @param blocks ascending, without common lines. A line of no block always stays.
 * @param removed what the shown lines lack, one phrase each.
 */
export function lineStructure(
  lines: readonly string[],
  blocks: readonly LineBlock[],
  removed: readonly string[] = [],
): Structure {
  const outline = new Outline();
  const list = outline.lists++;
  const groups: number[] = [];
  let next = 1;
  /** Writes the lines up to this one. */
  const write = (group: number, last: number, mark: string) => {
    if (last < next) return;
    const text = lines.slice(next - 1, last).join('\n');
    outline.piece(group, text, { layout: { within: ROOT, after: last < lines.length ? '\n' : '', mark } });
    next = last + 1;
  };
  /** The ends that are not written yet, the next one last. */
  const ends: { group: number; lines: readonly [first: number, last: number] }[] = [];
  const writeEnds = (before: number) => {
    for (let end = ends.at(-1); end !== undefined && end.lines[0] < before; end = ends.at(-1)) {
      ends.pop();
      write(ROOT, end.lines[0] - 1, '');
      write(end.group, end.lines[1], '');
    }
  };
  for (const { first, last, end, needs = [], text, isSilent = false, ...more } of blocks) {
    writeEnds(first);
    write(ROOT, first - 1, '');
    const group = outline.group(needs.map((place) => groups[place] as number));
    groups.push(group);
    const shown = lines.slice(first - 1, last).join('\n');
    outline.block(group, { ...more, text: text ?? shown, shown, cuttable: false, list });
    write(group, last, isSilent ? '' : GAP);
    if (end !== undefined) ends.push({ group, lines: end });
  }
  writeEnds(Number.POSITIVE_INFINITY);
  write(ROOT, lines.length, '');
  const structure = outline.structure('text', Number.POSITIVE_INFINITY);
  return removed.length === 0 ? structure : { ...structure, removed };
}
