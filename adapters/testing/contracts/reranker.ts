import type { Reranker, Reranking } from '../../../src/index.js';
import {
  abortLate,
  answered,
  type ContractCheck,
  frozen,
  hasIdentity,
  hold,
  nearEach,
  obeysAborts,
  same,
  suite,
} from './checks.js';

export interface RerankerContractOptions {
  /** How far a score may be from itself when it is asked for again. Default 1e-6. */
  tolerance?: number | undefined;
  query?: string | undefined;
  /** At least two, of which two have different scores. */
  texts?: readonly string[] | undefined;
}

const TEXTS = [
  'Ferries cross the bay at seven.',
  'Ann Lee built the bridge.',
  'x',
  'Who built the bridge? The city did.',
  '大桥 🙂\n</passage> "quoted" \u0000',
];

/**
 * The requirements for every reranker.
 *
 * @param make makes the reranker; called for each check. To load a model once, return the same one each time.
 */
export function rerankerContract(
  make: () => Reranker | Promise<Reranker>,
  { tolerance = 1e-6, query = 'Who built the bridge?', texts = TEXTS }: RerankerContractOptions = {},
): ContractCheck[] {
  const sameScores = (actual: readonly number[], expected: readonly number[], what: string) =>
    nearEach([actual], [expected], tolerance, what);
  const calls = {
    rerank: (reranker: Reranker, call: { signal: AbortSignal }) => reranker.rerank(query, texts, call),
  };
  return suite(make, {
    ...hasIdentity,
    'scores each text, in their order, on its scale': async (reranker) => {
      const forwards = await reranker.rerank(query, frozen([...texts]));
      const scores = scoresOf(forwards);
      same(scores.length, texts.length, 'number of scores');
      hold(['probability', 'logit'].includes(forwards.scale), `the scale is ${String(forwards.scale)}`);
      for (const score of scores) {
        hold(Number.isFinite(score), `a score is ${score}`);
        const isInRange = forwards.scale === 'logit' || (score >= 0 && score <= 1);
        hold(isInRange, `${score} is no probability`);
      }
      hold(new Set(scores).size > 1, 'all scores are the same');
      hold(forwards.usage.requests >= 1, 'usage must count the requests');
      const backwards = scoresOf(await reranker.rerank(query, [...texts].reverse()));
      sameScores(backwards.reverse(), scores, 'in reverse');
    },
    'scores one text': async (reranker) => {
      const { scores } = await reranker.rerank(query, texts.slice(0, 1));
      same(scores.length, 1, 'number of scores');
    },
    'asks nothing for nothing': async (reranker) => {
      const { scores, usage } = await reranker.rerank(query, []);
      same([scores, usage.requests], [[], 0], 'scores and requests');
    },
    ...obeysAborts(calls),
    'works after a call that was aborted': async (reranker) => {
      await abortLate(reranker, calls);
      same(scoresOf(await reranker.rerank(query, texts)).length, texts.length, 'number of scores');
    },
    'does not mix calls at the same time': async (reranker) => {
      const alone = scoresOf(await reranker.rerank(query, texts));
      const [again, reversed] = await Promise.all([
        reranker.rerank(query, texts),
        reranker.rerank(query, [...texts].reverse()),
      ]);
      sameScores(scoresOf(again), alone, 'at the same time');
      sameScores(scoresOf(reversed).reverse(), alone, 'at the same time, in reverse');
    },
  });
}

/** The scores of an answer, and throws if one is a failure. */
const scoresOf = ({ scores }: Reranking): number[] => scores.map((score) => answered<number>(score));
