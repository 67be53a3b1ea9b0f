/** Two runs side by side: recorded values that differ, and chunks that came, went or moved. */
import type { ShapingReport } from 'context-shaping';
import { useState } from 'preact/hooks';
import { differenceInWords } from '../../src/lockfile/format-diff.js';
import { type ContextLockfile, diffContexts } from '../../src/lockfile/index.js';
import { compare, type Pair } from '../model/compare.js';
import { type Row, rowsOf } from '../model/rows.js';
import { place, reshaped, rows, runs, textsOf } from '../state.js';
import { count, decimals } from './format.js';
import { Words } from './Text.js';

/** Stands for the run with the sliders as they are now. */
const NOW = -1;

export function Compare() {
  const shown = place.value;
  const [one, setOne] = useState(shown);
  const [other, setOther] = useState(reshaped.value === undefined ? (shown + 1) % runs.value.length : NOW);
  const [before, now] = [sideOf(one), sideOf(other)];
  if (before === undefined || now === undefined) return null;
  const { differences } = diffContexts(before.recorded, now.recorded);
  const pairs = compare(before.rows, now.rows);
  return (
    <>
      <div class="two">
        <RunChoice label="First run" value={one} choose={setOne} />
        <RunChoice label="Second run" value={other} choose={setOther} />
      </div>
      {differences.length > 0 && (
        <table class="options">
          <caption>Recorded values that differ</caption>
          <tbody>
            {differences.map((difference) => {
              const [old, current] = differenceInWords(difference);
              return (
                <tr key={difference.path}>
                  <th scope="row">
                    <code>
                      <Words text={difference.path} />
                    </code>
                  </th>
                  <td>
                    <Words text={old} /> <span aria-hidden="true">→</span>{' '}
                    <span class="visually-hidden">to</span> <Words text={current} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <p class="found" role="status">
        {pairs.length === 0 ? 'Every chunk has the same outcome in both.' : summaryOf(pairs)}
      </p>
      <ol class="pairs">
        {pairs.map((pair) => (
          <li key={`${pair.before?.index} ${pair.now?.index}`}>
            <p>
              <code class="id">
                <Words text={pair.id} />
              </code>{' '}
              <span class={`tag ${pair.difference.split(' ')[0]}`}>{pair.difference}</span>{' '}
              {pair.hasOtherText && <span class="tag warn">other text</span>}
            </p>
            <div class="sides">
              <OutcomeOf row={pair.before} />
              <OutcomeOf row={pair.now} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

interface Side {
  rows: readonly Row[];
  recorded: ContextLockfile | ShapingReport;
}

/** With the sliders: the rows as they are shown. */
function sideOf(at: number): Side | undefined {
  const { report, lockfile } = runs.value[at] ?? {};
  if (report !== undefined)
    return { rows: rowsOf(report, textsOf(runs.value[at])), recorded: lockfile ?? report };
  return reshaped.value && { rows: rows.value, recorded: reshaped.value };
}

function summaryOf(pairs: readonly Pair[]): string {
  const counts = new Map<string, number>();
  for (const { difference } of pairs) counts.set(difference, (counts.get(difference) ?? 0) + 1);
  return Array.from(counts, ([difference, number]) => `${count(number)} ${difference}`).join(', ');
}

function OutcomeOf({ row }: { row: Row | undefined }) {
  if (row === undefined) return <p class="note">not in this input</p>;
  return (
    <p>
      <span class={`outcome ${row.outcome}`}>{row.outcome === 'gone' ? 'left out' : row.outcome}</span>{' '}
      {row.place !== undefined && <span>at place {row.place}, </span>}
      {count(row.tokens)} tokens, relevance {decimals(row.relevance)}{' '}
      <span class="why">
        {row.eviction?.reason} <Words text={row.why} />
      </span>
    </p>
  );
}

interface RunChoiceProps {
  label: string;
  value: number;
  choose: (at: number) => void;
}

function RunChoice({ label, value, choose }: RunChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {runs.value.map(({ name }, at) => (
          // Two runs may have one name.
          <option key={at} value={at}>
            {name}
          </option>
        ))}
        {reshaped.value !== undefined && <option value={NOW}>with the sliders as they are</option>}
      </select>
    </label>
  );
}
