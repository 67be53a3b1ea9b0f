/** A matcher for `expect.extend` of Vitest and Jest. It imports neither. */
import type { Chunk, ShapingResult } from 'context-shaping';
import { type Inside, insideOf, sessionOf } from 'context-shaping/internal';
import { invalidInput, isObject } from 'context-shaping/kit';
import type { MatcherResult } from '../lockfile/index.js';
import { parseEvidence } from './case.js';
import { unitsOf } from './evidence.js';
import { fold } from './texts.js';
import type { Evidence } from './types.js';

/** For `interface Matchers` of your runner: `toKeepEvidence(evidence: Evidence): void`. */
export interface EvidenceMatchers<R = void> {
  /** See {@link toKeepEvidence}. */
  toKeepEvidence(evidence: Evidence): R;
}

/**
 * Passes if a context keeps every unit of evidence; of a chunk that an id names, any part. The message names the units that are lost, and what the report says about
 * their chunks.
 *
 * @param received a result of `shape` in this process, or its chunks: then evidence is found in their texts.
 * @param expected the evidence, as in a case of `evaluate`.
 * @throws ContextShapingError `invalid-input`, if either is none.
 */
export function toKeepEvidence(
  received: (Pick<ShapingResult, 'chunks'> & Partial<ShapingResult>) | readonly Pick<Chunk, 'id' | 'text'>[],
  expected: Evidence,
): MatcherResult {
  const evidence = parseEvidence(expected, 'evidence');
  const kept = Array.isArray(received) ? received : isObject(received) ? received.chunks : undefined;
  if (!Array.isArray(kept) || !kept.every((each) => isObject(each) && typeof each.text === 'string')) {
    throw invalidInput('received', received, 'is no result of shape', 'Give the result, or its chunks.');
  }
  const session = isObject(received) ? sessionOf(received) : undefined;
  const pool = session === undefined ? kept : (insideOf(session) as Inside).input.chunks;
  const units = unitsOf(
    evidence,
    pool,
    pool.map(({ text }) => fold(text)),
  );
  const pieces = kept.map((chunk, at) => ({
    place: session === undefined ? at : (chunk as { index: number }).index,
    folded: fold(chunk.text),
  }));
  const lost = units.filter((unit) => !pieces.some(unit.isIn));
  const report = isObject(received) ? (received as Partial<ShapingResult>).report : undefined;
  const outcomeOf = (place: number) => {
    const eviction = report?.evicted.find(({ index }) => index === place);
    const id = JSON.stringify(pool[place]?.id);
    return eviction === undefined
      ? `chunk ${id} is kept without it`
      : `chunk ${id} was evicted by ${eviction.stage}: ${eviction.reason}`;
  };
  const told = lost.map((unit) => {
    const place = pool.findIndex(({ text }, at) => unit.isIn({ place: at, folded: fold(text) }));
    const outcome = place < 0 ? 'no chunk of the input holds it' : outcomeOf(place);
    return `- ${unit.form}: ${JSON.stringify(unit.label)}: ${outcome}`;
  });
  return {
    pass: lost.length === 0,
    message: () =>
      lost.length === 0
        ? 'The context keeps all of this evidence.'
        : `The context loses ${lost.length} of ${units.length} units of evidence.\n${told.join('\n')}`,
  };
}
