/** One chunk: a line and its passage, which opens to the whole text and the details. */
import { said } from 'context-shaping/internal';
import { firstWords } from '../model/parts.js';
import type { Row } from '../model/rows.js';
import { open, searched, toggle } from '../state.js';
import { ChunkDetails } from './ChunkDetails.js';
import { count, decimals, percent } from './format.js';
import { memo } from './memo.js';
import { Text, Words } from './Text.js';

/** Characters of the preview; the style cuts it to one line. */
const PREVIEW = 200;

/** The preview is known by its text, so that a row that changes does not read it again. */
const Preview = memo(function Preview({ text }: { text: string }) {
  return <Words text={firstWords(text, PREVIEW)} />;
});

const CHANGES = { came: 'came', went: 'went', recut: 'cut differently' } as const;

export const ChunkRow = memo(function ChunkRow({ row }: { row: Row }) {
  const isOpen = open.value.has(row.index);
  const { index, id, outcome, place, change, relevance, entry, eviction, passage } = row;
  const preview = row.text ?? eviction?.preview;
  return (
    <li id={`chunk-${index}`} class={`chunk ${outcome}`}>
      <button type="button" class="chunk-head" aria-expanded={isOpen} onClick={() => toggle(index)}>
        {place !== undefined && <span class="place">{place}</span>}
        <span class="name">
          <code class="id">
            <Words text={id} />
          </code>{' '}
          <Tags row={row} />
          {change !== undefined && <span class={`tag ${change}`}>{CHANGES[change]}</span>}
        </span>
        {eviction !== undefined && (
          <span class="why">
            <b>{eviction.reason}</b> <Words text={row.why} />
          </span>
        )}
        <span class="measures">
          <span>{count(row.tokens)} tokens</span>
          {relevance !== undefined && (
            <span class="relevance" title={`relevance ${decimals(relevance)}`}>
              <span class="bar" aria-hidden="true">
                <i class="own" style={{ width: percent(relevance) }} />
              </span>
              <span class="visually-hidden">relevance </span>
              {decimals(relevance)}
            </span>
          )}
        </span>
        {entry === undefined && !isOpen && preview !== undefined && (
          <span class="preview" dir="auto">
            <Preview text={preview} />
          </span>
        )}
      </button>
      {isOpen && row.text !== undefined ? (
        <Text text={row.text} excerpts={entry?.excerpts} marked={searched.value} />
      ) : (
        passage !== undefined && <Text text={passage} marked={searched.value} />
      )}
      {isOpen && <ChunkDetails row={row} />}
    </li>
  );
});

/** Facts that change how a passage is read. */
function Tags({ row: { entry, outcome, against, flags } }: { row: Row }) {
  const copies = (entry?.sources.length ?? 1) - 1;
  return (
    <>
      {entry?.pinned && <span class="tag">pinned</span>}
      {outcome === 'cut' && <span class="tag">cut</span>}
      {entry?.superseded && <span class="tag warn">superseded</span>}
      {copies > 0 && (
        <span class="tag">
          and {count(copies)} {copies === 1 ? 'copy' : 'copies'}
        </span>
      )}
      {against.length > 0 && <span class="tag warn">conflicts with {against.join(', ')}</span>}
      {flags.map((flag) => (
        <span key={flag.kind} class="tag warn" title={said(flag)}>
          {flag.kind}
        </span>
      ))}
    </>
  );
}
