import { mapped, type Steps } from '../math/steps.js';
import { contentWords } from '../text/function-words.js';
import { GramSearch, gramsOf } from '../text/grams.js';
import type { Lexicon } from '../text/lexicon.js';
import { runsOf } from '../text/words.js';
import { Occurrences } from './occurrences.js';
import { bm25, inverseFrequency, type Pool } from './pool.js';

/**
 * Computes BM25 over character n-grams. It finds words that whole-word matching misses because they are inflected,
 * compounded, spelled or typed differently, in any language. Only n-grams of the question are searched, because a pool of
 * 200 passages has a hundred thousand n-grams.
 */
export function* grams({ question, passages, speakers }: Pool, lexicon: Lexicon): Steps<Float64Array> {
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
  const search = new GramSearch(wanted);
  // Read the runs before the size of the vocabulary is used: reading a text adds its words to the vocabulary.
  const runsOfPassages = passages.map(({ text, runs = lexicon.runs(text) }) => runs);
  /** Number of n-grams of each run; negative if some of them are wanted, 0 if the run was not seen yet. */
  const counts = new Int32Array(vocabulary.size);
  const foundIn = new Map<number, readonly number[]>();
  const meet = (run: number): number => {
    const found: number[] = [];
    const count = search.find(vocabulary.wordOf(run), found);
    if (found.length > 0) foundIn.set(run, found);
    counts[run] = found.length > 0 ? -count : count;
    return counts[run] as number;
  };
  const occurrences = new Occurrences(wanted.length);
  const lengths = yield* mapped(passages, ({ terms, speaker }, place) => {
    const runs = runsOfPassages[place] as Int32Array;
    let length = 0;
    for (let at = 0; at < runs.length; at++) {
      const run = runs[at] as number;
      const count = (counts[run] as number) || meet(run);
      length += Math.abs(count);
      if (count < 0) for (const gram of foundIn.get(run) as number[]) occurrences.add(gram);
    }
    occurrences.next();
    return { speaker, terms, length };
  });
  const idf = occurrences.frequencies.map((df, at) =>
    df === 0 ? 0 : (weightOf.get(wanted[at] as string) as number) * inverseFrequency(df, lengths.length),
  );
  return bm25(occurrences, lengths, idf);
}
