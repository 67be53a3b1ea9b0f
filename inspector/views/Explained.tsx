/** The reason of one outcome in sentences, and the values of the options at which it would be another. */
import { type Explanation, explain, formatExplanation, type KeptRanges } from 'context-shaping/explain';
import { useEffect, useState } from 'preact/hooks';
import type { Row } from '../model/rows.js';
import { change, exact, type Overrides, overrides, report } from '../state.js';
import { Jump } from './ChunkDetails.js';
import { count } from './format.js';
import { Words } from './Text.js';

/** A pause before runs begin, so that a moving slider starts none. */
const PAUSE_MS = 300;
/** With more tokens, the search takes so long that it waits for a click. */
const MOST_TOKENS = 20_000;

interface Told {
  explanation?: Explanation;
  search: 'on' | 'off' | 'waits';
}

export function Explained({ row }: { row: Row }) {
  const [isWanted, setWanted] = useState(false);
  const { explanation, search } = useExplanation(row.index, isWanted);
  if (explanation === undefined) return <p class="sentences">{row.why}</p>;
  const { rivals, counterfactuals, outcome } = explanation;
  const isKept = outcome !== 'evicted';
  // A reader of the page cannot give the input.
  const claims = explanation.claims.filter(({ kind }) => kind !== 'needs-input');
  const said = formatExplanation({ ...explanation, claims }, { width: Number.POSITIVE_INFINITY }).split('\n');
  return (
    <>
      <div class="sentences">
        {said.map((sentence) => (
          <p key={sentence}>
            <Words text={sentence} />
          </p>
        ))}
      </div>
      {rivals.length > 0 && (
        <p class="links">
          Chunks with an advantage:{' '}
          {rivals.map(({ id, index }) => (
            <Jump key={index} id={id} index={index} />
          ))}
        </p>
      )}
      {search === 'waits' && (
        <button type="button" class="small" onClick={() => setWanted(true)}>
          Find the values that would change this (may take minutes)
        </button>
      )}
      {search === 'on' && (
        <p class="note searching">Shaping again, to find the values that would change this …</p>
      )}
      {counterfactuals !== undefined && (
        <div class="ranges note">
          <RangeOf
            name="maxTokens"
            label="Budgets that keep it:"
            ranges={counterfactuals.maxTokens}
            isKept={isKept}
          />
          <RangeOf name="k" label="Values of k that keep it:" ranges={counterfactuals.k} isKept={isKept} />
          <RangeOf
            name="lambda"
            label="Values of lambda that keep it:"
            ranges={counterfactuals.lambda}
            isKept={isKept}
          />
        </div>
      )}
    </>
  );
}

/** First what the report tells, then what further runs tell. */
function useExplanation(index: number, isWanted: boolean): Told {
  const [told, setTold] = useState<Told>({ search: 'off' });
  const [now, runs] = [report.value, exact.value];
  useEffect(() => {
    const { signal, abort } = abortable();
    const show = (next: Told) => {
      if (!signal.aborted) setTold(next);
    };
    const fail = (error: unknown) => {
      if (!signal.aborted) throw error;
    };
    const search = runs === undefined ? 'off' : isWanted || now.tokens.input <= MOST_TOKENS ? 'on' : 'waits';
    explain(now, index, { signal })
      .then((explanation) => show({ explanation, search }))
      .catch(fail);
    const timer = setTimeout(() => {
      if (runs === undefined || search === 'waits') return;
      explain(runs, index, { signal })
        .then((explanation) => show({ explanation, search: 'off' }))
        .catch(fail);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort();
    };
  }, [index, now, runs, isWanted]);
  return told;
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

interface RangeProps {
  name: keyof Overrides;
  label: string;
  ranges: KeptRanges | undefined;
  isKept: boolean;
}

/** The values that keep the chunk, and a button for the least of them. */
function RangeOf({ name, label, ranges, isKept }: RangeProps) {
  if (ranges === undefined || ranges.tried.to <= ranges.tried.from) return null;
  const { tried, kept, least } = ranges;
  const shown = (value: number) => (name === 'lambda' ? value.toFixed(2) : count(value));
  const said = kept.map(([from, to]) =>
    from <= tried.from && (to === null || to >= tried.to)
      ? 'every value'
      : to === null
        ? `${shown(from)} or more`
        : from === to
          ? shown(from)
          : `${shown(from)} to ${shown(to)}`,
  );
  return (
    <p class="range">
      {label} {said.length === 0 ? 'none' : said.slice(0, 4).join(', ')}
      {said.length > 4 && ` and ${said.length - 4} more ranges`}{' '}
      {least !== null && !isKept && (
        <button type="button" class="small" onClick={() => change({ ...overrides.value, [name]: least })}>
          Try {shown(least)}
        </button>
      )}
    </p>
  );
}
