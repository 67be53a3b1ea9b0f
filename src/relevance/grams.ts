import { contentWords } from '../text/function-words.js';
import { GramSearch, gramsOf } from '../text/grams.js';
import type { Lexicon } from '../text/lexicon.js';
import { runsOf } from '../text/words.js';
import { Pool } from './pool.js';
import { Slots } from './slots.js';

/**
 * BM25 over character n-grams: what words miss that are inflected, compounded, spelled or typed otherwise, in
 * any language. Only n-grams of the question are looked for: a pool of 200 passages has a hundred thousand.
 */
export function grams({ question, passages, speakers }: Pool, lexicon: Lexicon): Float64Array {
  const { vocabulary } = lexicon;
  const isName = (run: string) => speakers.names.has(vocabulary.stemOf(vocabulary.idOf(run)));
  const runs = new Set(contentWords(runsOf(question.text)).filter((run) => !isName(run)));
  const wanted = [...new Set([...runs].flatMap(gramsOf))];
  const ids = vocabulary.idsOf(wanted);
  const search = new GramSearch(wanted);
  const slots = new Slots(vocabulary.size);
  const known: ReturnType<GramSearch['in']>[] = [];
  const gramsIn = (run: number) => {
    const slot = slots.add(run);
    known[slot] ??= search.in(vocabulary.wordOf(run));
    return known[slot];
  };
  return new Pool(
    { ...question, terms: ids },
    passages.map((passage) => {
      const terms: number[] = [];
      let length = 0;
      const runs = passage.runs ?? lexicon.runs(passage.text);
      for (let at = 0; at < runs.length; at++) {
        const each = gramsIn(runs[at] as number);
        length += each.length;
        for (const place of each.found) terms.push(ids[place] as number);
      }
      const { text, title, speaker } = passage;
      return { text, title, speaker, terms: new Int32Array(terms), length };
    }),
    vocabulary,
  ).bm25();
}
