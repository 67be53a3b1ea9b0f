/** Utility as the change that a passage causes in the model's answer: a magnitude, for better or worse. */
import { type KnownLogprobs, trajectoryDivergence } from '../math/divergence.js';
import type { Failed, ScoredToken } from '../ports.js';
import type { AskInput } from './answer.js';
import { allFailed, isFailed } from './service.js';
import type { Utilities, Utility } from './utility.js';

/**
 * Measures passages: the model answers greedily with the passage, and then scores the same tokens without it. Utility is
 * the divergence along that path (a lower bound of it, see math/divergence), less the length penalty.
 *
 * @throws ContextShapingError `service`, if no passage can be measured.
 */
export async function utilitiesByTrajectory(
  { model, service, prompt, question, context, passages, lengthPenalty }: AskInput,
  { horizon, topLogprobs }: { horizon: number; topLogprobs: number },
): Promise<Utilities> {
  const paths = await service.generate(
    model,
    passages.map(({ text }) => ({
      prompt: prompt({ context: [...context, text], question }),
      maxTokens: horizon,
      stop: ['\n'],
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
  const byPassage = passages.map(({ penalised }, at): Utility | undefined => {
    const path = paths[at] as (typeof paths)[number];
    const other = isFailed(path) ? path : (byText.get(path.text) ?? SILENT);
    if (isFailed(path) || isFailed(other)) {
      failures.push((other as Failed).failure);
      return undefined;
    }
    const steps = commonSteps(path.tokens, other.tokens);
    if (steps.length === 0) {
      failures.push('The service splits the same text into different tokens with and without the passage.');
      return undefined;
    }
    return { utility: trajectoryDivergence(steps) - lengthPenalty * penalised, exact: false };
  });
  if (byPassage.every((each) => each === undefined))
    throw allFailed(failures.map((failure) => ({ failure })));
  return { byPassage, rounds: 1, failures };
}

const SILENT: Failed = { failure: 'The model returned no text for the passage.' };

/** Returns the steps of the path up to the first token that differs between both sides. */
function commonSteps(
  taken: readonly ScoredToken[],
  scored: readonly ScoredToken[],
): { p: KnownLogprobs; q: KnownLogprobs }[] {
  const steps: { p: KnownLogprobs; q: KnownLogprobs }[] = [];
  for (const [place, token] of taken.entries()) {
    const other = scored[place];
    if (other === undefined || token.text !== other.text) break;
    // Token ids are compared only if all tokens of this step have one. Otherwise texts are compared.
    const byId = [token, ...(token.top ?? []), other, ...(other.top ?? [])].every(
      ({ id }) => id !== undefined,
    );
    steps.push({ p: knownAt(token, byId), q: knownAt(other, byId) });
  }
  return steps;
}

function knownAt(token: ScoredToken, byId: boolean): KnownLogprobs {
  const all = [...(token.top ?? []), token];
  return new Map(all.map(({ id, text, logprob }) => [byId ? (id as number) : text, logprob]));
}
