import type { Failed, Reranker, Reranking } from '../../../src/index.js';
import { type ContractCheck, checkIdentity, frozen, hold, near, rejectsWith, same, suite } from './checks.js';

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
  const sameScores = (actual: readonly number[], expected: readonly number[], what: string) => {
    same(actual.length, expected.length, `number of scores, ${what}`);
    for (const [place, score] of actual.entries()) near(score, expected[place] as number, tolerance, what);
  };
  return suite(make, {
    'says of itself what a port may say': checkIdentity,
    'has one name': async (reranker) => {
      const name = await reranker.identify();
      hold(typeof name === 'string' && name !== '', `the name is ${String(name)}`);
      same(await reranker.identify({}), name, 'name');
    },
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
    'does nothing for a signal that is aborted': async (reranker) => {
      const reason = new Error('not wanted any more');
      const signal = AbortSignal.abort(reason);
      await rejectsWith(reason, () => reranker.rerank(query, texts, { signal }), 'rerank');
    },
    'works after a call that was aborted': async (reranker) => {
      const reason = new Error('took too long');
      const controller = new AbortController();
      const outcome = reranker.rerank(query, texts, { signal: controller.signal }).then(
        () => undefined,
        (error: unknown) => hold(error === reason, `an aborted call rejects with ${String(error)}`),
      );
      controller.abort(reason);
      await outcome;
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
const scoresOf = ({ scores }: Reranking): number[] =>
  scores.map((score: number | Failed) => {
    if (typeof score === 'number') return score;
    throw new Error(`no score: ${score.failure}`);
  });
