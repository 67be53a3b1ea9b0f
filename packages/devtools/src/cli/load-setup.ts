/** Loads the module of `--setup`: what JSON cannot express, such as models. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from 'context-shaping/cli';
import { isObject, type JsonObject, messageOf } from 'context-shaping/kit';

/**
 * The default export of a module. A function is called, and its result counts.
 *
 * @param exports what the module must export as default, for messages.
 * @throws UsageError if the module cannot be loaded, or exports no object.
 */
export async function loadSetup(file: string, exports: string): Promise<JsonObject> {
  let given: unknown;
  try {
    const module = await import(pathToFileURL(resolve(file)).href);
    given = typeof module.default === 'function' ? await module.default() : module.default;
  } catch (cause) {
    throw new UsageError(`Cannot load ${file}: ${messageOf(cause)}. Name a module that exports a setup.`, {
      cause,
    });
  }
  if (isObject(given)) return given;
  throw new UsageError(`${file} must export ${exports}.`);
}
