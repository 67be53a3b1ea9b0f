/** The way of the chunks through the stages, as a river whose width is the number of tokens. */
import { defaultStage } from '../../src/default-stages.js';
import { type Step, stepsOf } from '../model/flow.js';
import { filter, report, tab } from '../state.js';
import { chunks, count } from './format.js';

export function Flow() {
  const steps = stepsOf(report.value);
  const widest = Math.max(1, report.value.tokens.input);
  return (
    <section class="flow" aria-labelledby="flow-title">
      <h2 id="flow-title">Stage by stage</h2>
      <ol>
        {steps.map((step) => (
          <li key={step.name} class={step.tokens.after === step.tokens.before ? 'idle' : ''}>
            <River step={step} widest={widest} />
            <div class="stage">
              <p class="stage-name">
                <b>{step.name}</b> <span class="purpose">{defaultStage(step.name)?.task}</span>
              </p>
              <Losses step={step} />
            </div>
            <p class="left">
              <span>
                <b>{count(step.chunks.after)}</b> chunks
              </span>{' '}
              <span>
                <b>{count(step.tokens.after)}</b> tokens
              </span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Losses({ step }: { step: Step }) {
  if (step.reasons.length === 0 && step.cut === 0) return null;
  return (
    <ul class="losses">
      {step.reasons.map(({ reason, ...gone }) => (
        <li key={reason}>
          <button
            type="button"
            class="link"
            onClick={() => {
              tab.value = 'Chunks';
              filter.value = {
                ...filter.value,
                outcome: '',
                stage: step.name,
                reason,
                source: '',
                search: '',
              };
              document.getElementById('chunks')?.scrollIntoView();
            }}
          >
            −{chunks(gone.chunks)}, {count(gone.tokens)} tokens: {reason}
          </button>
        </li>
      ))}
      {step.cut > 0 && <li>−{count(step.cut)} tokens cut from kept chunks</li>}
    </ul>
  );
}

/** Units of the drawing. The browser stretches it to the cell. The widest river leaves room for its losses. */
const SIZE = 100;
const RIVER = 86;

/** Kept tokens flow straight down, lost ones leave to the right. */
function River({ step: { tokens }, widest }: { step: Step; widest: number }) {
  const [before, after] = [tokens.before, tokens.after].map((each) => (RIVER * each) / widest) as [
    number,
    number,
  ];
  return (
    <div class="river">
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
        {before > after && (
          <path
            class="lost"
            d={`M${after} 0 H${before} C${before} 35 ${Math.max(before, SIZE - 8)} 30 ${SIZE} 42 V88 C${after} 82 ${after} 60 ${after} 0 Z`}
          />
        )}
        <rect class="kept" x="0" y="0" width={after} height={SIZE} />
      </svg>
    </div>
  );
}
