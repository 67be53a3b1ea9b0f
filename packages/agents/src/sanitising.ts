/** Results of tools without what a reader does not see: strangers write into logs. Not an export. */
import { type ResolvedOptions, sanitise } from 'context-shaping';
import { isObject } from 'context-shaping/kit';

type Mode = ResolvedOptions['sanitise'];

/**
 * Colours, movements of the cursor, links, titles of windows. A title without an end stays visible: else it would hide
 * the text behind it.
 */
export const TERMINAL_CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it finds
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

export interface Cleaned {
  text: string;
  /** Number of lines in which hidden characters were removed or escaped, or control tokens and role tags broken. */
  sanitised: number;
}

/** A text as the option `sanitise` says. `strip` removes terminal codes as a whole, not only their first character. */
export function cleaned(text: string, mode: Mode): Cleaned {
  if (mode === false) return { text, sanitised: 0 };
  const plain = mode === 'strip' && text.includes('\u001b') ? text.replace(TERMINAL_CODES, '') : text;
  const now = sanitise(plain, mode).text;
  return { text: now, sanitised: linesThatDiffer(plain, now) };
}

/** Neither step removes line breaks. */
function linesThatDiffer(before: string, after: string): number {
  if (before === after) return 0;
  const lines = after.split('\n');
  return before.split('\n').filter((line, at) => line !== lines[at]).length;
}

export interface Cleaning {
  /** A text as the option `sanitise` says. */
  clean(text: string): string;
  /** A value with all its texts sanitised; the same value if nothing changes. */
  cleanValue(value: unknown): unknown;
}

/** @param tell gets each text after its change. */
export function cleaningOf(mode: Mode, tell?: (cleaned: Cleaned) => void): Cleaning {
  const clean = (text: string): string => {
    const now = cleaned(text, mode);
    if (now.text !== text) tell?.(now);
    return now.text;
  };
  const cleanValue = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return mapped(value, cleanValue);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, each]) => [name, cleanValue(each)] as const);
    return entries.some(([name, each]) => each !== value[name]) ? Object.fromEntries(entries) : value;
  };
  return { clean, cleanValue };
}

/** The list with each entry changed; the same list if none changes. */
export function mapped<T>(list: readonly T[], change: (each: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((each, at) => each !== list[at]) ? changed : list;
}
