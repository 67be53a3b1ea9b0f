import { cosines, gram, pack } from '../../math/gram/gram.js';
import { condensedIndex } from '../../math/linkage.js';
import type { PipelineInput } from '../../pipeline.js';
import { haveVectors } from '../../pool/candidate.js';
import type { Candidate } from '../../types.js';
import { indexWith } from '../shared/indexed.js';

/** Up to this number of candidates, the cosines of all pairs are kept, in 8 MB. Above it, rows are computed when needed. */
const MOST_KEPT = 2048;

/**
 * Returns a function from a selected candidate to the redundancy of all candidates with it, by place, 0..1: the larger of
 * cosine and lexical similarity; 0 across namespaces and between candidates in conflict. The array is reused by the next call.
 */
export function redundancyOf(
  candidates: readonly Candidate[],
  input: PipelineInput,
): (item: number) => Float64Array {
  const { index, places } = indexWith(candidates, input);
  const similarities = new Float64Array(index.size);
  const placeOf = new Map(candidates.map(({ index }, place) => [index, place]));
  const isOneNamespace = candidates.every(({ namespace }) => namespace === candidates[0]?.namespace);
  /** Candidates that cannot be redundant with an item get the value 0; the others keep theirs. */
  const blank = (row: Float32Array | Float64Array, item: number): void => {
    const { namespace, conflicts } = candidates[item] as Candidate;
    for (let other = isOneNamespace ? row.length : 0; other < row.length; other++) {
      if ((candidates[other] as Candidate).namespace !== namespace) row[other] = 0;
    }
    for (const conflict of conflicts) {
      const other = placeOf.get(conflict);
      if (other !== undefined) row[other] = 0;
    }
  };
  // One array for all rows: thousands of rows of a large pool would need more memory than everything else.
  const row = new Float64Array(candidates.length);
  const byWords = (item: number): Float64Array => {
    index.jaccard(places[item] as number, similarities);
    for (let other = 0; other < row.length; other++)
      row[other] = similarities[places[other] as number] as number;
    blank(row, item);
    return row;
  };
  if (!haveVectors(candidates)) return byWords;

  const packed = pack(candidates.map(({ vector }) => vector as Float32Array));
  const { count } = packed;
  const pairs = count > MOST_KEPT ? undefined : gram(packed);
  return (item) => {
    const row = byWords(item);
    const near =
      pairs === undefined
        ? cosines(packed, packed, item, item + 1)
        : Float32Array.from(row, (_, other) =>
            other === item ? 1 : (pairs[condensedIndex(count, item, other)] as number),
          );
    blank(near, item);
    for (let other = 0; other < row.length; other++)
      row[other] = Math.max(row[other] as number, near[other] as number);
    return row;
  };
}
