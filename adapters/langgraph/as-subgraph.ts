/** What LangGraph 1.4 does not do for a graph inside a graph. */

/** What is used of a compiled graph; the types of its own are bound to its state. */
interface Compiled {
  config?: Options;
  withConfig(config: object): object;
  getGraph(config?: unknown): Drawing;
  getGraphAsync(config?: unknown): Promise<Drawing>;
  stream(input: unknown, options?: Options): Promise<unknown>;
}
interface Drawing {
  nodes: Record<string, { id: string }>;
  removeNode(node: { id: string }): void;
}
interface Options {
  durability?: string;
  recursionLimit?: number;
  configurable?: Record<string, unknown>;
}

/**
 * The same graph, which can be drawn inside another, and resumed inside another without doing steps again.
 *
 * @param ofCall makes what each call of the graph adds to `configurable`.
 */
export function asSubgraph<T extends object>(graph: T, ofCall: () => object): T {
  const compiled = graph as unknown as Compiled;
  const { getGraph, getGraphAsync, stream, withConfig } = compiled;
  // Error handlers are drawn as nodes that nothing leads to. Then it cannot be told where the graph begins, and
  // a parent cannot be drawn with `xray`.
  compiled.getGraph = (config) => trimmed(getGraph.call(graph, config));
  compiled.getGraphAsync = async (config) => trimmed(await getGraphAsync.call(graph, config));
  // What the tasks of a step have saved is used when the step is resumed, unless the config names a checkpoint.
  // Configs of inner graphs have that key without a value, which is taken for a name: what was paid was paid again.
  compiled.stream = (input, options) =>
    stream.call(graph, input, owned(compiled, withoutVoidCheckpoint(options), ofCall()));
  compiled.withConfig = (config) => asSubgraph(withConfig.call(graph, config), ofCall);
  return graph;
}

/**
 * Parents hand down their own config: their limit of steps, which a legal run may need more of, and how they save.
 * One that saves nothing before its end would not find again what is saved here.
 */
function owned({ config }: Compiled, options: Options | undefined, ofCall: object): Options {
  const { recursionLimit = 0, durability } = config ?? {};
  return {
    ...options,
    configurable: { ...options?.configurable, ...ofCall },
    recursionLimit: Math.max(recursionLimit, options?.recursionLimit ?? 0),
    ...(durability === undefined || options?.durability === 'exit' ? {} : { durability }),
  };
}

function trimmed(drawing: Drawing): Drawing {
  for (const node of Object.values(drawing.nodes))
    if (node.id.startsWith('__error_handler__')) drawing.removeNode(node);
  return drawing;
}

function withoutVoidCheckpoint(options: Options | undefined): Options | undefined {
  if (options?.configurable === undefined) return options;
  const { checkpoint_id: checkpoint, ...configurable } = options.configurable;
  return checkpoint === undefined ? { ...options, configurable } : options;
}
