/** `report.answerable` by words and with cosines as scores: lists of twenty with the evidence, and with it taken out. */
import { createShaper } from 'context-shaping';
import { areaUnderCurve } from '../calibration.js';
import type { RealList, Vectors } from './lists.js';

const SIZE = 20;
export const WAYS = ['order', 'cosine'] as const;

/** The area under the curve on the lists of one set, for each way; NaN without lists that have the evidence. */
export async function answerableAuc(lists: readonly RealList[], model: string): Promise<number[]> {
  const judged = WAYS.map(() => ({ right: [] as number[], wrong: [] as number[] }));
  for (const { found, vectors } of lists) {
    const { cosines } = vectors.get(model) as Vectors;
    const relevant = new Set(found.relevant);
    const scored = found.chunks.map((chunk, place) => ({ ...chunk, score: cosines[place] as number }));
    const first = scored.slice(0, SIZE);
    const others = scored.filter(({ id }) => !relevant.has(id)).slice(0, SIZE);
    if (!first.some(({ id }) => relevant.has(id))) continue;
    for (const [way, scores] of WAYS.entries()) {
      const shaper = createShaper({ scores, tokenizer: () => 1 });
      for (const [holds, chunks] of [
        ['right', first],
        ['wrong', others],
      ] as const) {
        const query = { text: found.question, history: found.history };
        const { report } = await shaper.shape({ query, chunks, ranked: true });
        judged[way]?.[holds].push(report.answerable?.probability ?? 0);
      }
    }
  }
  return judged.map(({ right, wrong }) => areaUnderCurve(right, wrong));
}
