import type { DocumentInterface } from '@langchain/core/documents';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Query, Shaper, ShapingReport } from '../../src/index.js';
import { importOptional, inGroup } from '../../src/internal.js';
import { type CragOptions, checkCragOptions } from '../crag/options/index.js';
import type { DocumentOptions } from './documents/index.js';

/** Shapes documents and corrects the result. */
export type CorrectiveShaping = (
  input: { documents: readonly DocumentInterface[]; query: Query | string },
  config: RunnableConfig,
) => Promise<{ documents: DocumentInterface[]; report: ShapingReport }>;

/** `createCragGraph` of `context-shaping/langgraph`. */
export type CragGraphFactory = (fields: CragOptions & DocumentOptions & { shaper: Shaper }) => {
  invoke(
    input: { query: Query | string; documents: DocumentInterface[] },
    config: RunnableConfig,
  ): Promise<{ context: DocumentInterface[]; report: ShapingReport }>;
};

/**
 * The graph is made when it is first used: only then LangGraph is needed.
 *
 * @throws ContextShapingError `invalid-options`, at once; when used `missing-dependency`.
 */
export function correctiveShaping(
  shaper: Shaper,
  options: CragOptions,
  documentOptions: DocumentOptions,
  factory: CragGraphFactory | undefined,
): CorrectiveShaping {
  inGroup('crag', () => checkCragOptions(options, shaper));
  let making: Promise<ReturnType<CragGraphFactory>> | undefined;
  const graph = () => {
    making ??= (factory === undefined ? loadFactory() : Promise.resolve(factory)).then((createCragGraph) =>
      createCragGraph({ ...options, ...documentOptions, shaper }),
    );
    making.catch(() => {
      making = undefined;
    });
    return making;
  };
  return async ({ documents, query }, config) => {
    // Copied, because the caller may change the array meanwhile. The graph refuses any value but an array.
    const given = Array.isArray(documents) ? [...documents] : (documents as DocumentInterface[]);
    const { context, report } = await (await graph()).invoke({ query, documents: given }, config);
    return { documents: context, report };
  };
}

async function loadFactory(): Promise<CragGraphFactory> {
  const load = () => importUnseen('../langgraph/index.js');
  const install =
    'npm install @langchain/langgraph. In a bundle, give the compressor createCragGraph of context-shaping/langgraph.';
  return (await importOptional(load, 'crag', install)).createCragGraph;
}

/** A bundler cannot follow this import: it would fail where LangGraph is not installed. */
const importUnseen = (path: string): Promise<{ createCragGraph: CragGraphFactory }> =>
  import(/* webpackIgnore: true */ /* @vite-ignore */ path);
