/** Reads values of metadata at paths such as `loc.lines.from`. */

export type Metadata = Readonly<Record<string, unknown>>;

/** A metadata path, split once for all chunks. */
export interface Path {
  name: string;
  steps: readonly string[];
}
export const parsed = (name: string): Path => ({ name, steps: name.split('.') });

export const parsedAll = (paths: string | readonly string[]) =>
  (typeof paths === 'string' ? [paths] : paths).map(parsed);

/** Returns the value of the first path that leads to a string, number, boolean or date, as a string. */
export const scalar = (metadata: Metadata, paths: readonly Path[]): string | undefined =>
  located(metadata, paths)?.value;

/** Returns the same value, and the name of its path. */
export function located(
  metadata: Metadata,
  paths: readonly Path[],
): { value: string; path: string } | undefined {
  for (const path of paths) {
    const value = plain(at(metadata, path));
    if (value !== undefined) return { value, path: path.name };
  }
  return undefined;
}

function plain(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
}

/** Returns the value at a path. A key that contains dots takes precedence over a path with the same name. */
export function at(metadata: Metadata, { name, steps }: Path): unknown {
  if (Object.hasOwn(metadata, name)) return metadata[name];
  let value: unknown = metadata;
  for (const key of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Metadata)[key];
  }
  return value;
}
