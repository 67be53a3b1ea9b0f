import type { Failed, Judge, Judgement, Reranker } from '../../src/index.js';
import { defined, groupBy, messageOf, rethrowControlFlow } from '../../src/internal.js';
import { checkMethods, concurrently, probabilitiesIn, UsageCounter } from '../model-calls/index.js';

/** Questions that are asked at the same time. The stage asks one; other callers may ask several. */
const AT_ONCE = 4;

/**
 * A reranker as a judge, for `ecs: { judge: rerankJudge(reranker) }`. The passages of one question are one call. With an
 * answer, the query is the question and the answer, with a space between them. A score of the scale `logit` becomes a
 * probability by the logistic function.
 *
 * `ecs` lets it change the ranking if its profile shows that it ranks better than relevance on labelled questions, or
 * with `trust: 'always'`. Its identity begins with `reranker:`.
 *
 * If the call for a question fails, the passages of that question fail. If all calls fail, the first error is thrown.
 *
 * @throws ContextShapingError `invalid-options`, if `reranker` has no method `rerank`; when judging `service`, if the
 *   answers do not have the form of the port.
 */
export function rerankJudge(reranker: Reranker): Judge {
  checkMethods('reranker', reranker, ['rerank', 'identify'], 'Give a Reranker, such as httpReranker(…).');
  const { provider, modelId } = reranker;
  return {
    specificationVersion: 'v1',
    ...defined({ provider, modelId }),
    async identify(call) {
      return `reranker:${await reranker.identify(call)}`;
    },

    async judge(requests, { signal } = {}) {
      const results = new Array<Judgement | Failed>(requests.length);
      const cost = new UsageCounter({ countsCached: true });
      const errors: unknown[] = [];
      let sent = 0;
      const queries = groupBy(requests.keys(), (place) =>
        queryOf(requests[place] as (typeof requests)[number]),
      );
      await concurrently([...queries], AT_ONCE, signal, async ([query, places], stop) => {
        const texts = places.map((place) => requests[place]?.passage as string);
        let found: readonly (number | Failed)[];
        try {
          const answer = await reranker.rerank(query, Object.freeze(texts), { signal: stop });
          found = probabilitiesIn(answer, texts.length);
          sent += answer.usage?.requests ?? 1;
          cost.add({ tokens: answer.usage?.tokens, cachedTokens: answer.usage?.cachedTokens });
        } catch (error) {
          rethrowControlFlow(error, stop);
          errors.push(error);
          found = texts.map(() => ({ failure: messageOf(error) }));
        }
        for (const [nth, place] of places.entries()) {
          const each = found[nth] as number | Failed;
          results[place] = typeof each === 'number' ? { yes: each } : each;
        }
      });
      if (errors.length > 0 && errors.length === queries.size) throw errors[0];
      return { results, usage: cost.usage(sent) };
    },
  };
}

const queryOf = ({ question, answer }: { question: string; answer?: string | undefined }) =>
  answer === undefined ? question : `${question} ${answer}`;
