/** Everything else about one chunk: its explanation, its facts, its conflicts. */

import { rivalsOf } from '../model/conflicts.js';
import type { Row } from '../model/rows.js';
import { replacedBy } from '../model/rows.js';
import { report, rowByIndex, rows } from '../state.js';
import { Explained } from './Explained.js';
import { count, decimals } from './format.js';
import { Jump } from './Jump.js';

export function ChunkDetails({ row }: { row: Row }) {
  const { entry } = row;
  return (
    <div class="details">
      <Explained row={row} />
      <Links row={row} />
      {row.text === undefined && <p class="note">The text of this chunk was not recorded.</p>}
      <dl class="facts">
        <Fact name="input place">{row.index + 1}</Fact>
        <Fact name="source">{row.source}</Fact>
        <Fact name="position">{row.eviction?.position ?? entry?.sources[0]?.position}</Fact>
        <Fact name="score of the retriever">
          {entry?.score === undefined ? undefined : decimals(entry.score, 3)}
        </Fact>
        <Fact name="log-odds of relevance, by feature">{featuresOf(row)}</Fact>
        <Fact name="utility in nats">
          {entry?.utility === undefined ? undefined : decimals(entry.utility)}
        </Fact>
        <Fact name="selected as number">{entry?.rank === undefined ? undefined : count(entry.rank + 1)}</Fact>
        <Fact name="also in">
          {entry?.sources
            .slice(1)
            .map(({ id }) => id)
            .join(', ') || undefined}
        </Fact>
      </dl>
    </div>
  );
}

/** The features that count, the strongest first. */
const featuresOf = ({ features = {} }: Row): string | undefined =>
  Object.entries(features)
    .filter(([, share]) => share !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, share]) => `${name} ${decimals(share)}`)
    .join(', ') || undefined;

function Fact({ name, children }: { name: string; children: string | number | undefined }) {
  if (children === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Ways to the chunk that stayed in its place, and to those that say something else. */
function Links({ row }: { row: Row }) {
  const kept = replacedBy(row, rows.value);
  const others = rivalsOf(row.index, report.value.conflicts);
  if (kept === undefined && others.length === 0) return null;
  return (
    <p class="links">
      {kept !== undefined && (
        <span>
          Kept in its place: <Jump index={kept.index} id={kept.id} />
        </span>
      )}
      {others.length > 0 && 'It conflicts with '}
      {others.map((index) => (
        <Jump key={index} index={index} id={rowByIndex.value.get(index)?.id ?? ''} />
      ))}
    </p>
  );
}
