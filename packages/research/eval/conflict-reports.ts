/** Shapes pools for their conflicts alone, and reads the reports. */
import { type Chunk, type Conflict, createShaper, type ShapingReport } from 'context-shaping';
import { wordsOf } from '../../../src/text/words.js';

export type Level = Conflict['level'];
export type Side = Conflict['sides'][number];

export const LEVELS: readonly Level[] = ['sure'];

/** Characters of an excerpt: enough for a sentence. */
const EXCERPT = 300;
/** An excerpt is of a statement if one of them has this share of the words of the other. */
const SAME = 0.6;

const MERGED: ReadonlySet<string> = new Set(['exact-duplicate', 'semantic-duplicate']);

/** Without a budget and without a limit on the number of chunks. */
export async function reportOf(chunks: readonly Chunk[], _level: Level, query = ''): Promise<ShapingReport> {
  const shaper = createShaper({ preview: EXCERPT });
  const { report } = await shaper.shape({ query, chunks: [...chunks] });
  return report;
}

/** The ids of chunks that were evicted as copies. */
export const mergedOf = ({ evicted }: ShapingReport): string[] =>
  evicted.filter(({ reason }) => MERGED.has(reason)).map(({ id }) => id);

/** The pairs of sides of a conflict. */
export function pairsOf({ sides }: Pick<Conflict, 'sides'>): [Side, Side][] {
  return sides.flatMap((one, at) => sides.slice(at + 1).map((other): [Side, Side] => [one, other]));
}

/** The sides with two chunks, in their order, if these are on two sides of the conflict. */
export function sidesOf(conflict: Pick<Conflict, 'sides'>, a: string, b: string): [Side, Side] | undefined {
  const [one, other] = [a, b].map((id) => conflict.sides.find(({ ids }) => ids.includes(id)));
  return one === undefined || other === undefined || one === other ? undefined : [one, other];
}

/** Whether a side speaks of a statement, as far as its excerpt and its words tell. */
export function isAbout({ excerpt, says }: Side, statement: string): boolean {
  if (excerpt === undefined) return says === undefined || statement.includes(says);
  const [left, right] = [new Set(wordsOf(excerpt)), new Set(wordsOf(statement))];
  // Signs and code need not have words.
  if (left.size === 0 || right.size === 0) return excerpt.includes(statement) || statement.includes(excerpt);
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared >= SAME * Math.min(left.size, right.size);
}

/** The same for conflicts that state the same difference. */
export function keyOf({ about, sides }: Conflict, textOf: (id: string) => string): string {
  const said = sides.map(({ says, ids }) => says ?? textOf(ids[0] ?? '')).toSorted();
  return [about ?? '', ...said].join('\n');
}

/** A conflict in full, to be read. */
export function described({ level, kinds, about, sides }: Conflict, textOf: (id: string) => string): string {
  const lines = sides.map(({ says, excerpt, ids, title, source, date, version, support }) => {
    const origin = [title, source === title ? undefined : source, date, version, ids.join(' ')];
    const text = excerpt ?? textOf(ids[0] ?? '').replace(/\s+/g, ' ');
    return `  - ${says ?? '?'} (${origin.filter(Boolean).join('; ')}; support ${support})\n    ${text}`;
  });
  return [`  ${level} ${kinds.join()}: ${about ?? '?'}`, ...lines].join('\n');
}
