import type { Conflict, ConflictSide } from '../types.js';

/**
 * Conflicts with the sides that have a chunk in the result first, in its order, then the others in input order. A
 * preferred side stays first.
 */
export function keptSidesFirst(
  conflicts: readonly Conflict[],
  kept: readonly { index: number }[],
): Conflict[] {
  const places = new Map(kept.map(({ index }, place) => [index, place]));
  // A lower rank goes first.
  const rankOf = ({ indices }: ConflictSide) =>
    Math.min(...indices.map((index) => places.get(index) ?? kept.length));
  return conflicts.map((conflict) => {
    const fixed = conflict.preferred === undefined ? 0 : 1;
    const moved = conflict.sides.slice(fixed).sort((one, other) => rankOf(one) - rankOf(other));
    return { ...conflict, sides: [...conflict.sides.slice(0, fixed), ...moved] };
  });
}
