import { contentWords } from '../text/function-words.js';
import { gramsOf, searching } from '../text/grams.js';
import type { Lexicon } from '../text/lexicon.js';
import { runsOf } from '../text/words.js';
import { Occurrences } from './occurrences.js';
import { bm25, inverseFrequency, type Pool } from './pool.js';

/**
 * Computes BM25 over character n-grams. It finds words that whole-word matching misses because they are inflected,
 * compounded, spelled or typed differently, in any language. Only n-grams of the question are searched, because a pool of
 * 200 passages has a hundred thousand n-grams.
 */
export function grams({ question, passages, speakers }: Pool, lexicon: Lexicon): Float64Array {
  const { vocabulary } = lexicon;
  const isName = (id: number) => speakers.names.has(id);
  const asked = contentWords(runsOf(question.text)).filter(
    (run) => !isName(vocabulary.stemOf(vocabulary.idOf(run))),
  );
  const weightOf = new Map<string, number>();
  const want = (run: string, weight: number) => {
    for (const gram of gramsOf(run)) {
      if (!weightOf.has(gram) && !isName(vocabulary.idOf(gram))) weightOf.set(gram, weight);
    }
  };
  for (const run of asked) want(run, 1);
  for (const { word, weight } of question.carried?.words ?? []) want(word, weight);
  const wanted = [...weightOf.keys()];
  // Chunks and then their units are searched for the n-grams of one question.
  const searches = lexicon.ofCall(searchesOfCall);
  const key = wanted.join(' ');
  const search = searches.get(key) ?? searching(wanted, vocabulary);
  searches.set(key, search);
  const occurrences = new Occurrences(wanted.length);
  const lengths = passages.map(({ text, runs = lexicon.runs(text), terms, speaker }) => {
    let length = 0;
    for (let at = 0; at < runs.length; at++) {
      const { size, places } = search(runs[at] as number);
      length += size;
      for (let each = 0; each < places.length; each++) occurrences.add(places[each] as number);
    }
    occurrences.next();
    return { speaker, terms, length };
  });
  const idf = occurrences.frequencies.map((df, at) =>
    df === 0 ? 0 : (weightOf.get(wanted[at] as string) as number) * inverseFrequency(df, lengths.length),
  );
  return bm25(occurrences, lengths, idf);
}

const searchesOfCall = () => new Map<string, ReturnType<typeof searching>>();
