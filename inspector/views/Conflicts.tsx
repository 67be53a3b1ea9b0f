/** Contradictions side by side, with the differing facts marked. */
import type { Conflict } from 'context-shaping';
import { useMemo } from 'preact/hooks';
import { surfacesOf } from '../model/surfaces.js';
import { report, rowByIndex } from '../state.js';
import { Jump } from './ChunkDetails.js';
import { Text } from './Text.js';

export function Conflicts() {
  const { conflicts } = report.value;
  if (conflicts.length === 0) return <p class="note">No two chunks contradict each other.</p>;
  return (
    <ol class="conflicts">
      {conflicts.map((conflict) => (
        <li key={conflict.indices.join()}>
          <p class="note">They differ in {conflict.kinds.join(', ')}. Neither was merged into the other.</p>
          <div class="sides">
            <Side conflict={conflict} side={0} />
            <Side conflict={conflict} side={1} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function Side({ conflict: { indices, ids, differences }, side }: { conflict: Conflict; side: 0 | 1 }) {
  const row = rowByIndex.value.get(indices[side]);
  const facts = differences[side];
  const text = row?.text;
  const marked = useMemo(() => (text === undefined ? [] : surfacesOf(text, facts)), [text, facts]);
  return (
    <article class="side">
      <p>
        <Jump index={indices[side]} id={ids[side]} />{' '}
        {row !== undefined && <span class={`outcome ${row.outcome}`}>{row.outcome}</span>}
      </p>
      <p class="note">{facts.length === 0 ? 'does not say it' : `says ${facts.join(', ')}`}</p>
      {row?.text !== undefined && <Text text={row.text} excerpts={row.entry?.excerpts} marked={marked} />}
    </article>
  );
}
