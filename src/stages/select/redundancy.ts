import type { PipelineInput } from '../../pipeline.js';
import { haveVectors } from '../../pool/cosines.js';
import type { Candidate } from '../../types.js';
import { indexWith } from '../shared/indexed.js';

/**
 * Returns a function from a selected candidate to the redundancy of all candidates with it, by place, 0..1: the larger of
 * cosine and lexical similarity; 0 across namespaces and between candidates in conflict. A value that is less than with an
 * earlier selected candidate may be inexact, because it changes nothing. The array is reused by the next call.
 */
export function redundancyOf(
  candidates: readonly Candidate[],
  input: PipelineInput,
): (item: number) => Float64Array {
  const { cosines } = input;
  const { index, places } = indexWith(candidates, input);
  const similarities = new Float64Array(index.size);
  const placeOf = new Map(candidates.map(({ index }, place) => [index, place]));
  const isOneNamespace = candidates.every(({ namespace }) => namespace === candidates[0]?.namespace);
  /** Candidates that cannot be redundant with an item get the value `nothing`; the others keep theirs. */
  const blank = (row: Float32Array | Float64Array, item: number, nothing: number): void => {
    const { namespace, conflicts } = candidates[item] as Candidate;
    for (let other = isOneNamespace ? row.length : 0; other < row.length; other++) {
      if ((candidates[other] as Candidate).namespace !== namespace) row[other] = nothing;
    }
    for (const conflict of conflicts) {
      const other = placeOf.get(conflict);
      if (other !== undefined) row[other] = nothing;
    }
  };
  // One array for all rows: thousands of rows of a large pool would need more memory than everything else.
  const row = new Float64Array(candidates.length);
  const byWords = (item: number): Float64Array => {
    index.jaccard(places[item] as number, similarities);
    for (let other = 0; other < row.length; other++)
      row[other] = similarities[places[other] as number] as number;
    blank(row, item, 0);
    return row;
  };
  if (!haveVectors(candidates)) return byWords;

  cosines.pack(candidates);
  const slots = Int32Array.from(candidates, (each) => cosines.slotOf(each));
  const { rounding } = cosines;
  const greatest = new Float64Array(candidates.length);
  return (item) => {
    const row = byWords(item);
    const slot = slots[item] as number;
    const screened = cosines.between(slot, slots);
    blank(screened, item, -1);
    greatest[item] = Number.POSITIVE_INFINITY;
    // Raises the similarities to the cosines.
    for (let other = 0; other < row.length; other++) {
      const least = Math.max(row[other] as number, greatest[other] as number);
      if ((screened[other] as number) + rounding > least) {
        row[other] = Math.max(row[other] as number, cosines.exact(slot, slots[other] as number));
      }
      greatest[other] = Math.max(row[other] as number, greatest[other] as number);
    }
    return row;
  };
}
