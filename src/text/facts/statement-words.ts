/** Words that do not count, or count otherwise, where statements are compared. All are stems. */
import { lazily } from '../../runtime/lazily.js';
import { stem } from '../stem.js';
import type { Word } from './word.js';
import { aliases, list, setOf } from './word-lists.js';

const stems = (words: string): (() => ReadonlySet<string>) => lazily(() => new Set(list(words).map(stem)));

/** Words without substance, in whichever text they are more frequent. */
// Unchecked prose: a list of words.
const GLUE = stems(`
a an the this that these those which who whom is are was were be been being am has have had having do does did
of to in on at by for from with into upon onto as and it its there then so
also please note indeed however moreover furthermore additionally , 's
`);
/** Words that change a claim, or the relation of its clauses, if one text has more of them. */
const CONDITIONS = stems(`
may might must should can could if unless except only until or but although though because whether
suspected alleged possibly probably perhaps maybe likely almost nearly
formerly initially previously originally reportedly allegedly supposedly purportedly claimed hypothetically
potentially partly partially few some most placebo mock draft proposed planned expected attempted failed
false untrue incorrect wrong wrongly inaccurate misleading fake hoax myth lie fabricated fraud fraudulent debunked
disputed contested retracted withdrawn corrected superseded obsolete outdated deprecated rumour rumor satire fiction invented
falsch gelogen falso falsa faux fausse mensonge mentira onwaar falsk nieprawda fałsz ложь ложно неправда yalan
假 假的 虚假 谎言 嘘 虚偽 거짓 거짓이다 كاذب كذب שקר झूठ
`);
/** Words that do not count for the order: they are optional, or join equal parts. */
const UNORDERED = stems('a an the and');

/** Returns whether the key is the stem of a word without substance. */
export const isGlue = (key: string): boolean => GLUE().has(key);
export const isCondition = (key: string): boolean => CONDITIONS().has(key);
export const isUnordered = (key: string): boolean => UNORDERED().has(key);

/** Words that do not count where texts are merged, and words that count as one. None of them can turn a statement round. */
// Unchecked prose: a list of words.
const MERGED = aliases(`
- also indeed however moreover furthermore additionally has have had having do does did
be is are was were been being am, that which who whom
`);
/** Returns the form of a folded word for merging: '' if the word does not count, `undefined` for most words. */
export const mergedForm = (word: string): string | undefined => {
  const form = MERGED.get(word);
  return form === '-' ? '' : form;
};

const ENGLISH = setOf('the of and to is');
/** Returns whether a word shows that its sentence is English, so that "a" and "an" are articles. */
export const isEnglish = (word: Word | undefined): boolean => word !== undefined && ENGLISH.has(word.folded);
