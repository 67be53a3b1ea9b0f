/**
 * What loads the modules of Node, Deno and Bun by their names; undefined in other runtimes. It is not an import, because
 * bundlers for browsers could not resolve one. It is tried, because the one in the edge runtime of Next.js throws.
 */
export function builtIns(): typeof process.getBuiltinModule | undefined {
  const load = globalThis.process?.getBuiltinModule;
  try {
    load?.('node:path');
    return load;
  } catch {
    return undefined;
  }
}
