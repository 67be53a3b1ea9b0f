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
 *   said(g)      = words that at least half of the passages of group g have in says
 *   is own(w)    ⇔ of the rest of the pool, at most max(2, a tenth) of the passages have w
 *   dependent(g) ⇔ at least half of said(g) is own, the passages of g have .6 of the question's words on average, and not
 *                  all of them have different titles
 *
 * The rest of the pool is the passages with less than half of the question's words, or with too small a share of them.
 * Chapters of one manual, turns of one conversation and notes of one report share many words, but the rest of the pool
 * has these, too. Passages with different titles say the same of different subjects, as entries of a register do.
 *
 * Source: the thresholds were chosen on passages that were written to push one answer (PoisonedRAG's for HotpotQA and
 * MS MARCO, where 60 % of the pairs are alike). They were also chosen on passages of Natural Questions, HotpotQA and
 * MuSiQue that answer a question, compared with others of the same pool (.2 to 1.3 %). A group is evidence only that
 * its passages say the same, as honest sources that agree do, too. Dependent groups have 97 to 100 % of PoisonedRAG's
 * passages in groups in pools of 20 chunks, and 85 to 98 % in pools of 40 to 100. They have a quarter of the clean passages
 * in groups in LongMemEval, none in READMEs, and a twentieth to a third in reports of TAT-QA.
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
/** At most this share of the rest of the pool has an own word of a group. */
const MOST_OF_REST = 0.1;
/** So many passages of the rest may always have it: the truth about the subject, and one more. */
const MOST_OTHERS = 2;
const LEAST_OWN = 0.5;
/** Passages of a dependent group have at least this share of the question's words, on average. */
const LEAST_MATCHED = 0.6;

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
  /** Whether they answer the question in words that the rest of the pool does not have, as copies of one claim do. */
  readonly isDependent: boolean;
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
  const rest: Passage[] = [];
  let compared = 0;
  for (const place of line) {
    const passage = passages[place] as Passage;
    const claim = claimOf(passage, place, question, kinds);
    if (claim === undefined) rest.push(passage);
    if (claim === undefined || compared === MOST_COMPARED) continue;
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
      const said = saidBy(members);
      const titles = new Set(places.map((place) => passages[place]?.title.join(' ')));
      const areEntries = titles.size === places.length && !titles.has('');
      const matched = members.reduce((sum, { reason }) => sum + reason.size, 0);
      const isMeant = matched >= LEAST_MATCHED * members.length * question.terms.length;
      const others = rest.filter(({ namespace }) => namespace === members[0]?.namespace);
      return {
        places,
        says: toldOf(said, vocabulary),
        isDependent: isMeant && !areEntries && areOwn([...said.keys()], others, vocabulary),
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

/** The words that at least half of the members have, and two of them, with the number of these members. */
function saidBy(members: readonly Claim[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const { says } of members) for (const term of says) times.set(term, (times.get(term) ?? 0) + 1);
  return new Map([...times].filter(([, count]) => 2 * count >= members.length && count > 1));
}

function toldOf(said: ReadonlyMap<number, number>, vocabulary: Vocabulary): string[] {
  return [...said]
    .map(([term, count]) => ({ word: vocabulary.wordOf(term), count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_TOLD)
    .map(({ word }) => word);
}

/** Returns whether at least half of the words are rare in the rest of the pool. */
function areOwn(words: readonly number[], rest: readonly Passage[], vocabulary: Vocabulary): boolean {
  const most = Math.max(MOST_OTHERS, MOST_OF_REST * rest.length);
  /** By word: the number of the last passage that has it, from 1; −1 before the first, and 0 for all other words. */
  const last = new Int32Array(vocabulary.size);
  const passages = new Map(words.map((word) => [word, 0]));
  for (const word of words) last[word] = -1;
  for (const [at, { terms }] of rest.entries()) {
    for (let place = 0; place < terms.length; place++) {
      const term = terms[place] as number;
      if (last[term] === 0 || last[term] === at + 1) continue;
      last[term] = at + 1;
      passages.set(term, (passages.get(term) as number) + 1);
    }
  }
  const own = words.filter((word) => (passages.get(word) as number) <= most);
  return own.length >= Math.max(1, LEAST_OWN * words.length);
}
