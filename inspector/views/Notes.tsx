/** Fallbacks that were used, flags, and groups that say the same. */
import type { Flag } from 'context-shaping';
import { report } from '../state.js';
import { Jump } from './ChunkDetails.js';
import { Words } from './Text.js';

export function Notes() {
  const { degradations, flags, support } = report.value;
  return (
    <>
      <h3>Fallbacks</h3>
      {degradations.length === 0 && <p class="note">No stage used a fallback.</p>}
      <ul class="plain">
        {degradations.map(({ stage, code, message }, at) => (
          <li key={at}>
            <b>{stage}</b> <span class="tag">{code}</span> <Words text={message} />
          </li>
        ))}
      </ul>
      <h3>Flags</h3>
      {flags.length === 0 && <p class="note">No chunk is flagged.</p>}
      <ul class="plain">
        {flags.map(({ id, index, flags: own }) => (
          <li key={index}>
            <Jump index={index} id={id} />{' '}
            {own.map((flag) => (
              <span key={flag.kind}>
                <span class="tag warn">{flag.kind}</span> <Words text={evidence(flag)} />{' '}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {support.length > 0 && (
        <>
          <h3>Groups that say the same</h3>
          <ul class="plain">
            {support.map(({ ids, indices, says, sources }) => (
              <li key={indices.join()}>
                {ids.map((id, at) => (
                  <Jump key={indices[at]} index={indices[at] as number} id={id} />
                ))}{' '}
                from {sources} {sources === 1 ? 'document' : 'documents'}: {says.join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The fields of a flag beside its kind. */
function evidence({ kind: _, ...fields }: Flag): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'number' ? Math.round(100 * value) / 100 : value}`)
    .join(', ');
}
