/** The chunks that were left out: their reasons, and the chunks, the most relevant first. */
import { reasonsOf } from '../model/flow.js';
import { filter, report, shown } from '../state.js';
import { ChunkRow } from './ChunkRow.js';
import { chunks, count } from './format.js';

export function LeftOut() {
  const { evicted } = report.value;
  const found = shown.value.filter(({ outcome }) => outcome === 'gone');
  const { reason: chosen } = filter.value;
  if (evicted.length === 0) return null;
  return (
    <section id="left-out" aria-labelledby="left-out-title">
      <h2 id="left-out-title">Left out: {chunks(evicted.length)}</h2>
      <ul class="reasons">
        {reasonsOf(evicted).map(({ reason, meaning, ...gone }) => (
          <li key={reason}>
            <button
              type="button"
              class="small"
              aria-pressed={chosen === reason}
              onClick={() => {
                filter.value = { ...filter.value, reason: chosen === reason ? '' : reason };
              }}
            >
              <b>{count(gone.chunks)}</b> {reason}
            </button>{' '}
            {meaning}
          </li>
        ))}
      </ul>
      {found.length < evicted.length && (
        <p class="note">
          Shown: {count(found.length)} of {chunks(evicted.length)}.
        </p>
      )}
      <ol class="chunks">
        {found.map((row) => (
          <ChunkRow key={row.index} row={row} />
        ))}
      </ol>
    </section>
  );
}
