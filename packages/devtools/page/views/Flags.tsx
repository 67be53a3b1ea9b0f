/** Chunks that are flagged, those of the context first, and fallbacks that were used. */
import { said } from 'context-shaping/internal';
import { report, rows } from '../state.js';
import { count } from './format.js';
import { Jump } from './Jump.js';
import { Words } from './Text.js';

export function Flags() {
  const { degradations } = report.value;
  const flagged = rows.value.filter(({ flags }) => flags.length > 0);
  const inContext = flagged.filter(({ outcome }) => outcome !== 'gone').length;
  return (
    <>
      {flagged.length > 0 && (
        <section aria-labelledby="flags-title">
          <h2 id="flags-title">
            Flagged chunks: {count(inContext)} in the context, {count(flagged.length - inContext)} left out
          </h2>
          <ul class="plain">
            {flagged.map(({ id, index, outcome, flags }) => (
              <li key={index}>
                <Jump index={index} id={id} /> {outcome === 'gone' && <span class="tag">left out</span>}{' '}
                <Words text={flags.map(said).join('; ')} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {degradations.length > 0 && (
        <section aria-labelledby="fallbacks-title">
          <h2 id="fallbacks-title">Fallbacks: {count(degradations.length)}</h2>
          <ul class="plain">
            {degradations.map(({ stage, code, message }, at) => (
              <li key={at}>
                <b>{stage}</b> <span class="tag">{code}</span> <Words text={message} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
