/** The list of chunks, and the fields that choose from it. */
import { useEffect, useRef } from 'preact/hooks';
import { type Filter, NO_FILTER, type Sort, valuesOf } from '../model/filter.js';
import { cursor, filter, reshaped, rows, shown, sort } from '../state.js';
import { ChunkRow } from './ChunkRow.js';
import { count } from './format.js';

export function ChunkList() {
  useCursor();
  return (
    <>
      <Filters />
      <p class="found" role="status">
        {count(shown.value.length)} of {count(rows.value.length)} chunks
      </p>
      <ol class="chunks">
        {shown.value.map((row) => (
          <ChunkRow key={row.index} row={row} />
        ))}
      </ol>
      {shown.value.length === 0 && <p class="note">No chunk passes these filters.</p>}
    </>
  );
}

/** Moves the focus to the chunk that the keyboard is on. */
function useCursor() {
  const last = useRef(cursor.value);
  useEffect(() => {
    if (cursor.value === last.current) return;
    last.current = cursor.value;
    const head = document.querySelector<HTMLElement>(`#chunk-${cursor.value} > .chunk-head`);
    if (head !== null && document.activeElement !== head) head.focus();
  }, [cursor.value]);
}

function Filters() {
  const now = filter.value;
  const set = (change: Partial<Filter>) => {
    filter.value = { ...now, ...change };
  };
  const all = rows.value;
  const isFiltered = Object.values(now).some((value) => value !== '');
  return (
    <search class="filters">
      <label class="search">
        <span>Search</span>
        <input
          id="search"
          type="search"
          value={now.search}
          autocomplete="off"
          spellcheck={false}
          placeholder="id, text, source, reason"
          onInput={(event) => set({ search: event.currentTarget.value })}
        />
      </label>
      <Choice
        label="Outcome"
        value={now.outcome}
        values={['kept', 'cut', 'gone', ...(reshaped.value === undefined ? [] : ['changed'])]}
        choose={(outcome) => set({ outcome: outcome as Filter['outcome'] })}
      />
      <Choice
        label="Stage"
        value={now.stage}
        values={valuesOf(all, (row) => row.eviction?.stage)}
        choose={(stage) => set({ stage })}
      />
      <Choice
        label="Reason"
        value={now.reason}
        values={valuesOf(all, (row) => row.eviction?.reason)}
        choose={(reason) => set({ reason })}
      />
      <Choice
        label="Source"
        value={now.source}
        values={valuesOf(all, (row) => row.source)}
        choose={(source) => set({ source })}
      />
      <label>
        <span>Order</span>
        <select
          value={sort.value}
          onChange={(event) => {
            sort.value = event.currentTarget.value as Sort;
          }}
        >
          <option value="result">result</option>
          <option value="input">input</option>
          <option value="relevance">relevance</option>
        </select>
      </label>
      <button
        type="button"
        class="small"
        disabled={!isFiltered}
        onClick={() => {
          filter.value = NO_FILTER;
        }}
      >
        Clear
      </button>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  values: readonly string[];
  choose: (value: string) => void;
}

function Choice({ label, value, values, choose }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">all</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
