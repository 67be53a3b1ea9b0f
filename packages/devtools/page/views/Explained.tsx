/** The reason of one outcome in sentences, and values of the options that change it. */
import { type Explanation, explain, type NearestValue } from 'context-shaping/explain';
import { useEffect, useState } from 'preact/hooks';
import type { Row } from '../model/rows.js';
import { change, exact, type Overrides, overrides, report } from '../state.js';
import { count } from './format.js';
import { Jump } from './Jump.js';
import { Words } from './Text.js';

/** A pause before runs begin, so that a moving slider starts none. */
const PAUSE_MS = 300;

interface Told {
  explanation?: Explanation;
  isSearching: boolean;
}

export function Explained({ row }: { row: Row }) {
  const { explanation, isSearching } = useExplanation(row.index);
  if (explanation === undefined) return <p class="sentences">{row.why}</p>;
  const { rivals, counterfactuals, outcome } = explanation;
  const isKept = outcome !== 'evicted';
  return (
    <>
      <div class="sentences">
        {explanation.sentences.map((sentence) => (
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
      {isSearching && (
        <p class="note searching">Shaping again, to find the values that would change this …</p>
      )}
      {counterfactuals !== undefined && (
        <div class="ranges note">
          {(['maxTokens', 'k'] as const).map((name) => (
            <ValueOf key={name} name={name} values={counterfactuals[name]} isKept={isKept} />
          ))}
        </div>
      )}
    </>
  );
}

/** First what the report tells, then what further runs tell. */
function useExplanation(index: number): Told {
  const [told, setTold] = useState<Told>({ isSearching: false });
  const [now, runs] = [report.value, exact.value];
  useEffect(() => {
    const { signal, abort } = abortable();
    const show = (next: Told) => {
      if (!signal.aborted) setTold(next);
    };
    const fail = (error: unknown) => {
      if (!signal.aborted) throw error;
    };
    explain(now, index, { signal })
      .then((explanation) => show({ explanation, isSearching: runs !== undefined }))
      .catch(fail);
    const timer = setTimeout(() => {
      if (runs === undefined) return;
      explain(runs, index, { signal })
        .then((explanation) => show({ explanation, isSearching: false }))
        .catch(fail);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort();
    };
  }, [index, now, runs]);
  return told;
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

interface ValueProps {
  name: keyof Overrides;
  values: NearestValue | undefined;
  isKept: boolean;
}

/** A value that changes the outcome, and a button for it. */
function ValueOf({ name, values, isKept }: ValueProps) {
  if (values === undefined || values.nearest === null) return null;
  const { option, nearest } = values;
  return (
    <p class="range">
      {isKept ? 'It goes with' : 'It comes back with'} {option}: {count(nearest)}{' '}
      {!isKept && (
        <button type="button" class="small" onClick={() => change({ ...overrides.value, [name]: nearest })}>
          Try {count(nearest)}
        </button>
      )}
    </p>
  );
}
