/** Values in sentences. */
import { isObject } from '../../src/internal.js';
import { oneLine } from '../report/index.js';

/** An id or another text of the caller, in quotes, without characters that a terminal obeys. */
export const quoted = (text: string): string => oneLine(JSON.stringify(text));

/** “a, b or c”. */
export function listed(parts: readonly string[], word = 'and'): string {
  const [last = ''] = parts.slice(-1);
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}

/** The flag of a command for each option that has one: `{ 'budget.maxTokens': '--budget' }`. */
export type Flags = Readonly<Record<string, string>>;

/** Options as a reader writes them: `budget.reserve: 0`, or `--reserve 0` if that option has a flag. */
export function optionsWritten(options: object, flags: Flags = {}): string {
  return listed(
    leaves('', options).map(({ path, value }) => {
      const flag = flags[path];
      const isPlain = typeof value === 'number' || typeof value === 'string';
      if (flag !== undefined && isPlain) return `${flag} ${value}`;
      return `${path}: ${oneLine(JSON.stringify(value) ?? 'undefined')}`;
    }),
  );
}

function leaves(path: string, value: unknown): { path: string; value: unknown }[] {
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, inner]) =>
      leaves(path === '' ? name : `${path}.${name}`, inner),
    );
  return [{ path, value }];
}
