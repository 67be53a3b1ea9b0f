/** The text of a chunk: cut parts struck through, hidden characters by name, a long text shortened. */

import type { Excerpt } from 'context-shaping';
import { useState } from 'preact/hooks';
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
}

export function Text({ text, excerpts, marked = [] }: Props) {
  const [isWhole, setWhole] = useState(false);
  const { parts, left } = shortened(partsOf(text, excerpts), isWhole ? Number.POSITIVE_INFINITY : MOST);
  return (
    <>
      <p class="text" dir="auto">
        {parts.map((part, at) => {
          const words = <Words text={part.text} marked={marked} />;
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
export const Words = memo(function Words({
  text,
  marked = [],
}: {
  text: string;
  marked?: readonly string[];
}) {
  return (
    <>
      {visible(text).map((piece, at) =>
        typeof piece === 'string' ? (
          withMarks(piece, marked)
        ) : (
          <span key={at} class="hidden-codes" title="Characters that are not visible">
            {piece.codes}
          </span>
        ),
      )}
    </>
  );
});

const withMarks = (text: string, marked: readonly string[]) =>
  marked.length === 0
    ? text
    : splitAt(text, marked).map((each, at) =>
        each.isMarked ? <mark key={at}>{each.text}</mark> : each.text,
      );
