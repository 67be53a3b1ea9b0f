/**
 * Real sentences to put around a statement: those that share the rarest words with it.
 *
 * They are of Natural Questions, HotpotQA, MTRAG-UN and, in six languages, XQuAD; see their loaders for the sources.
 */
import { unitsOf } from '../../../../src/text/units/units.js';
import { wordsOf } from '../../../../src/text/words.js';
import { loadMtragUn } from './mtrag-un.js';
import { loadHotpot } from './multihop.js';
import { loadNaturalQuestionsCollection } from './nq.js';
import { loadXquad, xquadLanguages } from './xquad.js';

/** Characters of a sentence; Chinese says in a third of the characters as much. */
const SHORTEST = 40;
const LONGEST = 240;
const DENSE: Readonly<Record<string, number>> = { zh: 1 / 3 };
/** A word of more sentences than this share is not rare. */
const RARE = 0.02;
/** Sentences that share more words than this, as a Dice coefficient, may state the same thing. */
const ALIKE = 0.4;

const IS_SENTENCE = /^["“«(]?[\p{Lu}\p{Lo}\d].*[.!?。！？؟।]["”»)]?$/u;

export class Neighbours {
  readonly #words: readonly (readonly string[])[];
  readonly #places = new Map<string, number[]>();

  constructor(readonly sentences: readonly string[]) {
    this.#words = sentences.map((sentence) => [...new Set(wordsOf(sentence))]);
    for (const [place, words] of this.#words.entries()) {
      for (const word of words) {
        const places = this.#places.get(word) ?? [];
        places.push(place);
        this.#places.set(word, places);
      }
    }
  }

  /**
   * The nearest sentences of some statements. No two of them may be taken for statements of one thing, and none for one of
   * the statements.
   */
  nearest(statements: readonly string[], count: number): string[] {
    const scores = new Map<number, number>();
    const most = RARE * this.sentences.length;
    for (const word of new Set(statements.flatMap((statement) => wordsOf(statement)))) {
      const places = this.#places.get(word) ?? [];
      if (places.length > most) continue;
      const weight = Math.log(this.sentences.length / places.length);
      for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight);
    }
    const best = [...scores].toSorted(([a, one], [b, other]) => other - one || a - b).map(([place]) => place);
    const taken = statements.map((statement) => [...new Set(wordsOf(statement))]);
    const found: string[] = [];
    for (const place of [...best, ...this.#others(statements.join('\n'), count)]) {
      if (found.length === count) break;
      const words = this.#words[place] as readonly string[];
      if (taken.some((other) => dice(words, other) > ALIKE)) continue;
      taken.push([...words]);
      found.push(this.sentences[place] as string);
    }
    return found;
  }

  /** Any sentences, the same for the same statements. */
  #others(text: string, count: number): number[] {
    const start = Array.from(text).reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 99_991, 7);
    if (this.sentences.length === 0) return [];
    return Array.from({ length: 20 * count }, (_, at) => (start + at * 7919) % this.sentences.length);
  }
}

/** By code of language; those of `en` are for all languages that have none. */
export function loadNeighbours(dataDir: string): Map<string, Neighbours> {
  const languages = xquadLanguages(dataDir);
  return new Map(
    languages.map((language) => {
      const xquad = loadXquad(dataDir, language)?.cases[0]?.chunks ?? [];
      const texts = xquad.map(({ text }) => text);
      if (language === 'en') texts.push(...englishTexts(dataDir));
      const [shortest, longest] = [SHORTEST, LONGEST].map((each) => each * (DENSE[language] ?? 1));
      const isFit = (sentence: string) =>
        sentence.length >= (shortest as number) &&
        sentence.length <= (longest as number) &&
        IS_SENTENCE.test(sentence);
      return [language, new Neighbours([...new Set(texts.flatMap(sentencesOf).filter(isFit))])];
    }),
  );
}

function englishTexts(dataDir: string): string[] {
  const nq = loadNaturalQuestionsCollection(dataDir)?.cases[0]?.chunks ?? [];
  const hotpot = loadHotpot(dataDir)?.cases.flatMap(({ chunks }) => chunks) ?? [];
  const mtrag = new Set(loadMtragUn(dataDir)?.cases.flatMap(({ chunks }) => chunks));
  // The first line is the title.
  const untitled = [...nq, ...hotpot].map(({ text }) => text.slice(text.indexOf('\n') + 1));
  return [...untitled, ...Array.from(mtrag, ({ text }) => text)];
}

const sentencesOf = (text: string): string[] =>
  unitsOf(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => !sentence.includes('\n'));

function dice(one: readonly string[], other: readonly string[]): number {
  const words = new Set(other);
  return (2 * one.filter((word) => words.has(word)).length) / Math.max(1, one.length + other.length);
}
