import type { AddText, Outline, Place } from '../../structures/index.js';

/** A form that results of tools have, and how it is read. */
export interface Kind {
  readonly name: string;
  /**
   * How sure it is that a text is of this kind, 0..1.
   *
   * @param lines the first, some middle and the last lines of the text, at most 400, in order.
   */
  readonly recognise: (lines: readonly string[], text: string, context: ReadContext) => number;
  /**
   * Adds the text in blocks with their priorities. It may be of another kind, because callers can name the kind.
   *
   * @param addInner adds a text inside the text.
   */
  readonly add: (
    outline: Outline,
    text: string,
    place: Place,
    context: ReadContext,
    addInner: AddText,
  ) => void;
}

/** A result's call: how it came about. */
export interface ReadContext {
  /** The name of the tool. */
  readonly tool?: string | undefined;
  /** The arguments of its call. */
  readonly arguments?: unknown;
  /** Most tokens of the shaped result. */
  readonly maxTokens?: number | undefined;
  /** Nothing that has a large part of these tokens stays whole. */
  readonly isTight?: boolean | undefined;
}
