/**
 * The function that loads the modules of Node, Deno and Bun by their names; undefined in other runtimes. An import would not do,
 * because bundlers for browsers could not resolve it. The function is tried, because it throws in the edge runtime of Next.js.
 */
export function builtIns(): Load | undefined {
  const load = globalThis.process?.getBuiltinModule as Load | undefined;
  try {
    load?.('node:path');
    return load;
  } catch {
    return undefined;
  }
}

/** Without the types of Node, the declaration has none either. */
type Load = typeof globalThis extends { process: { getBuiltinModule: infer Loads } } ? Loads : never;
