import { mapped, type Steps, tiny } from '../../math/steps.js';
import type { PipelineInput } from '../../pipeline.js';
import { haveVectors } from '../../pool/cosines.js';
import type { Candidate } from '../../types.js';
import { indexWith } from '../shared/indexed.js';

/**
 * Returns a function from a selected candidate to the redundancy of all candidates with it, by place, 0..1: the larger of
 * cosine and lexical similarity; 0 across namespaces and between candidates in conflict. A value that is less than with an
 * earlier selected candidate may be inexact, because it changes nothing. In steps. The array is reused by the next call.
 *
 * With a lasting memory, all values are exact, because later runs select in other orders, and rows are kept.
 */
export async function redundancyOf(
  candidates: readonly Candidate[],
  input: PipelineInput,
): Promise<(item: number) => Steps<Float64Array>> {
  const rowOf = await rowsOf(candidates, input);
  if (!input.memory.isLasting || candidates.length > MOST_KEPT) return rowOf;
  const rows = new Map<number, Float64Array>();
  return function* (item) {
    const row = rows.get(item) ?? (yield* rowOf(item));
    rows.set(item, row);
    return row;
  };
}

/** Rows of more candidates would need more than 8 MB. */
const MOST_KEPT = 1024;
/** Candidates that are compared with an item in one step. */
const COMPARED = 1024;

async function rowsOf(
  candidates: readonly Candidate[],
  input: PipelineInput,
): Promise<(item: number) => Steps<Float64Array>> {
  const { cosines, memory, pacer } = input;
  const { index, places } = await indexWith(candidates, input);
  const similarities = new Float64Array(index.size);
  const entries = await pacer.run(mapped(candidates, ({ index }, place) => [index, place] as const, tiny));
  const placeOf = new Map(entries);
  if (pacer.due()) await pacer.pause();
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
  // One array for all rows: thousands of rows of a large pool would need more memory than everything else. With a lasting
  // memory, a run may be aborted inside a row, and another may go on with it.
  const shared = memory.isLasting ? undefined : new Float64Array(candidates.length);
  const byWords = function* (item: number): Steps<Float64Array> {
    index.jaccard(places[item] as number, similarities);
    const row = shared ?? new Float64Array(candidates.length);
    for (let other = 0; other < row.length; other++)
      row[other] = similarities[places[other] as number] as number;
    blank(row, item, 0);
    yield;
    return row;
  };
  if (!haveVectors(candidates)) return byWords;

  await cosines.pack(candidates, pacer);
  const slots = Int32Array.from(await pacer.run(mapped(candidates, (each) => cosines.slotOf(each), tiny)));
  if (pacer.due()) await pacer.pause();
  const { rounding } = cosines;
  const greatest = new Float64Array(candidates.length);
  /** Raises the similarities of an item with some candidates to their cosines. */
  const raise = (slot: number, row: Float64Array, screened: Float32Array, from: number): void => {
    const to = Math.min(row.length, from + COMPARED);
    for (let other = from; other < to; other++) {
      const least = Math.max(row[other] as number, memory.isLasting ? 0 : (greatest[other] as number));
      if ((screened[other] as number) + rounding > least) {
        row[other] = Math.max(row[other] as number, cosines.exact(slot, slots[other] as number));
      }
      greatest[other] = Math.max(row[other] as number, greatest[other] as number);
    }
  };
  return function* (item) {
    const row = yield* byWords(item);
    const slot = slots[item] as number;
    const screened = yield* cosines.between(slot, slots);
    blank(screened, item, -1);
    greatest[item] = Number.POSITIVE_INFINITY;
    for (let from = 0; from < row.length; from += COMPARED) {
      raise(slot, row, screened, from);
      yield;
    }
    return row;
  };
}
