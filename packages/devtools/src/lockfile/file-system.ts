import { ContextShapingError } from 'context-shaping';
import { builtIns } from 'context-shaping/kit';

/**
 * The file system of Node, Deno or Bun.
 *
 * @throws ContextShapingError `missing-dependency`, in a browser.
 */
export function fileSystem(field: string, value: unknown) {
  const load = builtIns();
  if (load === undefined) {
    throw new ContextShapingError('missing-dependency', {
      field,
      value,
      is: 'needs a file system, which this runtime does not have',
      remedy: 'Use Node, Deno or Bun, or recordContext and a storage of your own.',
    });
  }
  return { fs: load('node:fs'), path: load('node:path') };
}
