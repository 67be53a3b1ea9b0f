import { contentWords } from '../text/function-words.js';
import { gramsOf } from '../text/grams.js';
import type { Lexicon } from '../text/lexicon.js';
import { stem } from '../text/stem.js';
import { Pool } from './pool.js';

/**
 * BM25 over character n-grams: what words miss that are inflected, compounded, spelled or typed otherwise, in
 * any language. Only n-grams of the question are looked for: a pool of 200 passages has a hundred thousand.
 */
export function grams({ question, passages, speakers }: Pool, lexicon: Lexicon): Float64Array {
  const runs = new Set(
    contentWords(lexicon.runs(question.text)).filter((run) => !speakers.names.has(stem(run))),
  );
  const wanted = new Set([...runs].flatMap(gramsOf));
  const known = new Map<string, { found: string[]; length: number }>();
  const gramsIn = (run: string) => {
    let each = known.get(run);
    if (each === undefined) {
      const all = gramsOf(run);
      each = { found: all.filter((gram) => wanted.has(gram)), length: all.length };
      known.set(run, each);
    }
    return each;
  };
  return new Pool(
    { ...question, terms: [...wanted] },
    passages.map((passage) => {
      const terms: string[] = [];
      let length = 0;
      for (const run of lexicon.runs(passage.text)) {
        const each = gramsIn(run);
        length += each.length;
        for (const gram of each.found) terms.push(gram);
      }
      return { ...passage, terms, length };
    }),
  ).bm25();
}
