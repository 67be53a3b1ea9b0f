/**
 * Finds groups of passages that say the same with the same words of the question. A thousand copies of a claim, each
 * worded differently, are one claim: only the best passage of a group takes one of the `k` places, as long as passages
 * outside the group are left.
 *
 *   reason(p)  = the question's words in p
 *   says(p)    = its other words, without function words and the words of its title
 *   a ~ b      ⇔ both have at least half of the question's words, in both reason is at least .12 of reason and says,
 *                |reason(a) ∩ reason(b)| / |reason(a) ∪ reason(b)| ≥ .5 and
 *                |says(a) ∩ says(b)| / √(|says(a)| |says(b)|) ≥ .2
 *
 * Passages are visited best first. Each joins the first group in which at least half of the members are like it.
 *
 * Source: the thresholds were chosen on passages that were written to push one answer (PoisonedRAG's for HotpotQA and
 * MS MARCO, where 60 % of the pairs are alike). They were also chosen on passages of Natural Questions, HotpotQA and
 * MuSiQue that answer a question, compared with others of the same pool (.2 to 1.3 %). A group is evidence only that
 * its passages say the same, as honest sources that agree do, too.
 */
import { FUNCTION_STEMS } from '../text/function-words.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { Passage, Question } from './passage.js';

const LEAST_OF_QUESTION = 0.5;
/**
 * The least share of the question's words among a passage's words of substance. A greater share shows that the passage
 * was written to answer this question. Passages of articles have .03 to .1, those of PoisonedRAG .2 to .4. Without this
 * bound, groups cost MTRAG-UN six points of recall.
 */
const LEAST_SHARE = 0.12;
const SAME_REASON = 0.5;
const SAME_CLAIM = 0.2;
/** Greatest number of claims, those of the best passages, that are compared with each other. */
const MOST_COMPARED = 64;
/** With fewer other words, the claim of a passage is not known. */
const LEAST_WORDS = 3;
/** Two passages that say the same may be a passage and its confirmation. */
const LEAST_MEMBERS = 3;
/** Greatest number of stems in `says`. */
const MOST_TOLD = 8;

interface Claim {
  readonly place: number;
  readonly namespace: string | undefined;
  readonly reason: ReadonlySet<number>;
  readonly says: ReadonlySet<number>;
}

/** At least three passages that say the same, as indices, best first. */
export interface SupportGroup {
  readonly places: readonly number[];
  /** Stems that at least half of the passages contain and the question does not. Most frequent first, then alphabetical. */
  readonly says: readonly string[];
  /** True if all have different titles. They then say the same of different subjects, as entries of a register do. */
  readonly areEntries: boolean;
}

/**
 * Groups passages that say the same.
 *
 * @param line indices of passages, best first.
 * @param mayJoin returns whether the passages at two indices may be in one group: false if they contradict each other.
 * @returns groups of at least three passages, in the order of their best passages.
 */
export function supportGroups(
  question: Question,
  passages: readonly Passage[],
  line: readonly number[],
  vocabulary: Vocabulary,
  mayJoin: (a: number, b: number) => boolean,
): SupportGroup[] {
  const kinds = kindsOfTerms(question, vocabulary);
  const groups: Claim[][] = [];
  let compared = 0;
  for (const place of line) {
    if (compared === MOST_COMPARED) break;
    const claim = claimOf(passages[place] as Passage, place, question, kinds);
    if (claim === undefined) continue;
    compared++;
    const group = groups.find((members) => {
      const like = members.filter((each) => areAlike(each, claim) && mayJoin(each.place, place));
      return 2 * like.length >= members.length;
    });
    if (group === undefined) groups.push([claim]);
    else group.push(claim);
  }
  return groups
    .filter(({ length }) => length >= LEAST_MEMBERS)
    .map((members) => {
      const places = members.map(({ place }) => place);
      const titles = new Set(places.map((place) => passages[place]?.title.join(' ')));
      return {
        places,
        says: saidBy(members, vocabulary),
        areEntries: titles.size === places.length && !titles.has(''),
      };
    });
}

/** Kinds of terms: words of the question that name its subject, and words that say nothing beyond the question. */
const ASKED = 1;
const EMPTY = 2;

/** The kind of each term of the vocabulary; 0 for most. */
function kindsOfTerms(question: Question, vocabulary: Vocabulary): Uint8Array {
  const empty = Array.from(FUNCTION_STEMS(), (stem) => vocabulary.idOf(stem));
  const kinds = new Uint8Array(vocabulary.size);
  for (const term of empty) kinds[term] = EMPTY;
  for (const term of question.sequence) kinds[term] = EMPTY;
  for (const term of question.terms) kinds[term] = ASKED;
  return kinds;
}

/**
 * Returns the claim of a passage. It is undefined if the passage has less than half of the question's words, too few
 * other words, or too many.
 */
function claimOf(
  { terms, title, namespace }: Passage,
  place: number,
  question: Question,
  kinds: Uint8Array,
): Claim | undefined {
  const reason = new Set<number>();
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as number;
    if (kinds[term] === ASKED) reason.add(term);
  }
  if (reason.size < LEAST_OF_QUESTION * question.terms.length || reason.size === 0) return undefined;
  const says = new Set<number>();
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as number;
    if (kinds[term] === 0 && !title.includes(term)) says.add(term);
  }
  const isMeant = reason.size >= LEAST_SHARE * (reason.size + says.size);
  return says.size < LEAST_WORDS || !isMeant ? undefined : { place, namespace, reason, says };
}

function areAlike(a: Claim, b: Claim): boolean {
  if (a.namespace !== b.namespace) return false;
  const reasons = shared(a.reason, b.reason);
  if (reasons < SAME_REASON * (a.reason.size + b.reason.size - reasons)) return false;
  return shared(a.says, b.says) >= SAME_CLAIM * Math.sqrt(a.says.size * b.says.size);
}

function shared(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let both = 0;
  for (const term of few) if (many.has(term)) both++;
  return both;
}

function saidBy(members: readonly Claim[], vocabulary: Vocabulary): string[] {
  const times = new Map<number, number>();
  for (const { says } of members) for (const term of says) times.set(term, (times.get(term) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => 2 * count >= members.length && count > 1)
    .map(([term, count]) => ({ word: vocabulary.wordOf(term), count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_TOLD)
    .map(({ word }) => word);
}
