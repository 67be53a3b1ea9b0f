/** The forms that the content of a result has. */
import { ContextShapingError } from 'context-shaping';
import { isObject, messageOf } from 'context-shaping/kit';
import type { Cleaning } from '../sanitising.js';
import { type Structure, structureOfJson } from '../structures/index.js';
import { type KindName, readText } from './kinds/index.js';
import type { ReadContext } from './kinds/kind.js';

/** A part of a content that can shrink. */
export interface Piece {
  readonly kind: KindName;
  readonly structure: Structure;
  /** As text, before and after it was sanitised. */
  readonly given: string;
  readonly text: string;
}

/** A content in parts, and how it is put together again. */
export interface ReadContent {
  readonly pieces: readonly Piece[];
  /** @param rebuilt a text for each piece. */
  readonly write: (rebuilt: readonly { readonly text: string }[]) => unknown;
}

const ITEMS = ['text', 'image', 'audio', 'resource', 'resource_link'];

/** @throws ContextShapingError `invalid-options`, if the content is no text and cannot be written as JSON. */
export function readContent(
  content: unknown,
  context: ReadContext,
  { kind, clean, cleanValue }: Cleaning & { kind?: KindName | undefined },
): ReadContent {
  const pieceOf = (given: string): Piece => {
    const text = clean(given);
    return { ...readText(text, context, kind), text, given };
  };
  if (typeof content === 'string') return { pieces: [pieceOf(content)], write: ([first]) => first?.text };
  if (areItems(content)) {
    const texts = content.flatMap((item, at) => (isText(item) ? [{ at, text: item.text }] : []));
    const write: ReadContent['write'] = (rebuilt) =>
      content.flatMap((item, at) => {
        const place = texts.findIndex((each) => each.at === at);
        const text = rebuilt[place]?.text;
        return text === undefined ? [item] : text === '' ? [] : [{ ...item, text }];
      });
    return { pieces: texts.map(({ text }) => pieceOf(text)), write };
  }
  const { given, value } = cleanedValue(content, cleanValue);
  const structure = structureOfJson(value);
  return {
    pieces: [{ kind: 'json', structure, given, text: value === content ? given : JSON.stringify(value) }],
    write: ([first]) => JSON.parse(first?.text ?? 'null') as unknown,
  };
}

/** The value, sanitised, and as it was given in JSON. */
function cleanedValue(value: unknown, cleanValue: Cleaning['cleanValue']) {
  try {
    return { given: JSON.stringify(value) ?? 'null', value: cleanValue(value) };
  } catch (cause) {
    throw new ContextShapingError('invalid-options', {
      field: 'content',
      value,
      is: `cannot be written as JSON: ${messageOf(cause)}`,
      remedy: 'Give a text, content items of MCP, or a value without circles and big integers.',
      cause,
    });
  }
}

type Item = { readonly type: string };

const areItems = (content: unknown): content is readonly Item[] =>
  Array.isArray(content) &&
  content.length > 0 &&
  content.every((item) => isObject(item) && ITEMS.includes(item.type as string));

const isText = (item: Item): item is { type: 'text'; text: string } =>
  item.type === 'text' && typeof (item as { text?: unknown }).text === 'string';
