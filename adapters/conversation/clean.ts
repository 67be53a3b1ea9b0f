/** Sanitises what tools brought, before a model reads it. */
import { type ResolvedOptions, sanitise } from '../../src/index.js';
import { isObject } from '../../src/internal.js';
import { renderedOf } from './held.js';
import type { Content, ResultPart } from './messages.js';

export interface Cleaning {
  /** A text as the option `sanitise` says. */
  clean(text: string): string;
  /** A value with all its texts sanitised; the same value if nothing changes. */
  cleanValue(value: unknown): unknown;
}

export function cleaningOf(mode: ResolvedOptions['sanitise']): Cleaning {
  const clean = (text: string) => (mode === false ? text : sanitise(text, mode).text);
  const cleanValue = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return mapped(value, cleanValue);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, each]) => [name, cleanValue(each)] as const);
    return entries.some(([name, each]) => each !== value[name]) ? Object.fromEntries(entries) : value;
  };
  return { clean, cleanValue };
}

/**
 * A result, sanitised. Returns the same result if nothing changes.
 *
 * @param isShown whether the content shows the passages of the result.
 */
export function cleanResult(
  result: ResultPart,
  isShown: boolean,
  { clean, cleanValue }: Cleaning,
): ResultPart {
  const content = mapped(result.content, (each): Content => {
    if (each.type === 'other') return each;
    if (each.type === 'json') {
      const value = cleanValue(each.value);
      return value === each.value ? each : { ...each, value };
    }
    const text = clean(each.text);
    return text === each.text ? each : { ...each, text };
  });
  if (content === result.content) return result;
  if (result.passages === undefined || !isShown) return { ...result, content };
  const passages = mapped(result.passages, (passage) => {
    const text = clean(passage.text);
    const rendered = clean(renderedOf(passage));
    if (text === passage.text && rendered === renderedOf(passage)) return passage;
    return { ...passage, text, ...(passage.rendered == null ? {} : { rendered }) };
  });
  return { ...result, content, passages };
}

/** The list with each entry changed; the same list if none changes. */
function mapped<T>(list: readonly T[], change: (each: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((each, at) => each !== list[at]) ? changed : list;
}
