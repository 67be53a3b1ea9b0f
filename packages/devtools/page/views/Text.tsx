/** The text of a chunk: cut parts struck through, hidden characters by name, a long text shortened. */

import type { Excerpt } from 'context-shaping';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { piecesOf } from '../model/markdown.js';
import { splitAt } from '../model/marks.js';
import { partsOf, shortened, visible } from '../model/parts.js';
import { count } from './format.js';
import { memo } from './memo.js';

/** Characters of a text that are shown at first. */
const MOST = 4000;

interface Props {
  text: string;
  excerpts?: readonly Excerpt[] | undefined;
  /** Words to mark, in lower case. */
  marked?: readonly string[];
  /** Words are marked only within this statement, if the text has it. */
  statement?: string | undefined;
  /** Whether headings, bold words and code look like that. */
  isMarkdown?: boolean;
}

export function Text({ text, excerpts, marked = [], statement }: Props) {
  const [isWhole, setWhole] = useState(false);
  const { parts, left } = shortened(partsOf(text, excerpts), isWhole ? Number.POSITIVE_INFINITY : MOST);
  const within =
    statement !== undefined && splitAt(text, [statement]).some(({ isMarked }) => isMarked)
      ? statement
      : undefined;
  return (
    <>
      <p class="text" dir="auto">
        {parts.map((part, at) => {
          const words = <Words text={part.text} marked={marked} statement={within} isMarkdown />;
          // A part has no identity but its place.
          return part.kept ? <span key={at}>{words}</span> : <del key={at}>{words}</del>;
        })}
      </p>
      {left > 0 && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show the other {count(left)} characters
        </button>
      )}
    </>
  );
}

/** A text, as text nodes alone. Hidden characters are shown by their code points. */
export const Words = memo(function Words(props: Omit<Props, 'excerpts'>) {
  const { text, marked = [], statement, isMarkdown } = props;
  const plain = isMarkdown ? styled : (words: string) => words;
  return (
    <>
      {visible(text).map((piece, at) =>
        typeof piece === 'string' ? (
          withMarks(piece, marked, plain, statement)
        ) : (
          <span key={at} class="hidden-codes" title="Characters that are not visible">
            {piece.codes}
          </span>
        ),
      )}
    </>
  );
});

const styled = (text: string): ComponentChildren =>
  piecesOf(text).map(({ text: words, kind }, at) => {
    if (kind === undefined) return words;
    if (kind === 'sign') return <i key={at}>{words}</i>;
    return kind === 'code' ? <code key={at}>{words}</code> : <b key={at}>{words}</b>;
  });

function withMarks(
  text: string,
  marked: readonly string[],
  plain: (text: string) => ComponentChildren,
  statement?: string,
): ComponentChildren {
  if (marked.length === 0) return plain(text);
  return splitAt(text, statement === undefined ? marked : [statement]).map((each, at) => {
    if (!each.isMarked) return plain(each.text);
    if (statement === undefined) return <mark key={at}>{each.text}</mark>;
    return (
      <span key={at} class="statement">
        {withMarks(each.text, marked, plain)}
      </span>
    );
  });
}
