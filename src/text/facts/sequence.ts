/**
 * Decides whether two texts with the same facts make the same statement: with the same words, in the same order. No list
 * contains every pair of words that must not replace each other ("aspirin" and "heparin"), every word that turns a
 * statement round ("only", "nur", "solo"), or every phrase that says something else in another place. So each word and its
 * place count, in any language, except for the words and forms that {@link sequenceOf} names.
 */

import type { Facts, Item } from './reader.js';
import { isEnglish, mergedForm } from './statement-words.js';
import { setOf } from './word-lists.js';

/**
 * Returns the facts, the stems and the signs of a text in order. Texts with another sequence never merge. The following
 * makes no difference:
 *
 * - the articles of English, commas, and the words that {@link mergedForm} drops or joins;
 * - "be" before a participle: "is playing", "plays". Elsewhere it turns the deed round: "was sued", "sued";
 * - a preposition before a date: "on Tuesday";
 * - "to" between numbers. Its sign tells a span from a list: "6-12", "6, 12".
 */
export function sequenceOf({ items, signs }: Facts): string {
  const english = new Set(items.flatMap(({ word, sentence }) => (isEnglish(word) ? [sentence] : [])));
  const kept = items.filter((item, at) => formOf(item) !== '' && !isArticle(items, at, english));
  const keys: string[] = [];
  for (const [at, item] of kept.entries()) {
    const next = kept[at + 1];
    const last = keys.at(-1) ?? '';
    // "It's red", "Ann's dog".
    const form = item.key === "'s" && SUBJECTS.has(last) ? 'be' : formOf(item);
    if (form === 'be' && (last === 'be' || next?.word?.folded.endsWith('ing'))) continue;
    if (next?.kind === 'date' && DATE_PREPOSITIONS.has(form)) continue;
    if (form === 'to' && next?.kind === 'number' && kept[at - 1]?.kind === 'number') continue;
    keys.push(form);
  }
  return `${keys.join(' ').replaceAll('pleas note that ', '')}\n${signs}`;
}

const SUBJECTS = setOf('it he she that there here what');
const DATE_PREPOSITIONS = setOf('on in at');

const formOf = ({ key, word }: Item): string =>
  key === ',' ? '' : ((word && mergedForm(word.folded)) ?? key);

/**
 * Returns whether an item is an article. A capital inside a sentence is a name ("hepatitis A"). Before a name the word may be
 * a preposition of another language ("Ana llamó a Luis", "er verkauft an Anna").
 *
 * @param english the sentences that are English beyond doubt.
 */
function isArticle(items: readonly Item[], at: number, english: ReadonlySet<number>): boolean {
  const { word, sentence } = items[at] as Item;
  if (word === undefined || !ARTICLES.has(word.folded)) return false;
  const [before, after] = [items[at - 1], items[at + 1]];
  const beside = before?.word ?? after?.word;
  if (word.raw === 'A' && before?.sentence === sentence && beside?.isAcronym === false) return false;
  return english.has(sentence) || after?.word?.isCapital !== true || after.word.isAcronym;
}

const ARTICLES = setOf('a an the');
