import type { DocumentInterface } from '@langchain/core/documents';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Query, Shaper, ShapingReport } from '../../src/index.js';
import { importOptional } from '../../src/internal.js';
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
 * @throws ContextShapingError `invalid-options`, at once; when used `missing-dependency`.
 */
export function correctedShaping(
  shaper: Shaper,
  options: CragOptions,
  documentOptions: DocumentOptions,
): CorrectedShaping {
  resolveCragOptions(options, shaper);
  let made: ReturnType<typeof makeGraph> | undefined;
  return async ({ documents, query }, config) => {
    made ??= makeGraph(shaper, options, documentOptions);
    const graph = await made.catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    // The caller may go on with the array while this waits. What is none, the graph refuses.
    const given = Array.isArray(documents) ? [...documents] : (documents as DocumentInterface[]);
    const { context, report } = await graph.invoke({ query, documents: given }, config);
    return { documents: context, report };
  };
}

async function makeGraph(shaper: Shaper, options: CragOptions, documentOptions: DocumentOptions) {
  const load = () => import('../langgraph/index.js');
  const { createCragGraph } = await importOptional(load, 'crag', 'npm install @langchain/langgraph');
  return createCragGraph({ ...options, ...documentOptions, shaper });
}
