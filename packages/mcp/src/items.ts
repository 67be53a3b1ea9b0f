/** The pieces of the content of a result, as the engine has them. */

import { isObject, type JsonObject } from 'context-shaping/kit';
import type { Content } from 'context-shaping-agents';

export type Item = JsonObject;

/** The text of a text or of an embedded resource. */
export function textOf({ type, text, resource }: Item): string | undefined {
  const found =
    type === 'text' ? text : type === 'resource' && isObject(resource) ? resource.text : undefined;
  return typeof found === 'string' ? found : undefined;
}

const withText = (item: Item, text: string): Item =>
  item.type === 'text' ? { ...item, text } : { ...item, resource: { ...(item.resource as object), text } };

export function contentOf(item: Item): Content {
  const text = textOf(item);
  return text === undefined ? { type: 'other', kind: String(item.type) } : { type: 'text', text };
}

export const asItem = (text: string): Item => ({ type: 'text', text });

/** Texts of shaped content. */
export const textsOf = (content: readonly Content[]): string[] =>
  content.flatMap((each) => (each.type === 'text' ? [each.text] : []));

/**
 * The shaped content as items. An item keeps its other fields, such as the address of a resource, if its text begins with a
 * line of it. Data and notes become texts.
 */
export function toItems(items: readonly Item[], shaped: readonly Content[]): Item[] {
  const given = items.filter((item) => textOf(item) !== undefined);
  const others = items.filter((item) => textOf(item) === undefined);
  const isOne = given.length === 1;
  const sent = shaped.flatMap((each): Item[] => {
    if (each.type === 'other') return others.splice(0, 1);
    const text = each.type === 'text' ? each.text : JSON.stringify(each.value);
    const [line = ''] = text.split('\n', 1);
    const at = isOne ? given.length - 1 : given.findIndex((item) => textOf(item)?.includes(line));
    const item = given[at];
    given.splice(0, at + 1);
    return [item === undefined ? asItem(text) : withText(item, text)];
  });
  return [...sent, ...others];
}

/** Pieces without a text, by kind. */
export function unknownIn(items: readonly Item[]): { kind: string; count: number }[] {
  const kinds = items.filter((item) => textOf(item) === undefined).map(({ type }) => String(type));
  return [...new Set(kinds)]
    .sort()
    .map((kind) => ({ kind, count: kinds.filter((each) => each === kind).length }));
}
