/** The context as text for a prompt. */
import { type Excerpt, type KeptEntry, renderContext } from 'context-shaping';

/** A passage of the context. */
export interface Passage extends Pick<KeptEntry, 'sources' | 'superseded'> {
  text: string;
}

/** The kept parts of a text. They show where something was cut, if not as exactly as the library does. */
export const keptParts = (text: string, excerpts: readonly Excerpt[] | undefined): string =>
  excerpts === undefined
    ? text
    : excerpts
        .toSorted((a, b) => a.start - b.start)
        .map(({ start, end }) => text.slice(start, end))
        .join(' … ');

/** The passages with nothing but a blank line between them. */
export const plainPrompt = (passages: readonly Passage[]): string =>
  passages.map(({ text }) => text).join('\n\n');

/** The passages as `renderContext` shows them, with the frame that the options name, or else the default one. */
export function framedPrompt(
  passages: readonly Passage[],
  options: Readonly<Record<string, unknown>>,
): ReturnType<typeof renderContext> {
  const { spotlight } = (options.frame || {}) as { spotlight?: 'delimiter' | 'datamark' | 'none' };
  return renderContext(passages, { spotlight });
}
