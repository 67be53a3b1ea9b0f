/** One call of the port to a server that takes several prompts in a request. */
import type { Answers, Failed, ModelCall } from '../../src/index.js';
import { inBatches, type JsonService } from '../json-service/index.js';
import { UsageCounter } from '../model-calls/index.js';
import type { TokenizerCall } from './server-tokenizer.js';

/** The requests of one call, with a count of their tokens. */
export interface ServiceCall extends TokenizerCall {
  usage: UsageCounter;
  topLogprobs: number;
}

export const beginCall = (
  root: JsonService,
  atOnce: number,
  { topLogprobs = 0, signal }: ModelCall,
): ServiceCall => ({
  service: root.counted(),
  usage: new UsageCounter({ countsCached: true }),
  signal,
  topLogprobs,
  atOnce,
});

/**
 * Answers all questions in batches.
 *
 * @param learns the first batch is sent alone, so that the others can use its findings.
 * @param ask gets the call with the signal of its batch.
 */
export const askInBatches = <Question, Answer>(
  batches: readonly (readonly Question[])[],
  call: ServiceCall,
  ask: (batch: readonly Question[], call: ServiceCall) => Promise<readonly (Answer | Failed)[]>,
  learns = false,
): Promise<(Answer | Failed)[]> =>
  inBatches(batches, { atOnce: call.atOnce, learns, signal: call.signal }, (batch, signal) =>
    ask(batch, { ...call, signal }),
  );

/**
 * The results of all requests.
 *
 * @param answers of the requests that were sent, in their order.
 * @param other the result of those that were not.
 */
export function resultsOf<Request, Result>(
  requests: readonly Request[],
  isSent: (request: Request) => boolean,
  answers: readonly Result[],
  other: () => Result,
  { usage, service }: ServiceCall,
): { results: Result[]; usage: Answers<Result>['usage'] } {
  const rest = answers.values();
  const results = requests.map((each) => (isSent(each) ? (rest.next().value as Result) : other()));
  return { results, usage: usage.usage(service.requests) };
}
