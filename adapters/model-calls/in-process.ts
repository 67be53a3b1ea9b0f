/** The common parts of models in this process: one call at a time, one request after another. */
import type {
  Failed,
  GeneratedText,
  GenerateRequest,
  LogprobModel,
  ModelCall,
  ScoredText,
  ScoreRequest,
} from '../../src/index.js';
import { rethrowControlFlow } from '../../src/internal.js';
import type { Turns } from './concurrency.js';

/** One call of the port: answers its requests, and counts their tokens. */
export interface InProcessCall {
  readonly tokens: number;
  readonly cachedTokens: number;
  score(request: ScoreRequest): Promise<ScoredText | Failed>;
  generate(request: GenerateRequest): Promise<GeneratedText | Failed>;
}

/**
 * The methods `score` and `generate` of a model. Concurrent calls run one at a time, since they could not share the
 * memory of prefixes.
 *
 * @param failed makes the error to throw from an error of the engine. Aborts and interrupts are rethrown as they are.
 */
export function inProcess(
  inTurn: Turns,
  begin: (call: ModelCall) => InProcessCall | Promise<InProcessCall>,
  failed: (cause: unknown) => unknown = (cause) => cause,
): Pick<LogprobModel, 'score' | 'generate'> {
  const answers = <Request, Result>(
    requests: readonly Request[],
    call: ModelCall,
    answer: (run: InProcessCall, request: Request) => Promise<Result | Failed>,
  ) =>
    inTurn(async () => {
      try {
        const run = await begin(call);
        const results: (Result | Failed)[] = [];
        for (const request of requests) results.push(await answer(run, request));
        const { tokens, cachedTokens } = run;
        return { results, usage: { requests: requests.length, tokens, cachedTokens } };
      } catch (cause) {
        rethrowControlFlow(cause, call.signal);
        throw failed(cause);
      }
    }, call.signal);
  return {
    score: (requests, call = {}) => answers(requests, call, (run, request) => run.score(request)),
    generate: (requests, call = {}) => answers(requests, call, (run, request) => run.generate(request)),
  };
}

/** The failure of a text that the context of the model cannot hold. */
export function tooLong(what: string, { length }: { length: number }, most: number): Failed {
  return { failure: `The ${what} ${length} tokens; the context holds ${most}.` };
}
