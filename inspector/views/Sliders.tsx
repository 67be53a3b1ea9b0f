/** Sliders that shape again, and the chunks that come and go. */
import { useEffect, useState } from 'preact/hooks';
import { effectOf } from '../model/effect.js';
import { currentOf, rangesOf } from '../model/ranges.js';
import { change, type Overrides, overrides, problem, recorded, report, reshaped, session } from '../state.js';
import { Jump } from './ChunkDetails.js';
import { count } from './format.js';

/** The most ids that are listed. */
const FEW = 12;

export function Sliders() {
  const opened = session.value;
  const ranges = rangesOf(recorded.value);
  const now = { ...currentOf(recorded.value), ...overrides.value };
  const isChanged = Object.keys(overrides.value).length > 0;
  return (
    <section class="sliders" aria-labelledby="sliders-title">
      <h2 id="sliders-title">Shape again</h2>
      {'missing' in opened ? (
        <p class="note">{opened.missing}</p>
      ) : (
        <>
          {opened.notes.map((note) => (
            <p key={note} class="note warn">
              {note}
            </p>
          ))}
          <Slider name="maxTokens" label="Budget in tokens" value={now.maxTokens} {...ranges.maxTokens} />
          <Slider name="k" label="Most chunks (k)" value={now.k} {...ranges.k} />
          {now.lambda !== undefined && (
            <Slider name="lambda" label="Lambda" value={now.lambda} {...ranges.lambda} />
          )}
          <p class="row">
            <button type="button" class="small" disabled={!isChanged} onClick={() => change({})}>
              Back to the recorded run
            </button>
          </p>
          {problem.value !== '' && <p class="note warn">{problem.value}</p>}
          {isChanged && reshaped.value !== undefined && <Effect />}
        </>
      )}
      <Announcement />
    </section>
  );
}

interface SliderProps {
  name: keyof Overrides;
  label: string;
  /** Null: no limit, the right end of the slider. */
  value: number | null;
  min: number;
  max: number;
  step: number;
  isLimit: boolean;
}

function Slider({ name, label, value, min, max, step, isLimit }: SliderProps) {
  const set = (next: number) => {
    if (!Number.isFinite(next)) return;
    void change({ ...overrides.value, [name]: isLimit && next >= max ? null : Math.max(min, next) });
  };
  const shown = value === null ? 'no limit' : step < 1 ? value.toFixed(2) : count(value);
  return (
    <div class="slider">
      <label for={`slide-${name}`}>{label}</label>
      <output for={`slide-${name}`}>{shown}</output>
      <input
        id={`slide-${name}`}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value ?? max}
        aria-valuetext={shown}
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
      <input
        class="exact"
        type="number"
        aria-label={`${label}, exactly`}
        min={min}
        max={max}
        step={step}
        value={value ?? ''}
        placeholder="none"
        onChange={(event) => set(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

function Effect() {
  const { kept, came, went, recut } = effectOf(recorded.value, report.value);
  return (
    <div class="effect">
      <p>
        <b>{count(kept)}</b> kept, {count(report.value.tokens.output)} tokens
      </p>
      <Changed label="came" chunks={came} />
      <Changed label="went" chunks={went} />
      <Changed label="cut differently" chunks={recut} />
      {came.length + went.length + recut.length === 0 && <p>The same chunks as in the recorded run.</p>}
    </div>
  );
}

function Changed({ label, chunks }: { label: string; chunks: { id: string; index: number }[] }) {
  if (chunks.length === 0) return null;
  return (
    <p class={`changed ${label.split(' ')[0]}`}>
      <b>
        {count(chunks.length)} {label}
      </b>{' '}
      {chunks.slice(0, FEW).map(({ id, index }) => (
        <Jump key={index} id={id} index={index} />
      ))}
      {chunks.length > FEW && <span> and {count(chunks.length - FEW)} more</span>}
    </p>
  );
}

/** A pause after which the newest result is announced. */
const PAUSE_MS = 500;

/** Tells screen readers the result, once the slider rests. */
function Announcement() {
  const [text, setText] = useState('');
  const now = reshaped.value;
  useEffect(() => {
    if (now === undefined) return setText('');
    const { kept, came, went } = effectOf(recorded.value, now);
    const said = `${count(kept)} chunks kept, ${count(now.tokens.output)} tokens. ${count(came.length)} came and ${count(went.length)} went.`;
    const timer = setTimeout(() => setText(said), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <p class="visually-hidden" role="status">
      {text}
    </p>
  );
}
