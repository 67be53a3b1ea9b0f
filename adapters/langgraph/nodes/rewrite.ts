import { Command, type NodeError, Send } from '@langchain/langgraph';
import { ContextShapingError } from '../../../src/index.js';
import { messageOf } from '../../../src/internal.js';
import { keywords, type RewriteRequest } from '../../crag/index.js';
import { callService } from '../call-service.js';
import { emitStep } from '../events.js';
import type { Config, Settings } from '../settings.js';
import type { SearchTask, State, Update } from '../state.js';
import { inStep } from '../tracing.js';

const MAX_LENGTH = 1000;

/** Turns the question into a search query. A person may be asked whether to search for it. */
export const rewrite =
  (settings: Settings) =>
  async (state: State, config: Config): Promise<Command> => {
    const request = requestOf(state);
    const search = await inStep(
      { kind: 'rewrite', attempt: request.attempt },
      settings,
      config,
      () => askForQuery(request, settings, config),
      (query) => ({ query }),
    );
    return next(search, {}, settings, state, config);
  };

async function askForQuery(request: RewriteRequest, settings: Settings, config: Config): Promise<string> {
  const search: unknown = await callService((call) => settings.rewrite(request, call), config);
  if (typeof search !== 'string' || search.trim() === '' || search.length > MAX_LENGTH) {
    throw new ContextShapingError('service', {
      field: 'rewrite',
      value: search,
      is: `must return a string of 1 to ${MAX_LENGTH} characters`,
      remedy: 'Return the search query.',
    });
  }
  return search.trim();
}

/** After the last failure of the rewrite: the graph searches for the keywords of the question. */
export const rewriteFailed =
  (settings: Settings) =>
  async (state: State, { error }: NodeError, config: Config = {}): Promise<Command> => {
    config.signal?.throwIfAborted();
    const search = await keywords(requestOf(state), {});
    const message = `The rewrite failed. The keywords of the question were searched for. ${messageOf(error)}`;
    const degradations = [
      ...state.degradations,
      { stage: 'rewrite', code: 'rewrite-failed' as const, message },
    ];
    return next(search, { degradations }, settings, state, config);
  };

async function next(
  search: string,
  update: Update,
  { review }: Settings,
  state: State,
  config: Config,
): Promise<Command> {
  await emitStep({ step: 'rewrite', search }, config);
  const isAsked = review.on.includes('before-search');
  return new Command({
    goto: isAsked ? 'review' : [new Send('search', { search } satisfies SearchTask)],
    update: { ...update, wording: search, attempts: state.attempts + 1, path: [...state.path, 'rewrite'] },
  });
}

/** The cache key: the inputs of the step. The whole state would never match, since it contains times. */
export const rewriteKey =
  ({ review }: Settings) =>
  (state: State): string =>
    JSON.stringify([requestOf(state), state.path, review.on.includes('before-search')]);

const requestOf = ({ question, attempts, searches }: State): RewriteRequest => ({
  query: question,
  attempt: attempts + 1,
  previous: searches.map(({ query }) => query),
});
