/** Texts that are read line by line: logs, diffs, listings, code. */
import { joinedTitles, type Outline, type Place, ROOT } from './outline.js';
import type { Block } from './types.js';
import { wordRelevance } from './word-relevance.js';

/** Neighbouring lines that go together. */
export interface LineBlock extends Pick<Block, 'title' | 'priority' | 'rarity' | 'label' | 'folded'> {
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

interface Lines {
  /** The lines as they are shown, without their line breaks. As many as the text has. Default: as they are. */
  shown?: readonly string[] | undefined;
  /** Ascending, without common lines. A line of no block always stays. */
  blocks: readonly LineBlock[];
  /** How much each block answers a question. Default: by the words of its text. `null`: the shaper knows best. */
  rank?: ((question: string) => readonly number[]) | null | undefined;
}

const GAP = '…';

/** Adds a text that is read line by line. */
export function addLines(outline: Outline, text: string, place: Place, { shown, blocks, rank }: Lines): void {
  const given = text.split('\n');
  const lines = shown ?? given;
  const { within, title, encode = (each: string) => each } = place;
  const list = outline.lists++;
  const before = outline.blocks.length;
  const groups: number[] = [];
  /** A part of another text has no numbers of its own. */
  const isPart = within !== ROOT || place.write !== undefined;
  const starts = [0];
  for (const line of given) starts.push((starts.at(-1) as number) + line.length + 1);
  const joined = (first: number, last: number) => lines.slice(first - 1, last).join('\n');
  const written = (first: number, last: number) => {
    const start = starts[first - 1] as number;
    const end = (starts[last] as number) - 1;
    const own = joined(first, last);
    // Another text is written anew, and the same one as it stood there.
    return place.write !== undefined && own === text.slice(start, end)
      ? place.write(start, end)
      : encode(own);
  };
  let next = 1;
  /** Writes the lines up to this one. */
  const write = (group: number, last: number, mark: string) => {
    if (last < next) return;
    const after = last < lines.length ? encode('\n') : '';
    outline.piece(group, written(next, last), { layout: { within, after, mark }, write: encode });
    next = last + 1;
  };
  /** The ends that are not written yet, the next one last. */
  const ends: { group: number; lines: readonly [first: number, last: number] }[] = [];
  const writeEnds = (limit: number) => {
    for (let end = ends.at(-1); end !== undefined && end.lines[0] < limit; end = ends.at(-1)) {
      ends.pop();
      write(within, end.lines[0] - 1, '');
      write(end.group, end.lines[1], '');
    }
  };
  const isBlank = (block: LineBlock | undefined) =>
    block !== undefined && lines.slice(block.first - 1, block.last).every((line) => line === '');
  /** Blank lines that follow each other are one block. */
  let begin: number | undefined;
  for (const [at, block] of blocks.entries()) {
    const { first: own, last, end, needs = [], text: readable, isSilent = false, folded, ...more } = block;
    const first = begin ?? own;
    if (isBlank(block) && isBlank(blocks[at + 1])) {
      begin = first;
      groups.push(within);
      continue;
    }
    begin = undefined;
    writeEnds(first);
    write(within, first - 1, '');
    const group = outline.group([within, ...needs.map((each) => groups[each] as number)]);
    groups.push(group);
    const all = joined(first, last);
    outline.block(group, {
      ...more,
      title: joinedTitles(title, more.title),
      ...(folded === undefined ? {} : { folded: { ...folded, text: encode(folded.text) } }),
      ...{ text: readable ?? all, shown: all, cuttable: false, isText: true, list },
      ...(isPart ? {} : { lines: [first, last] as const }),
    });
    write(group, last, isSilent ? '' : GAP);
    if (end !== undefined) ends.push({ group, lines: end });
  }
  writeEnds(Number.POSITIVE_INFINITY);
  write(within, lines.length, '');
  if (rank !== null) outline.rank(before, rank ?? wordRelevance(outline.blocks.slice(before)));
}
