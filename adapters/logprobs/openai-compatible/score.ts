/** The probability of a continuation, from the tokens of its prompt and itself. */
import type { Failed, ScoredText, ScoreRequest } from '../../../src/index.js';
import { isExact } from '../logprob.js';
import type { ServiceCall } from '../service-call.js';
import { continuationStart } from '../tokens.js';
import { type AlignedToken, continuationByText } from './alignment.js';
import { type Echo, topOf } from './answers.js';
import type { CompletionsServer, Prompt } from './server.js';

/** A continuation, and the text or tokens to send. */
export interface Asked extends ScoreRequest {
  /** Prompt and continuation. */
  whole: Prompt;
  /** The number of the first token of the continuation, if it is known before the answer. */
  start?: number;
}

/** The text to send for each request; with a chat template, its tokens. */
export async function askedOf(
  server: CompletionsServer,
  requests: readonly ScoreRequest[],
  chatTemplate: boolean,
  call: ServiceCall,
): Promise<Asked[]> {
  if (!chatTemplate) {
    return requests.map((request) => ({ ...request, whole: request.prompt + request.continuation }));
  }
  const dialogues = await server.tokenizer.dialogues(requests, call);
  return requests.map((request, place) => {
    const { ids, start } = dialogues[place] as (typeof dialogues)[number];
    return { ...request, whole: ids, start };
  });
}

/** Scores each continuation. A continuation fails if its tokens cannot be found, or one has no probability. */
export async function scoreAll(
  server: CompletionsServer,
  asked: readonly Asked[],
  echoes: readonly (Echo | Failed)[],
  call: ServiceCall,
): Promise<(ScoredText | Failed)[]> {
  const found = asked.map((each, place) => alignedAtOnce(each, echoes[place] as Echo | Failed));
  const missing = asked.flatMap((each, place) => {
    const echo = echoes[place] as Echo | Failed;
    return found[place] === undefined && !('failure' in echo) ? [{ ...each, place, echo }] : [];
  });
  const tokens = await tokensOf(server, missing, call);
  for (const { place, prompt, continuation, echo } of missing) {
    const [before, whole] = [tokens?.get(prompt), echo.ids ?? tokens?.get(prompt + continuation)];
    if (before !== undefined && whole !== undefined) {
      found[place] = continuationByNumbers(before, whole, echo);
    }
  }
  return echoes.map((echo, place) =>
    'failure' in echo ? echo : sumOf(found[place] ?? [], call.topLogprobs),
  );
}

/** The tokens of the continuation, if the answer alone identifies them. */
function alignedAtOnce(
  { prompt, continuation, whole, start }: Asked,
  echo: Echo | Failed,
): readonly AlignedToken[] | undefined {
  if ('failure' in echo) return undefined;
  if (start === undefined) return continuationByText(echo.positions, echo.generated, prompt, continuation);
  const ids = whole as readonly number[];
  return echo.positions.length < ids.length ? [] : continuationFrom(start, ids, echo);
}

/** The tokens of the texts whose tokens the answers do not tell: prompts, and whole texts if the server hides numbers. */
function tokensOf(
  server: CompletionsServer,
  missing: readonly (Asked & { echo: Echo })[],
  call: ServiceCall,
): Promise<Map<string, readonly number[]> | undefined> | undefined {
  if (missing.length === 0) return undefined;
  const texts = missing.flatMap(({ prompt, continuation, echo }) =>
    echo.ids === undefined ? [prompt, prompt + continuation] : [prompt],
  );
  return server.tokenize(texts, call);
}

/** Compares the token numbers of prompt and whole text, since the texts of the tokens do not identify them. */
function continuationByNumbers(
  before: readonly number[],
  whole: readonly number[],
  echo: Echo,
): readonly AlignedToken[] {
  const generated = echo.positions.length - whole.length;
  if (generated !== 0 && generated !== 1) return [];
  const start = continuationStart(whole, before);
  return start < 0 ? [] : continuationFrom(start, whole, echo);
}

/** The tokens of a text from one on; none, if the server reports others. */
function continuationFrom(
  start: number,
  whole: readonly number[],
  { positions }: Echo,
): readonly AlignedToken[] {
  const aligned = positions.slice(start, whole.length).map(({ candidates, top }, index) => {
    const id = whole[start + index];
    const token = candidates.find((candidate) => candidate.id === undefined || candidate.id === id);
    return token && { token: { ...token, id }, top };
  });
  return aligned.every((each) => each !== undefined) ? (aligned as AlignedToken[]) : [];
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
