/** Conflicts, from the point of view of the context. */
import type { Conflict, ConflictSide } from 'context-shaping';

/** The chunks of the other sides of a chunk’s conflicts, each once. */
export function rivalsOf(index: number, conflicts: readonly Conflict[]): number[] {
  const rivals = conflicts.flatMap(({ sides }) => {
    const others = sides.filter(({ indices }) => !indices.includes(index));
    return others.length === sides.length ? [] : others.flatMap(({ indices }) => indices);
  });
  return [...new Set(rivals)];
}

/** The facts by which readers judge a side. A source that begins the id says nothing new. */
export function aboutSide({ title, source, date, version, support, ids }: ConflictSide): string {
  const isNew = source !== undefined && !ids.some((id) => id.startsWith(source));
  return [
    title,
    isNew ? source : undefined,
    date,
    version === undefined ? undefined : `version ${version}`,
    support > 1 ? `${support} documents` : undefined,
  ]
    .filter((each) => each !== undefined)
    .join(' · ');
}
