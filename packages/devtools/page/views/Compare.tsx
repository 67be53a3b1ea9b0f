/** Two runs side by side: recorded values that differ, and chunks with another outcome. */
import type { ShapingReport } from 'context-shaping';
import { useState } from 'preact/hooks';
import { valueInWords } from '../../src/lockfile/format-diff.js';
import { type ChunkChange, type ContextLockfile, diffContexts } from '../../src/lockfile/index.js';
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
  const { differences, chunks, isReordered } = diffContexts(before.recorded, now.recorded);
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
            {differences.map(({ path, from, to }) => (
              <tr key={path}>
                <th scope="row">
                  <code>
                    <Words text={path} />
                  </code>
                </th>
                <td>
                  <Words text={valueInWords(from)} /> <span aria-hidden="true">→</span>{' '}
                  <span class="visually-hidden">to</span> <Words text={valueInWords(to)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="found" role="status">
        {summaryOf(chunks, isReordered)}
      </p>
      <ol class="pairs">
        {chunks.map(({ id, change, from, to }) => (
          <li key={`${from?.index} ${to?.index}`}>
            <p>
              <code class="id">
                <Words text={id} />
              </code>{' '}
              <span class={`tag ${change}`}>{CHANGES[change]}</span>
            </p>
            <div class="sides">
              <OutcomeOf row={before.rows.find(({ index }) => index === from?.index)} />
              <OutcomeOf row={now.rows.find(({ index }) => index === to?.index)} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

const CHANGES = { came: 'came', went: 'went', cut: 'cut differently', evicted: 'other reason' };

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

function summaryOf(chunks: readonly ChunkChange[], isReordered: boolean): string {
  const counts = new Map<string, number>();
  for (const { change } of chunks) counts.set(CHANGES[change], (counts.get(CHANGES[change]) ?? 0) + 1);
  const told = Array.from(counts, ([change, number]) => `${count(number)} ${change}`);
  if (isReordered) told.push('the kept ones have another order');
  return told.join(', ') || 'Every chunk has the same outcome in both.';
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
