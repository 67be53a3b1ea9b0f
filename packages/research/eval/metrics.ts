/**
 * What is counted as success.
 *
 *   precision = hits / returned,  recall = hits / relevant,  F1 = 2 hits / (returned + relevant)
 *   nDCG@k = DCG@k / that of an ideal list,  DCG@k = Σ_place≤k gain(place) / log2(place + 1), places from 1
 *
 * Sources of nDCG: K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, with the
 * discount from the first place on; gains are 1 for what is relevant, else 0.
 *
 * Answers are compared as the SQuAD and NQ evaluations do, in normalised form: P. Rajpurkar et al., "SQuAD",
 * 2016; K. Lee et al., "Latent Retrieval for Weakly Supervised Open Domain Question Answering", 2019.
 */
import type { Case } from './data/case.js';

/** A text that a method hands on, and the chunk that it is from. */
export interface Kept {
  id: string;
  text: string;
}

/** Lower case, no punctuation, no articles, single spaces. */
export function normaliseAnswer(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .split(' ')
    .filter((word) => word !== '' && word !== 'a' && word !== 'an' && word !== 'the')
    .join(' ');
}

/** Does a text hold one of the answers, as whole words? An answer without words is held by nothing. */
export function holdsAnswer(text: string, answers: readonly string[]): boolean {
  return includesWords(normaliseAnswer(text), answers.map(normaliseAnswer));
}

/** The same of texts that are in normalised form. */
export function includesWords(text: string, answers: readonly string[]): boolean {
  return answers.some((answer) => answer !== '' && ` ${text} `.includes(` ${answer} `));
}

/** 1 if some text that was kept holds one of the answers. */
export function answerKept({ answers }: Case, kept: readonly Kept[]): number {
  const normalised = answers.map(normaliseAnswer);
  return Number(kept.some(({ text }) => includesWords(normaliseAnswer(text), normalised)));
}

/** The share of answers that are in a text that was kept: of questions with several right answers. */
export function answersKept({ answers }: Case, kept: readonly Kept[]): number {
  const texts = kept.map(({ text }) => normaliseAnswer(text));
  return shareOf(answers, (answer) => texts.some((text) => includesWords(text, [normaliseAnswer(answer)])));
}

/** 1 if some fact is there word for word in what was kept of its own chunk. */
export function ownFactKept({ facts }: Case, kept: readonly Kept[]): number {
  return Number(
    facts.some((fact) => kept.some(({ id, text }) => id === fact.chunk && text.includes(fact.text))),
  );
}

/**
 * The share of what the relevant chunks say that was kept, in tokens: their distinct sentences, wherever they are kept.
 * Windows that overlap say the same twice, and once is enough.
 */
export function evidenceShareKept(
  { chunks, relevant }: Case,
  kept: readonly Kept[],
  countTokens: (text: string) => number,
): number {
  const ids = new Set(relevant);
  const sentences = new Set(chunks.flatMap(({ id, text }) => (ids.has(id) ? sentencesOf(text) : [])));
  const texts = kept.map(({ text }) => spaced(text));
  let all = 0;
  let found = 0;
  for (const sentence of sentences) {
    const tokens = countTokens(sentence);
    all += tokens;
    if (texts.some((text) => text.includes(sentence))) found += tokens;
  }
  return all === 0 ? 0 : found / all;
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
const sentencesOf = (text: string) =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map(spaced)
    .filter((sentence) => sentence !== '');

/** The share of facts that are there word for word, white space at their ends aside. */
export function factsKept({ facts }: Case, kept: readonly Kept[]): number {
  return shareOf(facts, (fact) => kept.some(({ text }) => text.includes(fact.text.trim())));
}

/** 1 if every fact is there word for word. */
export function allFactsKept(question: Case, kept: readonly Kept[]): number {
  return Number(factsKept(question, kept) === 1);
}

/** 1 if something of every relevant chunk was kept besides its title. */
export function someOfEachKept({ chunks, relevant }: Case, kept: readonly Kept[]): number {
  const titles = new Map(chunks.map(({ id, metadata }) => [id, `${metadata?.title ?? ''}`]));
  const hasContent = ({ id, text }: Kept) => text.replace(titles.get(id) ?? '', '').trim() !== '';
  const ids = new Set(kept.filter(hasContent).map(({ id }) => id));
  return Number(relevant.every((id) => ids.has(id)));
}

/** 1 if every fact's own answer is in a text that was kept of that fact's chunk. */
export function allStepsKept({ facts }: Case, kept: readonly Kept[]): number {
  const isKept = ({ chunk, answer }: Case['facts'][number]) =>
    answer === undefined || kept.some(({ id, text }) => id === chunk && holdsAnswer(text, [answer]));
  return Number(facts.every(isKept));
}

/** F1 of the chunks that were returned. Returning nothing scores 0. */
export function f1(relevant: readonly string[], returned: readonly string[]): number {
  return (2 * hits(relevant, returned)) / (returned.length + relevant.length);
}

/** The share of relevant chunks among the first `k` that were returned. */
export function recallAt(k: number, relevant: readonly string[], returned: readonly string[]): number {
  return hits(relevant, returned.slice(0, k)) / relevant.length;
}

/** The normalised discounted cumulative gain of the first `k` that were returned. */
export function ndcgAt(k: number, relevant: readonly string[], returned: readonly string[]): number {
  const ids = new Set(relevant);
  let gained = 0;
  let ideal = 0;
  for (let place = 0; place < k; place++) {
    const gain = 1 / Math.log2(place + 2);
    if (ids.has(returned[place] ?? '')) gained += gain;
    if (place < ids.size) ideal += gain;
  }
  return gained / ideal;
}

function hits(relevant: readonly string[], returned: readonly string[]): number {
  const ids = new Set(returned);
  return relevant.filter((id) => ids.has(id)).length;
}

function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}
