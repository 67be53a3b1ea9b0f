/** The passages that a shaped result leaves out, as plain JSON beside its message. */
import { digestOf, isObject } from 'context-shaping/kit';
import type { Held, Passage } from './messages.js';

/** A passage as plain JSON, without its vector. */
export interface StoredPassage {
  id: string;
  text: string;
  /** The parts of `rendered` before and after the text. */
  around?: [before: string, after: string];
  /** The passage as the model sees it, if the text does not occur in that. */
  rendered?: string;
  score?: number;
  metadata?: Readonly<Record<string, unknown>>;
}

export interface HeldPassages {
  /** The passages that the content shows are those of the result. Otherwise the content is split again. */
  documents: boolean;
  /** The note at the end of the content; empty if there is none. */
  note: string;
  /** Number of the passages that the tool found. */
  total: number;
  /** Number of the passages that the content shows. */
  shown: number;
  /** Cut passages: the text that is shown, and the complete passage. */
  cut: readonly { text: string; whole: StoredPassage }[];
  /** Complete passages that are not shown, the most relevant first. */
  leftOut: readonly StoredPassage[];
}

export const toHeld = (shown: string, data: HeldPassages): Held => ({
  version: 1,
  digest: digestOf(shown),
  data,
});

/** Reads the passages beside a result; undefined if another program wrote there. */
export function heldPassages(held: Held | undefined): HeldPassages | undefined {
  if (held?.version !== 1 || !isObject(held.data)) return undefined;
  const { note, total, shown, cut, leftOut } = held.data as Partial<HeldPassages>;
  const isHeld =
    typeof note === 'string' &&
    typeof total === 'number' &&
    typeof shown === 'number' &&
    arePassages(leftOut) &&
    Array.isArray(cut) &&
    cut.every((each) => isObject(each) && typeof each.text === 'string' && arePassages([each.whole]));
  return isHeld ? (held.data as unknown as HeldPassages) : undefined;
}

export const arePassages = (value: unknown): value is StoredPassage[] =>
  Array.isArray(value) &&
  value.every((each) => isObject(each) && typeof each.text === 'string' && typeof each.id === 'string');

/** The passage as the model sees it. */
export const renderedOf = ({ text, rendered }: Passage): string => rendered ?? text;

/** The parts of the rendered passage before and after its text; undefined if the text does not occur there. */
export function aroundOf(passage: Passage): [before: string, after: string] | undefined {
  const rendered = renderedOf(passage);
  const at = rendered.lastIndexOf(passage.text);
  return at < 0 ? undefined : [rendered.slice(0, at), rendered.slice(at + passage.text.length)];
}

export function toStored(passage: Passage): StoredPassage {
  const { id, text, rendered, score, metadata } = passage;
  const around = rendered == null ? undefined : aroundOf(passage);
  return {
    id,
    text,
    ...(rendered == null ? {} : around === undefined ? { rendered } : { around }),
    ...(score == null ? {} : { score }),
    ...(metadata == null ? {} : { metadata: { ...metadata } }),
  };
}

export function fromStored({ around, rendered, ...passage }: StoredPassage): Passage {
  if (around !== undefined) return { ...passage, rendered: around[0] + passage.text + around[1] };
  return rendered === undefined ? passage : { ...passage, rendered };
}
