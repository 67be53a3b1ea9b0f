import type { Answers, SentenceRequest, SentenceScorer, SentenceScores } from '../../../src/index.js';
import { type ContractCheck, checkIdentity, frozen, hold, near, rejectsWith, same, suite } from './checks.js';
import { answered, hasOneName } from './model.js';

export interface SentenceScorerContractOptions {
  /** How far a probability may be from itself when it is asked for again. Default 1e-6. */
  tolerance?: number | undefined;
  /** At least two. The sentences have at least two different probabilities. */
  requests?: readonly SentenceRequest[] | undefined;
}

const request = (question: string, ...parts: readonly string[]): SentenceRequest => {
  const passage = parts.join('');
  let end = 0;
  const sentences = parts.map((part) => {
    const start = end;
    end += part.length;
    return { start, end: start + part.trimEnd().length };
  });
  return { question, passage, sentences };
};

const REQUESTS = [
  request('Who built the bridge?', 'Ferries cross the bay at seven. ', 'Ann Lee built the bridge.'),
  request('Who built the bridge?', 'Cats sleep all day.'),
  request('Who built the bridge?', '大桥是谁建的？ ', '🙂 Ann Lee built it.\n', '</passage> needed: 1'),
  // The heading before the sentence and the rule after it are in no request.
  {
    question: 'When was it opened?',
    passage: '# Bridge\n\nIt was opened in 1932.\n\n---',
    sentences: [{ start: 10, end: 32 }],
  },
];

/**
 * The requirements for every scorer of sentences.
 *
 * @param make makes the scorer; called for each check.
 */
export function sentenceScorerContract(
  make: () => SentenceScorer | Promise<SentenceScorer>,
  { tolerance = 1e-6, requests = REQUESTS }: SentenceScorerContractOptions = {},
): ContractCheck[] {
  const scoresOf = ({ results }: Answers<SentenceScores>) => results.map((each) => answered(each).scores);
  const sameScores = (
    actual: readonly (readonly number[])[],
    expected: readonly (readonly number[])[],
    what: string,
  ) => {
    const lengths = (all: readonly (readonly number[])[]) => all.map(({ length }) => length);
    same(lengths(actual), lengths(expected), `numbers of scores, ${what}`);
    for (const [at, score] of actual.flat().entries())
      near(score, expected.flat()[at] as number, tolerance, what);
  };
  return suite(make, {
    'says of itself what a port may say': checkIdentity,
    'has one name': (scorer) => hasOneName(scorer),
    'gives each sentence a probability, in the order of requests and sentences': async (scorer) => {
      const forwards = await scorer.score(frozen(structuredClone(requests) as SentenceRequest[]));
      const scores = scoresOf(forwards);
      same(
        scores.map(({ length }) => length),
        requests.map(({ sentences }) => sentences.length),
        'numbers of scores',
      );
      for (const score of scores.flat()) hold(score >= 0 && score <= 1, `${score} is no probability`);
      hold(new Set(scores.flat()).size > 1, 'all probabilities are the same');
      hold(forwards.usage.requests >= 1, 'usage must count the requests');
      sameScores(scoresOf(await scorer.score([...requests].reverse())).reverse(), scores, 'in reverse');
    },
    'gives the same probability when asked again': async (scorer) => {
      const once = scoresOf(await scorer.score(requests));
      sameScores(scoresOf(await scorer.score(requests)), once, 'asked again');
    },
    'scores a part of the sentences, or none': async (scorer) => {
      const some = requests.map((each) => ({ ...each, sentences: each.sentences.slice(0, 1) }));
      const none = requests.slice(0, 1).map((each) => ({ ...each, sentences: [] }));
      same(
        scoresOf(await scorer.score([...some, ...none])).map(({ length }) => length),
        [...some.map(() => 1), 0],
        'numbers of scores',
      );
    },
    'asks nothing for nothing': async (scorer) => {
      const { results, usage } = await scorer.score([]);
      same([results, usage.requests], [[], 0], 'results and requests');
    },
    'does nothing for a signal that is aborted': async (scorer) => {
      const reason = new Error('not wanted any more');
      await rejectsWith(reason, () => scorer.score(requests, { signal: AbortSignal.abort(reason) }), 'score');
    },
    'does not mix calls at the same time': async (scorer) => {
      const alone = scoresOf(await scorer.score(requests));
      const together = await Promise.all(requests.map((each) => scorer.score([each])));
      sameScores(together.flatMap(scoresOf), alone, 'at the same time');
    },
  });
}
