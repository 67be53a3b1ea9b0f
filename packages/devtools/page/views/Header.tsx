/** The question, the figures of the run, the search, and the choice of run and colours. */
import { filter, place, report, run, runs, showRun } from '../state.js';
import { toggleTheme } from '../theme.js';
import { count, decimals } from './format.js';
import { Words } from './Text.js';

export function Header() {
  const { input, kept, evicted, tokens, query, answerable } = report.value;
  return (
    <header class="top">
      <div class="bar-of-page">
        <span class="product">{document.title}</span>
        {runs.value.length > 1 ? (
          <label class="run-choice">
            <span class="visually-hidden">Run</span>
            <select value={place.value} onChange={(event) => showRun(Number(event.currentTarget.value))}>
              {runs.value.map(({ name }, at) => (
                // Two runs may have one name.
                <option key={at} value={at}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : (
          run.value?.name !== query && <span class="run-name">{run.value?.name}</span>
        )}
        <span class="tools">
          <input
            id="search"
            type="search"
            aria-label="Search"
            value={filter.value.search}
            autocomplete="off"
            spellcheck={false}
            placeholder="Search all chunks"
            onInput={(event) => {
              filter.value = { ...filter.value, search: event.currentTarget.value };
            }}
          />
          <button type="button" class="small" onClick={toggleTheme}>
            Dark / light
          </button>
        </span>
      </div>
      <h1 dir="auto">
        <Words text={query || 'No question'} />
      </h1>
      <dl class="figures">
        <Figure name="chunks in the context" value={kept.length} note={`of ${count(input.length)}`} />
        <Figure
          name="tokens"
          value={tokens.output}
          note={tokens.budget === null ? 'no limit' : `of ${count(tokens.budget)}`}
        />
        <Figure name="left out" value={evicted.length} href="#left-out" />
        {answerable !== undefined && (
          <Figure
            name="answer in the chunks"
            value={answerable.verdict}
            note={decimals(answerable.probability)}
          />
        )}
      </dl>
    </header>
  );
}

interface FigureProps {
  name: string;
  value: number | string;
  note?: string;
  /** The section that has more. */
  href?: string;
}

function Figure({ name, value, note, href }: FigureProps) {
  const shown = typeof value === 'number' ? count(value) : value;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {href === undefined || value === 0 ? (
          <b>{shown}</b>
        ) : (
          <a class="link" href={href}>
            <b>{shown}</b>
          </a>
        )}{' '}
        {note}
      </dd>
    </div>
  );
}
