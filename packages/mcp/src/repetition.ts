/** Finds where the structured content of a result repeats its texts, as the specification asks of servers. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, parseJson } from 'context-shaping/kit';

export interface Repetition {
  /** The text to shape, once for both. */
  source: string;
  /** Both with the shaped text. Undefined if it should be JSON and is not. */
  apply(shaped: string): { texts: readonly string[]; structured: unknown } | undefined;
}

/**
 * The texts may be the structured content as JSON, or one of its fields: as it is, as JSON, or element by element. Some
 * frameworks put every answer into a field `result`.
 */
export function repetitionOf(texts: readonly string[], structured: unknown): Repetition | undefined {
  const [text] = texts;
  if (structured === undefined || text === undefined) return undefined;
  const fields = isObject(structured) ? Object.entries(structured) : [];
  const places = [
    { value: structured, write: (value: unknown) => value },
    ...fields.map(([key, value]) => ({
      value,
      write: (now: unknown) => ({ ...(structured as object), [key]: now }),
    })),
  ];
  for (const { value, write } of places) {
    const isOne = texts.length === 1;
    if (isOne && text === value)
      return { source: text, apply: (shaped) => ({ texts: [shaped], structured: write(shaped) }) };
    if (isOne && isWritten(value, text))
      return {
        source: text,
        apply: (shaped) => ifJson(shaped, (now) => ({ texts: [shaped], structured: write(now) })),
      };
    if (
      Array.isArray(value) &&
      value.length === texts.length &&
      value.every((each, at) => each === texts[at] || isWritten(each, texts[at] as string))
    )
      return {
        source: JSON.stringify(value),
        apply: (shaped) =>
          ifJson(shaped, (now) =>
            Array.isArray(now) ? { texts: now.map(asText), structured: write(now) } : undefined,
          ),
      };
  }
  return undefined;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isWritten = (value: unknown, text: string): boolean =>
  typeof value === 'object' && value !== null && isDeepStrictEqual(parseJson(text), value);

function ifJson<T>(text: string, use: (value: unknown) => T): T | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : use(value);
}
