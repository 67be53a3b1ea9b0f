/** One chunk of the list: a line that opens to its details. */

import { firstWords } from '../model/parts.js';
import type { Row } from '../model/rows.js';
import { cursor, open, toggle } from '../state.js';
import { ChunkDetails } from './ChunkDetails.js';
import { count, decimals, percent } from './format.js';
import { memo } from './memo.js';
import { Words } from './Text.js';

/** Characters of the preview; the style cuts it to one line. */
const PREVIEW = 200;

/** The preview is known by its text, so that a row that changes does not read it again. */
const Preview = memo(function Preview({ text }: { text: string }) {
  return <Words text={firstWords(text, PREVIEW)} />;
});

export const CHANGES = { came: 'came', went: 'went', recut: 'cut differently' } as const;

export const ChunkRow = memo(function ChunkRow({ row }: { row: Row }) {
  const isOpen = open.value.has(row.index);
  const { index, id, outcome, place, change, relevance } = row;
  return (
    <li
      id={`chunk-${index}`}
      class={`chunk ${outcome} ${isOpen ? 'is-open' : ''} ${change === undefined ? '' : `change-${change}`}`}
    >
      <button
        type="button"
        class="chunk-head"
        aria-expanded={isOpen}
        onClick={() => toggle(index)}
        onFocus={() => {
          cursor.value = index;
        }}
      >
        <span class="place">{place ?? '–'}</span>
        <span class={`outcome ${outcome}`}>{outcome}</span>
        <span class="name">
          <code class="id">
            <Words text={id} />
          </code>{' '}
          {change !== undefined && <span class={`tag ${change}`}>{CHANGES[change]}</span>}
        </span>
        <span class="why">
          {row.eviction !== undefined && <b>{row.eviction.stage}: </b>}
          <Words text={row.why} />
        </span>
        <span class="measures">
          <span>{count(row.tokens)} tokens</span>
          <span class="relevance" title={`relevance ${decimals(relevance)}`}>
            <span class="bar" aria-hidden="true">
              <i class="own" style={{ width: percent(relevance ?? 0) }} />
            </span>
            <span class="visually-hidden">relevance </span>
            {decimals(relevance)}
          </span>
        </span>
        {!isOpen && row.text !== undefined && (
          <span class="preview" dir="auto">
            <Preview text={row.text} />
          </span>
        )}
      </button>
      {isOpen && <ChunkDetails row={row} />}
    </li>
  );
});
