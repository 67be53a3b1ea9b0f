/** The question, the figures of the run, and the choice of run and colours. */
import { place, recorded, report, run, runs, showRun, showsHelp } from '../state.js';
import { toggleTheme } from '../theme.js';
import { count, decimals } from './format.js';
import { Words } from './Text.js';

export function Header() {
  const { input, kept, tokens, query, answerable } = report.value;
  const share = tokens.input === 0 ? 0 : Math.round(100 * (1 - tokens.output / tokens.input));
  return (
    <header class="top">
      <div class="bar-of-page">
        <span class="product">{document.title}</span>
        {runs.length > 1 ? (
          <label class="run-choice">
            <span class="visually-hidden">Run</span>
            <select value={place.value} onChange={(event) => showRun(Number(event.currentTarget.value))}>
              {runs.map(({ name }, at) => (
                // Two runs may have one name.
                <option key={at} value={at}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span class="run-name">{run.value?.name}</span>
        )}
        <span class="tools">
          <button type="button" class="small" onClick={toggleTheme}>
            Dark / light
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              showsHelp.value = true;
            }}
          >
            Keys
          </button>
        </span>
      </div>
      <h1 dir="auto">
        <Words text={query || 'No question'} />
      </h1>
      <dl class="figures">
        <div>
          <dt>chunks</dt>
          <dd>
            {count(input.length)} <Arrow /> <b>{count(kept.length)}</b>
          </dd>
        </div>
        <div>
          <dt>tokens{tokens.budget === null ? '' : ` of ${count(tokens.budget)} allowed`}</dt>
          <dd>
            {count(tokens.input)} <Arrow /> <b>{count(tokens.output)}</b>
          </dd>
        </div>
        <div>
          <dt>fewer tokens</dt>
          <dd>
            <b>{share} %</b>
          </dd>
        </div>
        {answerable !== undefined && (
          <div>
            <dt>answer in the chunks</dt>
            <dd>
              <b>{answerable.verdict}</b> {decimals(answerable.probability)}
            </dd>
          </div>
        )}
        <div class="digest">
          <dt>{report.value === recorded.value ? 'digest' : 'digest, not recorded'}</dt>
          <dd>
            <code title={report.value.digest}>{report.value.digest.slice(0, 12)}</code>
          </dd>
        </div>
      </dl>
    </header>
  );
}

const Arrow = () => (
  <>
    <span aria-hidden="true">→</span>
    <span class="visually-hidden">to</span>
  </>
);
