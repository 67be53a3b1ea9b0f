import { contentWords } from '../text/function-words.js';
import { GramKeys, GramSearch, gramsOf } from '../text/grams.js';
import type { Lexicon } from '../text/lexicon.js';
import { enlarged } from '../text/spellings.js';
import type { Vocabulary } from '../text/vocabulary.js';
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
  // Read the runs before the size of the vocabulary is used: reading a text adds its words to the vocabulary.
  const runsOfPassages = passages.map(({ text, runs = lexicon.runs(text) }) => runs);
  const search = searchFor(wanted, lexicon);
  const { counts, found } = search.begin();
  const occurrences = new Occurrences(wanted.length);
  const lengths = passages.map(({ terms, speaker }, place) => {
    const runs = runsOfPassages[place] as Int32Array;
    let length = 0;
    for (let at = 0; at < runs.length; at++) {
      const run = runs[at] as number;
      const count = (counts[run] as number) || search.meet(run);
      if (count > 0) length += count;
      else {
        const { size, grams } = found[~count] as RunWithGrams;
        length += size;
        for (let each = 0; each < grams.length; each++) occurrences.add(grams[each] as number);
      }
    }
    occurrences.next();
    return { speaker, terms, length };
  });
  const idf = occurrences.frequencies.map((df, at) =>
    df === 0 ? 0 : (weightOf.get(wanted[at] as string) as number) * inverseFrequency(df, lengths.length),
  );
  return bm25(occurrences, lengths, idf);
}

/** A run with some of the n-grams that are searched for. */
interface RunWithGrams {
  /** The number of its n-grams. */
  readonly size: number;
  /** Those that are searched for, by index, in order. */
  readonly grams: readonly number[];
}

/** Searches each run of a vocabulary once for the same n-grams. */
class RunSearch {
  /**
   * By run: the number of its n-grams, or the complement of an index in `found` if some of them are wanted. It is 0 if
   * the run was not met yet.
   */
  #counts = new Int32Array(0);
  readonly #found: RunWithGrams[] = [];
  readonly #search: GramSearch;
  readonly #keys: GramKeys;

  constructor(
    readonly wanted: string,
    grams: readonly string[],
    readonly vocabulary: Vocabulary,
  ) {
    this.#search = new GramSearch(grams);
    this.#keys = keysOf(vocabulary);
  }

  /** Returns the tables, with room for all runs that the vocabulary has now. */
  begin(): { counts: Int32Array; found: readonly RunWithGrams[] } {
    const { size } = this.vocabulary;
    if (this.#counts.length < size) this.#counts = enlarged(this.#counts, size);
    return { counts: this.#counts, found: this.#found };
  }

  /** Searches a run that was not met yet. */
  meet(run: number): number {
    const count = this.#keys.sizeWithout(run, this.#search.mayBeWanted) || this.#find(run);
    this.#counts[run] = count;
    return count;
  }

  #find(run: number): number {
    const grams: number[] = [];
    const keys = this.#keys.isKnown(run) ? undefined : [];
    const size = this.#search.find(this.vocabulary.wordOf(run), grams, keys);
    if (keys !== undefined) this.#keys.add(run, keys);
    return grams.length === 0 ? size : ~(this.#found.push({ size, grams }) - 1);
  }
}

const keysByVocabulary = new WeakMap<Vocabulary, GramKeys>();

/** Returns the keys that all calls share. They are bounded as the vocabulary is. */
function keysOf(vocabulary: Vocabulary): GramKeys {
  const keys = keysByVocabulary.get(vocabulary) ?? new GramKeys();
  keysByVocabulary.set(vocabulary, keys);
  return keys;
}

/** The last search of each call. Chunks and then their units are searched for the n-grams of one question. */
const searches = new WeakMap<Lexicon, RunSearch>();

function searchFor(grams: readonly string[], lexicon: Lexicon): RunSearch {
  const wanted = grams.join(' ');
  const last = searches.get(lexicon);
  if (last?.wanted === wanted) return last;
  const search = new RunSearch(wanted, grams, lexicon.vocabulary);
  searches.set(lexicon, search);
  return search;
}
