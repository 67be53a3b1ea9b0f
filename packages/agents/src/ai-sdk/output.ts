/** Tool outputs as content of the neutral messages, and back. */
import type { Content, OtherPart } from '../conversation/index.js';
import type { OutputLike, PartLike } from './types.js';

/** The content of an output in order, each with the item of the output that it stands for, if the output is a list. */
export type Items = ReadonlyMap<Content, PartLike | undefined>;

/** Errors and denials are for the model as they are. */
export const isFailure = ({ type }: OutputLike): boolean =>
  type.startsWith('error') || type === 'execution-denied';

/** The view of an output that the AI SDK makes if there is no `toModelOutput`. */
export function defaultOutput(output: unknown): OutputLike {
  if (typeof output === 'string') return { type: 'text', value: output };
  const json = JSON.stringify(output);
  return { type: 'json', value: json === undefined ? null : JSON.parse(json) };
}

export function itemsOf({ type, value, ...rest }: OutputLike): Items {
  if (type === 'content' && Array.isArray(value))
    return new Map((value as PartLike[]).map((item) => [itemOf(item), item]));
  if (type.endsWith('json')) return new Map([[{ type: 'json', value }, undefined]]);
  const text = typeof value === 'string' ? value : ((rest as { reason?: string }).reason ?? '');
  return new Map([[{ type: 'text', text }, undefined]]);
}

function itemOf(item: PartLike): Content {
  if (item.type === 'text') return { type: 'text', text: (item as { text?: string }).text ?? '' };
  return otherOf(item);
}

/** An item that shaping left as it was stays the same object. */
export function outputOf(given: OutputLike, items: Items, shaped: readonly Content[]): OutputLike {
  const [first] = shaped;
  if (given.type === 'content') {
    const value = shaped.map((each) => items.get(each) ?? { type: 'text', text: textOf(each) });
    return { ...given, value };
  }
  if (shaped.length === 1 && first?.type === 'json') return { ...given, type: 'json', value: first.value };
  return { ...given, type: 'text', value: shaped.map(textOf).join('\n\n') };
}

const textOf = (content: Content): string =>
  content.type === 'text' ? content.text : content.type === 'json' ? JSON.stringify(content.value) : '';

/** A part that is no text. */
export const otherOf = (part: PartLike): OtherPart => ({
  type: 'other',
  kind: kindOf(part),
});

function kindOf(part: PartLike): string {
  const { type, mediaType = '' } = part as { type: string; mediaType?: string };
  if (type.startsWith('reasoning')) return 'reasoning';
  if (type.startsWith('image') || mediaType.startsWith('image/')) return 'image';
  if (mediaType.startsWith('audio/')) return 'audio';
  return type.startsWith('file') || type === 'media' ? 'file' : type;
}
