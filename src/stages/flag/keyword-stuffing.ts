/**
 * Detects texts that repeat the question's words many times.
 *
 *   density  = words of the question / words of substance
 *   stuffed ⇔ density ≥ .5, at least eight of them, and each twice on average
 *
 * At most .2 % of the passages of Natural Questions, HotpotQA, MuSiQue, RAMDocs, MTRAG-UN, XQuAD and LongMemEval are so dense.
 */
import type { Question } from '../../relevance/passage.js';
import { FUNCTION_STEMS } from '../../text/function-words.js';
import type { Vocabulary } from '../../text/vocabulary.js';

const LEAST_DENSITY = 0.5;
const LEAST_WORDS = 8;
const LEAST_TIMES = 2;

/** The density; undefined if the text is not stuffed. */
export function stuffedDensity(
  { terms: asked }: Question,
  terms: Int32Array,
  vocabulary: Vocabulary,
): number | undefined {
  // By some bits of its number, most words are excluded without a search.
  let bits = 0;
  for (const term of asked) bits |= 1 << (term & 31);
  let hits = 0;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as number;
    if ((bits & (1 << (term & 31))) !== 0 && asked.includes(term)) hits++;
  }
  if (hits < LEAST_WORDS) return undefined;
  const sought = new Set(asked);
  if (hits < LEAST_TIMES * new Set(terms.filter((term) => sought.has(term))).size) return undefined;
  const isOfSubstance = (term: number) => sought.has(term) || !FUNCTION_STEMS().has(vocabulary.wordOf(term));
  const density = hits / terms.filter(isOfSubstance).length;
  return density >= LEAST_DENSITY ? density : undefined;
}
