/** Questions with a conversation before them that is about something else. */
import type { Case } from './case.js';
import { inOneCollection } from './collections.js';

/** The characters of a passage that are taken for an answer. */
const ANSWER = 400;
const EARLIER = 2;

/**
 * Each question after two others of the set, with the beginning of the passages that answer these. The passages of all three
 * questions are its pool.
 *
 * @param cases with a pool for each question, as many as there are exchanges before it and one more at least.
 */
export function afterOthers(cases: readonly Case[]): Case[] {
  return cases.map((each, at) => {
    const others = Array.from(
      { length: EARLIER },
      (_, before) => cases[(at + cases.length - EARLIER + before) % cases.length] as Case,
    );
    const [own] = inOneCollection([each, ...others]) as [Case];
    const history = others.flatMap(
      ({ question, chunks, relevant }) =>
        [
          { role: 'user', text: question },
          {
            role: 'assistant',
            text: chunks.find(({ id }) => id === relevant[0])?.text.slice(0, ANSWER) ?? '',
          },
        ] as const,
    );
    return { ...own, history };
  });
}

/** Each question after the conversation before another question of the same category. */
export function afterAnother(cases: readonly Case[]): Case[] {
  return cases.map((each) => {
    const same = cases.filter(({ category }) => category === each.category);
    const { history = [] } = same[(same.indexOf(each) + (same.length >> 1)) % same.length] as Case;
    return { ...each, history };
  });
}
