/**
 * Passages that say the same for the same reason: they have the same words of the question, and beyond those the same
 * words. A thousand copies of a claim, each in words of its own, are one claim: in a group only the best takes one of
 * the `k` places while there is something else to take them.
 *
 *   reason(p)  = the question's words in p
 *   says(p)    = its other words, but for function words and those of its title
 *   a ~ b      ⇔ both have half of the question, and so much of it among their words that they were written to answer
 *                it, |reason(a) ∩ reason(b)| / |reason(a) ∪ reason(b)| ≥ .5 and
 *                |says(a) ∩ says(b)| / √(|says(a)| |says(b)|) ≥ .2
 *
 * Passages are visited best first. One joins the first group in which at least half are like it.
 *
 * Source: the thresholds were chosen on passages that were written to push one answer (PoisonedRAG's for HotpotQA and
 * MS MARCO, where 60 % of the pairs are alike) and on passages of Natural Questions, HotpotQA and MuSiQue that answer a
 * question beside others of its pool (.2 to 1.3 %). It is evidence of no more than that they say the same: so do
 * honest sources that agree.
 */
import { FUNCTION_STEMS } from '../text/function-words.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { Passage, Question } from './passage.js';

const LEAST_OF_QUESTION = 0.5;
/**
 * Of its words of substance, so many are the question's: what was written to answer this question. Passages of articles
 * have .03 to .1, those of PoisonedRAG .2 to .4; without this bound groups cost MTRAG-UN six points of recall.
 */
const LEAST_SHARE = 0.12;
const SAME_REASON = 0.5;
const SAME_CLAIM = 0.2;
/** The best so many of those that have half of the question: each is compared with each. */
const MOST_COMPARED = 64;
/** Fewer other words say nothing of what a passage claims. */
const LEAST_WORDS = 3;
/** Two that say the same are a passage and its confirmation. */
const LEAST_MEMBERS = 3;
/** What a group says is told in so many words. */
const MOST_TOLD = 8;

interface Claim {
  readonly place: number;
  readonly namespace: string | undefined;
  readonly reason: ReadonlySet<number>;
  readonly says: ReadonlySet<number>;
}

/** Passages that say the same, by place, best first: at least three. */
export interface SupportGroup {
  readonly places: readonly number[];
  /** Stems that at least half of them say beyond the question, those of most first, then by the alphabet. */
  readonly says: readonly string[];
  /** Has each another title? Then they say the same of different things, as entries of a register do. */
  readonly areEntries: boolean;
}

/**
 * @param line places of passages, best first.
 * @param mayJoin may the passages at two places be in one group? No where they contradict each other.
 * @returns in the order of their best.
 */
export function supportGroups(
  question: Question,
  passages: readonly Passage[],
  line: readonly number[],
  vocabulary: Vocabulary,
  mayJoin: (a: number, b: number) => boolean,
): SupportGroup[] {
  const asked = new Set(question.terms);
  const groups: Claim[][] = [];
  let compared = 0;
  for (const place of line) {
    if (compared === MOST_COMPARED) break;
    const claim = claimOf(passages[place] as Passage, place, asked, question, vocabulary);
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

/** Nothing where the passage has less than half of the question, says nothing else, or much else. */
function claimOf(
  { terms, title, namespace }: Passage,
  place: number,
  asked: ReadonlySet<number>,
  question: Question,
  vocabulary: Vocabulary,
): Claim | undefined {
  const reason = new Set<number>();
  for (const term of terms) if (asked.has(term)) reason.add(term);
  if (reason.size < LEAST_OF_QUESTION * asked.size || reason.size === 0) return undefined;
  const named = new Set([...title, ...question.sequence]);
  const says = new Set<number>();
  for (const term of terms) {
    if (!asked.has(term) && !named.has(term) && !FUNCTION_STEMS().has(vocabulary.wordOf(term)))
      says.add(term);
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
