/** Sliders that shape again, and the chunks that come and go. */
import { useEffect, useState } from 'preact/hooks';
import { effectOf } from '../model/effect.js';
import { currentOf, type Range, rangesOf, stopOf } from '../model/ranges.js';
import { change, type Overrides, overrides, problem, recorded, report, reshaped, session } from '../state.js';
import { chunks, count } from './format.js';
import { Jump } from './Jump.js';

/** The most ids that are listed. */
const FEW = 12;

export function Sliders() {
  const opened = session.value;
  const ranges = rangesOf(recorded.value);
  const now = { ...currentOf(recorded.value), ...overrides.value };
  const isChanged = Object.keys(overrides.value).length > 0;
  return (
    <>
      <details class="sliders" open={matchMedia('(min-width: 900px)').matches}>
        <summary>
          <h2>Shape again</h2>
        </summary>
        {'missing' in opened ? (
          <p class="note">{opened.missing}</p>
        ) : (
          <>
            {opened.notes.map((note) => (
              <p key={note} class="note warn">
                {note}
              </p>
            ))}
            <Slider
              name="maxTokens"
              label="Budget"
              about="The most tokens of the context."
              value={now.maxTokens}
              {...ranges.maxTokens}
            />
            <Slider name="k" label="k" about="The most chunks of the context." value={now.k} {...ranges.k} />
            {now.lambda !== undefined && (
              <Slider
                name="lambda"
                label="Lambda"
                about="1 is relevance only, 0 is diversity only."
                value={now.lambda}
                {...ranges.lambda}
              />
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
      </details>
      <Announcement />
    </>
  );
}

interface SliderProps extends Range {
  name: keyof Overrides;
  label: string;
  /** Its meaning in one line. */
  about: string;
  /** Null: no limit, the right end of the slider. */
  value: number | null;
}

function Slider({ name, label, about, value, ...range }: SliderProps) {
  const { stops, isLimit } = range;
  const [min, max] = [stops[0] as number, stops.at(-1) as number];
  const set = (next: number) => {
    if (!Number.isFinite(next)) return;
    void change({ ...overrides.value, [name]: isLimit && next >= max ? null : Math.max(min, next) });
  };
  const isShare = !isLimit;
  const shown = value === null ? 'no limit' : isShare ? value.toFixed(2) : count(value);
  return (
    <div class="slider">
      <label for={`slide-${name}`}>{label}</label>
      <output for={`slide-${name}`}>{shown}</output>
      <input
        id={`slide-${name}`}
        type="range"
        min={0}
        max={stops.length - 1}
        step={1}
        value={stopOf(range, value ?? max)}
        aria-valuetext={shown}
        aria-describedby={`about-${name}`}
        onInput={(event) => set(stops[event.currentTarget.valueAsNumber] as number)}
      />
      <input
        id={`exact-${name}`}
        class="exact"
        type="number"
        aria-label={`${label}, exactly`}
        min={min}
        max={max}
        step={isShare ? 0.01 : 1}
        value={value ?? ''}
        placeholder="none"
        onChange={(event) => set(event.currentTarget.valueAsNumber)}
      />
      <p id={`about-${name}`} class="note">
        {about}
      </p>
    </div>
  );
}

function Effect() {
  const { kept, came, went, recut } = effectOf(recorded.value, report.value);
  return (
    <div class="effect">
      <p>
        {chunks(recorded.value.kept.length)} − {count(went.length)} + {count(came.length)} ={' '}
        <b>{count(kept)}</b>
      </p>
      <Changed label="came" entries={came} />
      <Changed label="went" entries={went} />
      <Changed label="cut differently" entries={recut} />
      {came.length + went.length + recut.length === 0 && <p>The same chunks as in the recorded run.</p>}
    </div>
  );
}

function Changed({ label, entries }: { label: string; entries: { id: string; index: number }[] }) {
  if (entries.length === 0) return null;
  return (
    <p class={`changed ${label.split(' ')[0]}`}>
      <b>
        {count(entries.length)} {label}
      </b>{' '}
      {entries.slice(0, FEW).map(({ id, index }) => (
        <Jump key={index} id={id} index={index} />
      ))}
      {entries.length > FEW && <span> and {count(entries.length - FEW)} more</span>}
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
