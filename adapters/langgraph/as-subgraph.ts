/** Repairs a defect of LangGraph that affects a graph inside another graph, and keeps the graph's own limits there. */

import type { ResolvedOptions } from '../../src/index.js';
import { tellingOf } from '../../src/internal.js';
import { tracedRun } from './tracing.js';

/** The used part of a compiled graph. LangGraph's own types depend on the state of the graph. */
interface Compiled {
  config?: Options;
  withConfig(config: object): object;
  getGraph(config?: unknown): Drawing;
  getGraphAsync(config?: unknown): Promise<Drawing>;
  stream(input: unknown, options?: Options): Promise<unknown>;
  _streamIterator(input: unknown, options?: Options): AsyncGenerator<unknown>;
}
interface Drawing {
  nodes: Record<string, { id: string }>;
  removeNode(node: { id: string }): void;
}
interface Options {
  signal?: AbortSignal;
  durability?: string;
  recursionLimit?: number;
  maxConcurrency?: number;
  configurable?: Record<string, unknown>;
}

/**
 * The same graph, repaired: another graph that contains it can be drawn, and it runs by its own limits.
 *
 * @param ofCall makes the fields that each call of the graph adds to `configurable`.
 * @param options `telemetry` gets a span of each call.
 */
export function asSubgraph<T extends object>(
  graph: T,
  ofCall: () => object,
  options: Pick<ResolvedOptions, 'errorMessages' | 'telemetry'>,
): T {
  const compiled = graph as unknown as Compiled;
  const { getGraph, getGraphAsync, stream, withConfig, _streamIterator } = compiled;
  // LangGraph draws error handlers as nodes without incoming edges. The drawing then has several first nodes, and a
  // parent cannot be drawn with `xray`.
  compiled.getGraph = (config) => trimmed(getGraph.call(graph, config));
  compiled.getGraphAsync = async (config) => trimmed(await getGraphAsync.call(graph, config));
  compiled.stream = (input, options) => stream.call(graph, input, owned(compiled, options, ofCall()));
  compiled.withConfig = (config) => asSubgraph(withConfig.call(graph, config), ofCall, options);
  const { telemetry } = options;
  // All calls of a graph end up in this method.
  if (telemetry !== undefined)
    compiled._streamIterator = (input, config) =>
      tracedRun(telemetry, tellingOf(options), config, (inside) =>
        _streamIterator.call(graph, input, inside as Options),
      );
  return graph;
}

/** For a graph that does its parallel tasks one by one, in a step each. It ends by the limits of its own options. */
const NO_LIMIT = 1_000_000_000;

/**
 * Parents pass on their own config: their recursion limit, which may be too low for a regular run, and their
 * durability. A parent with the durability `exit` saves nothing before its end, and could not find the steps that are
 * saved here.
 */
function owned({ config }: Compiled, options: Options | undefined, ofCall: object): Options {
  const { recursionLimit = 0, durability } = config ?? {};
  const isOneByOne = (options?.maxConcurrency ?? config?.maxConcurrency) === 1;
  return {
    ...options,
    configurable: { ...options?.configurable, ...ofCall },
    recursionLimit: isOneByOne ? NO_LIMIT : Math.max(recursionLimit, options?.recursionLimit ?? 0),
    ...(durability === undefined || options?.durability === 'exit' ? {} : { durability }),
  };
}

function trimmed(drawing: Drawing): Drawing {
  for (const node of Object.values(drawing.nodes))
    if (node.id.startsWith('__error_handler__')) drawing.removeNode(node);
  return drawing;
}
