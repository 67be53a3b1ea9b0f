/** Two runs side by side: options, and chunks that came, went or moved. */
import type { ContextDiff } from 'context-shaping/lockfile';
import { diffContexts } from 'context-shaping/lockfile';
import { useEffect, useState } from 'preact/hooks';
import { inWords } from '../../adapters/lockfile/diff/format.js';
import { changedOptions, compare, type Pair, type Side } from '../model/compare.js';
import { type Row, rowsOf } from '../model/rows.js';
import { place, reshaped, rows, runs, textsOf } from '../state.js';
import { count, decimals } from './format.js';
import { Words } from './Text.js';

/** Stands for the run with the sliders as they are now. */
const NOW = -1;

export function Compare() {
  const shown = place.value;
  const [one, setOne] = useState(shown);
  const [other, setOther] = useState(reshaped.value === undefined ? (shown + 1) % runs.length : NOW);
  const [before, now] = [sideOf(one), sideOf(other)];
  if (before === undefined || now === undefined) return null;
  const options = changedOptions(before.options, now.options);
  const pairs = compare(before, now);
  const diff = useDiff(one, other);
  return (
    <>
      <div class="filters two">
        <RunChoice label="First run" value={one} choose={setOne} />
        <RunChoice label="Second run" value={other} choose={setOther} />
      </div>
      {diff !== undefined && <Causes causes={diff.causes} />}
      {diff === undefined && options.length > 0 && (
        <table class="options">
          <caption>Options that differ</caption>
          <tbody>
            {options.map(({ path, before: old, now: current }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td>
                  {old} <span aria-hidden="true">→</span> <span class="visually-hidden">to</span> {current}
                </td>
              </tr>
            ))}
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
              <CauseOf id={pair.id} diff={diff} />
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

/** Differences of two recorded contexts with their effects. Undefined: not known yet, or one has only a report. */
function useDiff(one: number, other: number): ContextDiff | undefined {
  const [found, setFound] = useState<{ of: string; diff: ContextDiff }>();
  const of = `${one} ${other}`;
  useEffect(() => {
    const [from, to] = [runs[one]?.lockfile, runs[other]?.lockfile];
    if (from === undefined || to === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const fail = (error: unknown) => {
      if (!signal.aborted) throw error;
    };
    diffContexts(from, to, { signal })
      .then((diff) => setFound({ of, diff }))
      .catch(fail);
    return () => controller.abort();
  }, [of]);
  return found?.of === of ? found.diff : undefined;
}

const EFFECTS = { proven: 'changes the result', none: 'changes nothing', possible: 'not tried' } as const;

function Causes({ causes }: Pick<ContextDiff, 'causes'>) {
  if (causes.length === 0) return null;
  return (
    <table class="options">
      <caption>Differences between the runs, and whether each one alone changes the result</caption>
      <tbody>
        {causes.map((cause, at) => {
          const [change, before, now] = inWords(cause);
          return (
            <tr key={at}>
              <th scope="row">
                <Words text={change} />
              </th>
              <td>
                <Words text={before} /> <span aria-hidden="true">→</span>{' '}
                <span class="visually-hidden">to</span> <Words text={now} />
              </td>
              <td>
                <span class={`tag effect-${cause.effect}`}>{EFFECTS[cause.effect]}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The differences that are proven to have changed one chunk. A repeated id has none here. */
function CauseOf({ id, diff }: { id: string; diff: ContextDiff | undefined }) {
  const [own, second] = diff?.chunks.filter((chunk) => chunk.id === id) ?? [];
  if (diff === undefined || own === undefined || second !== undefined || own.causes.length === 0) return null;
  const causes = own.causes.flatMap((place) => diff.causes[place] ?? []);
  return (
    <span class="note">
      because of <Words text={causes.map((cause) => inWords(cause)[0]).join(', ')} />{' '}
    </span>
  );
}

/** With the sliders: the rows as they are shown. */
function sideOf(at: number): Side | undefined {
  const { report } = runs[at] ?? {};
  if (report !== undefined) return { rows: rowsOf(report, textsOf(runs[at])), options: report.options };
  return reshaped.value && { rows: rows.value, options: reshaped.value.options };
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
      <span class={`outcome ${row.outcome}`}>{row.outcome}</span>{' '}
      {row.place !== undefined && <span>at place {row.place}, </span>}
      {count(row.tokens)} tokens, relevance {decimals(row.relevance)}{' '}
      <span class="why">
        {row.eviction?.stage} <Words text={row.why} />
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
        {runs.map(({ name }, at) => (
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
