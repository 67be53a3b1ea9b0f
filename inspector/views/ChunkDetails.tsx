/** Everything about one chunk: its reason, its text with cuts, its features, its differences. */
import type { ConflictSide } from 'context-shaping';
import type { Row } from '../model/rows.js';
import { replacedBy } from '../model/rows.js';
import { goTo, report, rival, rowByIndex, rows, searched } from '../state.js';
import { Explained } from './Explained.js';
import { Features } from './Features.js';
import { count, decimals } from './format.js';
import { Text } from './Text.js';

export function ChunkDetails({ row }: { row: Row }) {
  const { entry, text } = row;
  return (
    <div class="details">
      <Explained row={row} />
      <Links row={row} />
      {text === undefined ? (
        <p class="note">The text of this chunk was not recorded.</p>
      ) : (
        <Text text={text} excerpts={entry?.excerpts} marked={searched.value} />
      )}
      <dl class="facts">
        <Fact name="input place">{row.index + 1}</Fact>
        <Fact name="source">{row.source}</Fact>
        <Fact name="position">{row.eviction?.position ?? entry?.sources[0]?.position}</Fact>
        <Fact name="score of the retriever">
          {entry?.score === undefined ? undefined : decimals(entry.score, 3)}
        </Fact>
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
      <Features row={row} rival={rival.value} />
    </div>
  );
}

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
  const others = new Set(
    report.value.conflicts.flatMap(({ sides }) => {
      const isOther = ({ indices }: ConflictSide) => !indices.includes(row.index);
      return sides.every(isOther) ? [] : sides.filter(isOther).flatMap(({ indices }) => indices);
    }),
  );
  if (kept === undefined && others.size === 0) return null;
  return (
    <p class="links">
      {kept !== undefined && (
        <span>
          In its place stayed <Jump index={kept.index} id={kept.id} />
        </span>
      )}
      {[...others].map((index) => (
        <span key={index}>
          It differs from <Jump index={index} id={rowByIndex.value.get(index)?.id ?? ''} />
        </span>
      ))}
    </p>
  );
}

/** A button that opens another chunk. */
export function Jump({ index, id }: { index: number; id: string }) {
  return (
    <button type="button" class="link" onClick={() => goTo(index)}>
      <code>{id}</code>
    </button>
  );
}
