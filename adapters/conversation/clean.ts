/** Sanitises what tools brought, before a model reads it. */
import { type ResolvedOptions, sanitise } from '../../src/index.js';
import { isObject } from '../../src/internal.js';
import { renderedOf } from './held.js';
import type { Content, Passage, ResultPart } from './messages.js';

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
    if (Array.isArray(value)) {
      const cleaned = value.map(cleanValue);
      return cleaned.some((each, at) => each !== value[at]) ? cleaned : value;
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, each]) => [name, cleanValue(each)] as const);
    return entries.some(([name, each]) => each !== value[name]) ? Object.fromEntries(entries) : value;
  };
  return { clean, cleanValue };
}

/** The content of a result, sanitised. Returns the same array if nothing changes. */
export function cleanContent(
  content: readonly Content[],
  { clean, cleanValue }: Cleaning,
): readonly Content[] {
  const cleaned = content.map((each): Content => {
    if (each.type === 'other') return each;
    if (each.type === 'json') {
      const value = cleanValue(each.value);
      return value === each.value ? each : { ...each, value };
    }
    const text = clean(each.text);
    return text === each.text ? each : { ...each, text };
  });
  return cleaned.some((each, at) => each !== content[at]) ? cleaned : content;
}

/** Passages that the cleaned content shows. Returns the same array if nothing changes. */
export function cleanPassages(
  passages: NonNullable<ResultPart['passages']>,
  { clean }: Cleaning,
): readonly Passage[] {
  const cleaned = passages.map((passage) => {
    const text = clean(passage.text);
    const rendered = clean(renderedOf(passage));
    if (text === passage.text && rendered === renderedOf(passage)) return passage;
    return { ...passage, text, ...(passage.rendered == null ? {} : { rendered }) };
  });
  return cleaned.some((each, at) => each !== passages[at]) ? cleaned : passages;
}
