/** From the tokens of a prompt with its continuation to the probability of the continuation. */

import type { Failed, ScoredText, ScoreRequest } from '../../../src/index.js';
import { continuationStart } from '../continuation-start.js';
import { isExact } from '../logprob.js';
import { continuationByText, type Standing } from './alignment.js';
import { told } from './answers.js';
import type { CompletionsServer, Echo, Errand } from './server.js';

/** How probable each continuation is; those whose tokens cannot be told, or have no probability, fail. */
export async function scoreAll(
  server: CompletionsServer,
  requests: readonly ScoreRequest[],
  errand: Errand,
): Promise<(ScoredText | Failed)[]> {
  const echoes = await server.echo(
    requests.map(({ prompt, continuation }) => prompt + continuation),
    errand,
  );
  const results: (ScoredText | Failed)[] = [];
  for (const [place, request] of requests.entries()) {
    const echo = echoes[place] as Echo;
    const tokens =
      continuationByText(echo.places, echo.generated, request.prompt, request.continuation) ??
      (await continuationByNumbers(server, request, echo, errand));
    results.push(sumOf(tokens, errand.topLogprobs));
  }
  return results;
}

/** From the first token on that is not one of the prompt alone. */
async function continuationByNumbers(
  server: CompletionsServer,
  { prompt, continuation }: ScoreRequest,
  { places }: Echo,
  errand: Errand,
): Promise<readonly Standing[]> {
  const whole = await server.tokenize(prompt + continuation, errand);
  const before = whole && (await server.tokenize(prompt, errand));
  if (whole === undefined || before === undefined) return [];
  const generated = places.length - whole.length;
  if (generated !== 0 && generated !== 1) return [];
  const differs = continuationStart(whole, before);
  const standing = places.slice(differs, whole.length).map(({ candidates, top }, place) => {
    const id = whole[differs + place];
    const token = candidates.find((candidate) => candidate.id === undefined || candidate.id === id);
    return token && { token: { ...token, id }, top };
  });
  return differs >= 0 && standing.every((each) => each !== undefined) ? (standing as Standing[]) : [];
}

function sumOf(standing: readonly Standing[], topLogprobs: number): ScoredText | Failed {
  if (standing.length === 0) return { failure: 'Its tokens cannot be told from those of its prompt.' };
  const tokens = [];
  let sum = 0;
  for (const { token, top } of standing) {
    const { logprob } = token;
    if (logprob === null)
      return { failure: `The service tells no probability of ${JSON.stringify(token.text)}.` };
    tokens.push({ ...token, logprob, ...told(top, topLogprobs) });
    sum += logprob;
  }
  return { tokens, logprob: sum, exact: tokens.every(({ logprob }) => isExact(logprob)) };
}
