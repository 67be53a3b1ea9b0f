import type { DocumentInterface } from '@langchain/core/documents';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  ContextShapingError,
  type Query,
  rethrowControlFlow,
  type Shaper,
  type ShapingOptions,
  type ShapingReport,
  tellObservers,
} from '../../src/index.js';
import { type CragOptions, resolveCragOptions } from '../crag/index.js';
import type { DocumentOptions } from '../documents/index.js';

/** Shapes documents and corrects the result. */
export type CorrectedShaping = (
  input: { documents: readonly DocumentInterface[]; query: Query | string },
  config: RunnableConfig,
) => Promise<{ documents: DocumentInterface[]; report: ShapingReport }>;

/**
 * The graph is made when it is first used: only then LangGraph is needed.
 *
 * @param shaper tells nobody of its reports: `observers` get the one of the whole.
 * @throws ContextShapingError `invalid-options`, at once; when used `missing-dependency`.
 */
export function correctedShaping(
  shaper: Shaper,
  options: CragOptions,
  documentOptions: DocumentOptions,
  observers: Pick<ShapingOptions, 'onEvict' | 'onReport'>,
): CorrectedShaping {
  resolveCragOptions(options);
  let made: ReturnType<typeof makeGraph> | undefined;
  return async ({ documents, query }, config) => {
    made ??= makeGraph(shaper, options, documentOptions);
    const graph = await made.catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    const { context, report } = await graph.invoke(
      { query: plain(query), documents: [...documents] },
      config,
    );
    return { documents: context, report: await tellObservers(report, observers, config.signal) };
  };
}

async function makeGraph(shaper: Shaper, options: CragOptions, documentOptions: DocumentOptions) {
  try {
    const { createCragGraph } = await import('../langgraph/index.js');
    return createCragGraph({ ...options, ...documentOptions, shaper });
  } catch (error) {
    rethrowControlFlow(error);
    if (ContextShapingError.isInstance(error)) throw error;
    throw new ContextShapingError('missing-dependency', {
      field: 'crag',
      value: '@langchain/langgraph',
      is: 'needs a package that could not be loaded',
      remedy: 'npm install @langchain/langgraph',
      cause: error,
    });
  }
}

/** Typed arrays do not survive a checkpoint. */
function plain(query: Query | string): Query | string {
  if (typeof query === 'string' || query?.embedding == null) return query;
  return { ...query, embedding: Array.from(query.embedding) };
}
