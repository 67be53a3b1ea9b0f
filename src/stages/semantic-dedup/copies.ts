/** Finds near-copies: texts with the same words, numbers and symbols in the same order. */
import { cosine } from '../../math/vectors.js';
import type { PipelineInput } from '../../pipeline.js';
import { haveVectors } from '../../pool/candidate.js';
import { byScore, type Comparison, pinnedFirst, trustedFirst } from '../../pool/ranking.js';
import { groupBy } from '../../runtime/group-by.js';
import { withoutEntities } from '../../text/entities.js';
import { casedIn, isSameCase, nearForm } from '../../text/facts/copy-form.js';
import { wordKinds } from '../../text/facts/kinds.js';
import { unitOf } from '../../text/facts/units.js';
import { hiddenIn } from '../../text/hidden/hidden.js';
import type { Lexicon } from '../../text/lexicon.js';
import { undivided } from '../../text/line-hyphens.js';
import { onceByWord, type Vocabulary } from '../../text/vocabulary.js';
import type { Candidate } from '../../types.js';

/** A candidate that goes, and the one that stays for it. */
export interface Copy {
  readonly candidate: Candidate;
  readonly staying: Candidate;
  /** The cosine distance; 0 without vectors. */
  readonly distance: number;
}

/**
 * Returns the copies of each candidate that stays, best first: by trust, pin, no hidden characters, score, input order. A
 * pinned candidate always stays.
 *
 * @param maxDistance copies with vectors may not be farther apart.
 */
export function copiesIn(
  candidates: readonly Candidate[],
  maxDistance: number,
  { lexicon }: PipelineInput,
): { copies: Copy[]; measure: 'cosine' | 'lexical' } {
  const areVectors = haveVectors(candidates);
  const copies: Copy[] = [];
  const textOf = plainTexts(candidates);
  for (const group of alike(candidates, textOf, lexicon)) {
    const isHiding = new Map(
      group.map((each) => [each, Number(lexicon.found(each.text, hiddenIn).length > 0)] as const),
    );
    const plainFirst: Comparison = (a, b) =>
      (isHiding.get(a) as number) - (isHiding.get(b) as number) || byScore(a, b);
    const caseOf = (each: Candidate) => lexicon.found(textOf(each), casedIn);
    const distance = (one: Candidate, other: Candidate) => {
      if (!isSameCase(caseOf(one), caseOf(other))) return Number.POSITIVE_INFINITY;
      return areVectors ? 1 - cosine(one.vector as Float32Array, other.vector as Float32Array) : 0;
    };
    // Each copy is close to all of its group, so that no chain forms.
    const groups: [Candidate, ...Candidate[]][] = [];
    for (const candidate of group.toSorted(trustedFirst(pinnedFirst(plainFirst)))) {
      const near = groups
        .filter((members) =>
          members.slice(0, MOST_COMPARED).every((each) => distance(candidate, each) <= maxDistance),
        )
        .map((members) => ({ members, distance: distance(candidate, members[0]) }))
        .sort((one, other) => one.distance - other.distance)[0];
      if (near === undefined || candidate.pinned) groups.push([candidate]);
      else {
        near.members.push(candidate);
        copies.push({ candidate, staying: near.members[0], distance: near.distance });
      }
    }
  }
  return { copies, measure: areVectors ? 'cosine' : 'lexical' };
}

/** Gives the text of a candidate without character references and divided words. */
function plainTexts(candidates: readonly Candidate[]): (candidate: Candidate) => string {
  const texts = candidates.map(({ text }) => withoutEntities(text));
  const whole = undivided(texts);
  const plain = new Map(candidates.map((each, place) => [each, whole(texts[place] as string)]));
  return (candidate) => plain.get(candidate) as string;
}

/** Returns the groups of several candidates of one namespace with one sequence. */
function alike(
  candidates: readonly Candidate[],
  textOf: (candidate: Candidate) => string,
  lexicon: Lexicon,
): Candidate[][] {
  const markOf = lexicon.vocabulary.found(marks);
  const several = (groups: Iterable<Candidate[]>) => [...groups].filter(({ length }) => length > 1);
  const near = several(
    groupBy(candidates, (each) => `${markOf(lexicon.words(textOf(each)))} ${each.namespace}`).values(),
  );
  return near.flatMap((group) =>
    several(groupBy(group, (each) => lexicon.found(textOf(each), nearForm)).values()),
  );
}

/** A copy is compared with at most so many of its group. */
const MOST_COMPARED = 16;
/** How stems begin is equal in all spellings of one sequence, but for words that are numbers, units or glue. */
const BEGINNING = 2;

/** Gives a text a mark: the sum of a number for each of its words. Texts with one sequence have one mark. */
function marks(vocabulary: Vocabulary): (words: Int32Array) => number {
  const kindOf = vocabulary.found(wordKinds);
  const numberOf = onceByWord((id) => {
    const word = vocabulary.wordOf(id);
    if (word.length <= 2 || kindOf(id) !== 'word' || unitOf(word) !== undefined) return 0;
    let hash = 0;
    for (const letter of vocabulary.wordOf(vocabulary.stemOf(id)).slice(0, BEGINNING))
      hash = (Math.imul(hash, 31) + (letter.codePointAt(0) as number)) | 0;
    return Math.imul(hash, 0x9e3779b1);
  });
  return (words) => words.reduce((sum, id) => (sum + numberOf(id)) | 0, 0);
}
