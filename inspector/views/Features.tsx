/** The features of a chunk as bars, beside those of the last kept chunk. */
import type { KeptEntry } from 'context-shaping';
import type { Row } from '../model/rows.js';
import { decimals, percent } from './format.js';

export function Features({ row, rival }: { row: Row; rival: KeptEntry | undefined }) {
  const own = row.features ?? {};
  const other = rival === undefined || rival.index === row.index ? undefined : (rival.features ?? {});
  const names = [...new Set([...Object.keys(own), ...Object.keys(other ?? {})])]
    .filter((name) => (own[name] ?? 0) > 0 || (other?.[name] ?? 0) > 0)
    .sort(
      (a, b) => Math.abs((own[b] ?? 0) - (other?.[b] ?? 0)) - Math.abs((own[a] ?? 0) - (other?.[a] ?? 0)),
    );
  if (row.features === undefined || names.length === 0) return null;
  const widest = Math.max(...names.flatMap((name) => [own[name] ?? 0, other?.[name] ?? 0]));
  return (
    <table class="features">
      <caption>
        Features of relevance
        {other !== undefined && (
          <>
            , beside the last kept chunk <code>{rival?.id}</code>
          </>
        )}
      </caption>
      <thead>
        <tr>
          <th scope="col">feature</th>
          <th scope="col">this chunk</th>
          {other !== undefined && <th scope="col">last kept</th>}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <Bar value={own[name] ?? 0} widest={widest} kind="own" />
            {other !== undefined && <Bar value={other[name] ?? 0} widest={widest} kind="other" />}
          </tr>
        ))}
        <tr class="sum">
          <th scope="row">relevance</th>
          <td>{decimals(row.relevance, 3)}</td>
          {other !== undefined && <td>{decimals(rival?.relevance, 3)}</td>}
        </tr>
      </tbody>
    </table>
  );
}

function Bar({ value, widest, kind }: { value: number; widest: number; kind: 'own' | 'other' }) {
  return (
    <td>
      <span class="bar" aria-hidden="true">
        <i class={kind} style={{ width: percent(value / widest) }} />
      </span>
      {decimals(value, 3)}
    </td>
  );
}
