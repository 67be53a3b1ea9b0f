import { contentWords } from '../text/function-words.js';
import { GramSearch, gramsOf } from '../text/grams.js';
import type { Lexicon } from '../text/lexicon.js';
import { Slots } from '../text/slots.js';
import { runsOf } from '../text/words.js';
import { Occurrences } from './occurrences.js';
import { bm25, type Pool } from './pool.js';

/**
 * BM25 over character n-grams: what words miss that are inflected, compounded, spelled or typed otherwise, in
 * any language. Only n-grams of the question are looked for: a pool of 200 passages has a hundred thousand.
 */
export function grams({ question, passages, speakers }: Pool, lexicon: Lexicon): Float64Array {
  const { vocabulary } = lexicon;
  const isName = (id: number) => speakers.names.has(id);
  const runs = contentWords(runsOf(question.text)).filter(
    (run) => !isName(vocabulary.stemOf(vocabulary.idOf(run))),
  );
  const wanted = [...new Set(runs.flatMap(gramsOf))].filter((gram) => !isName(vocabulary.idOf(gram)));
  const search = new GramSearch(wanted);
  const slots = new Slots(vocabulary.size);
  const known: ReturnType<GramSearch['in']>[] = [];
  const gramsIn = (run: number) => {
    const slot = slots.add(run);
    known[slot] ??= search.in(vocabulary.wordOf(run));
    return known[slot];
  };
  const occurrences = new Occurrences(wanted.length);
  const lengths = passages.map(({ text, runs = lexicon.runs(text), terms, speaker }) => {
    let length = 0;
    for (let at = 0; at < runs.length; at++) {
      const { found, length: count } = gramsIn(runs[at] as number);
      length += count;
      for (let i = 0; i < found.length; i++) occurrences.add(found[i] as number);
    }
    occurrences.next();
    return { speaker, terms, length };
  });
  return bm25(occurrences, lengths);
}
