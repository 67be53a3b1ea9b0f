/** Finding and reading the files of data sets: JSON or JSON lines, plain or compressed, checked on the way. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';

/**
 * The files of a set, in order of their names: those of its own folder of the data, or of the data's own
 * folder where the set has none. None at all if the set is not there.
 */
export function filesOf(dataDir: string, set: string, name: RegExp): string[] {
  const own = join(dataDir, set);
  const folder = existsSync(own) ? own : dataDir;
  return readdirSync(folder)
    .filter((file) => name.test(file))
    .toSorted()
    .map((file) => join(folder, file));
}

function readText(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** The content of a JSON file, checked against a schema; unknown keys are allowed and dropped. */
export function readJson<S extends z.ZodMiniType>(path: string, schema: S): z.output<S> {
  return checked(schema, readText(path), path);
}

/** The lines of a JSON lines file, each checked against a schema. Blank lines are skipped. */
export function readLines<S extends z.ZodMiniType>(path: string, schema: S): z.output<S>[] {
  return readText(path)
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [checked(schema, line, `${path}, line ${at + 1}`)]));
}

function checked<S extends z.ZodMiniType>(schema: S, text: string, where: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : error}`);
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new Error(`${where}: ${z.prettifyError(result.error)}`);
  return result.data;
}
