/** The text of a chunk: cut parts struck through, hidden characters by name, a long text shortened. */

import type { Excerpt } from 'context-shaping';
import { useState } from 'preact/hooks';
import { splitAt } from '../model/marks.js';
import { type Piece, partsOf, shortened, visible } from '../model/parts.js';
import { count } from './format.js';

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
          const pieces = <Pieces pieces={visible(part.text)} marked={marked} />;
          // A part has no identity but its place.
          return part.kept ? <span key={at}>{pieces}</span> : <del key={at}>{pieces}</del>;
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

/** Pieces of text, as text nodes alone. */
export function Pieces({ pieces, marked = [] }: { pieces: readonly Piece[]; marked?: readonly string[] }) {
  return (
    <>
      {pieces.map((piece, at) => (
        <PieceOf key={at} piece={piece} marked={marked} />
      ))}
    </>
  );
}

function PieceOf({ piece, marked }: { piece: Piece; marked: readonly string[] }) {
  if (typeof piece !== 'string') {
    return (
      <span class="hidden-codes" title="Characters that are not visible">
        {piece.codes}
      </span>
    );
  }
  if (marked.length === 0) return <>{piece}</>;
  return (
    <>
      {splitAt(piece, marked).map(({ text, isMarked }, at) =>
        isMarked ? <mark key={at}>{text}</mark> : text,
      )}
    </>
  );
}
