/** The probability of a continuation, from the tokens of its prompt and itself. */
import type { Failed, ScoredText, ScoreRequest } from '../../../src/index.js';
import { continuationStart } from '../../model-calls/index.js';
import { isExact } from '../logprob.js';
import { type AlignedToken, continuationByText } from './alignment.js';
import { topOf } from './answers.js';
import type { CallContext, CompletionsServer, Echo } from './server.js';

/** Scores each continuation. A continuation fails if its tokens cannot be found, or one has no probability. */
export async function scoreAll(
  server: CompletionsServer,
  requests: readonly ScoreRequest[],
  call: CallContext,
): Promise<(ScoredText | Failed)[]> {
  const echoes = await server.echo(
    requests.map(({ prompt, continuation }) => prompt + continuation),
    call,
  );
  const results: (ScoredText | Failed)[] = [];
  for (const [index, request] of requests.entries()) {
    const echo = echoes[index] as Echo;
    const tokens =
      continuationByText(echo.positions, echo.generated, request.prompt, request.continuation) ??
      (await continuationByNumbers(server, request, echo, call));
    results.push(sumOf(tokens, call.topLogprobs));
  }
  return results;
}

/** Compares the token numbers of prompt and whole text, since the texts of the tokens do not identify them. */
async function continuationByNumbers(
  server: CompletionsServer,
  { prompt, continuation }: ScoreRequest,
  { positions }: Echo,
  call: CallContext,
): Promise<readonly AlignedToken[]> {
  const whole = await server.tokenize(prompt + continuation, call);
  const before = whole && (await server.tokenize(prompt, call));
  if (whole === undefined || before === undefined) return [];
  const generated = positions.length - whole.length;
  if (generated !== 0 && generated !== 1) return [];
  const differs = continuationStart(whole, before);
  const aligned = positions.slice(differs, whole.length).map(({ candidates, top }, index) => {
    const id = whole[differs + index];
    const token = candidates.find((candidate) => candidate.id === undefined || candidate.id === id);
    return token && { token: { ...token, id }, top };
  });
  return differs >= 0 && aligned.every((each) => each !== undefined) ? (aligned as AlignedToken[]) : [];
}

function sumOf(aligned: readonly AlignedToken[], topLogprobs: number): ScoredText | Failed {
  if (aligned.length === 0) {
    return { failure: 'The tokens of the continuation cannot be told from those of the prompt.' };
  }
  const tokens = [];
  let sum = 0;
  for (const { token, top } of aligned) {
    const { logprob } = token;
    if (logprob === null)
      return { failure: `The service reports no probability of the token ${JSON.stringify(token.text)}.` };
    tokens.push({ ...token, logprob, ...topOf(top, topLogprobs) });
    sum += logprob;
  }
  return { tokens, logprob: sum, exact: tokens.every(({ logprob }) => isExact(logprob)) };
}
