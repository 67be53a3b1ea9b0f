/** Values in sentences. */
import { DIRECTION_CONTROLS, isObject } from '../../src/internal.js';

/** Whole numbers with separators: 1,600. Others as they are. */
export const count = (value: number): string =>
  Number.isInteger(value) ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ',') : String(value);

/** Three decimals; fewer if the value has fewer. */
export const decimal = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Characters that a terminal would obey, and that JSON does not escape. */
const OBEYED = new RegExp(`[\\u007f-\\u009f${DIRECTION_CONTROLS}]`, 'g');

/** An id or another text of the caller, in quotes. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

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
      const written = JSON.stringify(value) ?? 'undefined';
      return `${path}: ${quoted(written).slice(1, -1).replaceAll('\\"', '"')}`;
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
