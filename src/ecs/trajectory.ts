/** Utility by how far a passage moves what the model would say: a magnitude, whether for better or worse. */
import { type KnownLogprobs, trajectoryDivergence } from '../math/divergence.js';
import type { ScoredText, ScoredToken } from '../ports.js';
import type { BeliefInput, Utilities, Utility } from './belief.js';
import { allFailed, isFailed } from './service.js';

/**
 * The model answers greedily with the passage; then the same tokens are scored without it. Utility is the
 * divergence along that path (a lower bound of it, see math/divergence), less the length penalty.
 */
export async function utilitiesByTrajectory(
  input: BeliefInput,
  { horizon, topLogprobs }: { horizon: number; topLogprobs: number },
): Promise<Utilities> {
  const { model, service, prompt, question, context, passages, relevance, lengthPenalty } = input;
  const paths = await service.generate(
    model,
    passages.map(({ text }) => ({
      prompt: prompt({ context: [...context, text], question }),
      maxTokens: horizon,
    })),
    topLogprobs,
  );
  if (paths.every(isFailed)) throw allFailed(paths);
  const without = prompt({ context, question });
  const texts = [
    ...new Set(paths.flatMap((path) => (isFailed(path) || path.text === '' ? [] : [path.text]))),
  ];
  const requests = texts.map((continuation) => ({ prompt: without, continuation }));
  const scored = await service.score(model, requests, topLogprobs);
  const byText = new Map(texts.map((text, place) => [text, scored[place]]));

  const failures: string[] = [];
  const byChunk: (Utility | undefined)[] = relevance.map(() => undefined);
  for (const [place, path] of paths.entries()) {
    const other = isFailed(path) ? path : (byText.get(path.text) ?? NOTHING);
    if (isFailed(path) || isFailed(other)) {
      failures.push((other as { failure: string }).failure);
      continue;
    }
    const { chunk, tokens } = passages[place] as (typeof passages)[number];
    const steps = commonSteps(path.tokens, other.tokens);
    const utility = trajectoryDivergence(steps) - lengthPenalty * tokens;
    if (utility > (byChunk[chunk]?.utility ?? Number.NEGATIVE_INFINITY)) {
      byChunk[chunk] = { utility, exact: other.exact };
    }
  }
  if (byChunk.every((each) => each === undefined)) throw allFailed(failures.map((failure) => ({ failure })));
  return { byChunk, rounds: 1, failures };
}

/** Of a model that says nothing: nothing has moved. */
const NOTHING: ScoredText = { tokens: [], logprob: 0, exact: true };

/** As far as both read the path as the same tokens. */
function commonSteps(
  taken: readonly ScoredToken[],
  scored: readonly ScoredToken[],
): { p: KnownLogprobs; q: KnownLogprobs }[] {
  const steps: { p: KnownLogprobs; q: KnownLogprobs }[] = [];
  for (const [place, token] of taken.entries()) {
    const other = scored[place];
    if (other === undefined || keyOf(token) !== keyOf(other)) break;
    steps.push({ p: knownAt(token), q: knownAt(other) });
  }
  return steps;
}

const keyOf = ({ id, text }: { id?: number; text: string }) => id ?? text;

function knownAt(token: ScoredToken): KnownLogprobs {
  return new Map([...(token.top ?? []), token].map((each) => [keyOf(each), each.logprob]));
}
