/** Words that do not count, or count otherwise, where statements are compared. All are stems. */
import { lazily, lazyRegExp } from '../../runtime/lazily.js';
import { stem } from '../stem.js';
import { list, setOf } from './word-lists.js';

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
`);

/** Returns whether the key is the stem of a word without substance. */
export const isGlue = (key: string): boolean => GLUE().has(key);
/** Chinese words that replace each other without a change of meaning. */
// Unchecked prose: a list of words.
const HAN_GLUE = setOf(`
曾经 曾 后来 但是 然而 不过 因为 由于 所以 因此 以及 并且 而且 同时 其中 进行 开展 使用 采用 大约 大概 左右 目前 现在 之后 以后 之前 以前 下降 降低 通过 根据 按照
对于 关于 为了 虽然 尽管 这个 那个 这些 那些 该 此 其 是 为 在 于 和 与 及 而 从 自 将 也 都 就 还 又 约
`);
/** Returns whether the key only holds a sentence of Chinese or Japanese together. */
export const isParticle = (key: string): boolean =>
  key.length <= 2 && (HAN_GLUE.has(key) || PARTICLE().test(key));
const PARTICLE = lazyRegExp(String.raw`^(?:[的了着过地得之所]|\p{sc=Hiragana}{1,2})$`, 'u');
// Unchecked prose: lists of words.
const REPETITIONS = setOf('again anoth anew wieder erneut encor nuevament novament');
const LABELS = setOf(`
step note room chapter figur tabl section page line level no number question part articl paragraph appendix version exampl
exercis volum episod season round day week phase stage item option group class grade unit lot gate platform rout bus flight
highwai error code rule
`);
/** Returns whether a stem tells of one more time: it is another event. */
export const isRepetition = (key: string): boolean => REPETITIONS.has(key);
/** Returns whether a number beside a stem names something: `Room 101`. */
export const isLabelWord = (key: string): boolean => LABELS.has(key);
export const isCondition = (key: string): boolean => CONDITIONS().has(key);
