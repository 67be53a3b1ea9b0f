/** Chunks that say different things about one subject: those that meet in the context, then the others. */
import type { Conflict, ConflictSide } from 'context-shaping';
import { conflictsInContext } from 'context-shaping/internal';
import { aboutSide } from '../model/conflicts.js';
import { report, rowByIndex } from '../state.js';
import { count } from './format.js';
import { Jump } from './Jump.js';
import { Text, Words } from './Text.js';

export function Conflicts() {
  const inContext = conflictsInContext(report.value);
  const others = report.value.conflicts.filter((each) => !inContext.includes(each));
  if (inContext.length + others.length === 0) return null;
  return (
    <details id="conflicts">
      <summary>
        <h2 id="conflicts-title">Conflicts in the context: {count(inContext.length)}</h2>
        <span class="subjects">
          <Words text={inContext.map(subjectOf).join(' · ')} />
        </span>
      </summary>
      <List conflicts={inContext} />
      {others.length > 0 && (
        <details>
          <summary>{count(others.length)} others, with at most one side in the context</summary>
          <List conflicts={others} />
        </details>
      )}
    </details>
  );
}

const subjectOf = ({ about, kinds }: Conflict) => about ?? kinds.join(', ');

const List = ({ conflicts }: { conflicts: readonly Conflict[] }) => (
  <ol class="conflicts">
    {conflicts.map((conflict, at) => (
      // A pair of chunks can differ in several places.
      <li key={at}>
        <Sides conflict={conflict} />
        <details>
          <summary>Texts side by side</summary>
          <div class="sides">
            {conflict.sides.map((side) => (
              <Statement key={side.indices.join()} side={side} />
            ))}
          </div>
        </details>
      </li>
    ))}
  </ol>
);

function Sides({ conflict }: { conflict: Conflict }) {
  const { sides, preferred } = conflict;
  return (
    <table class="compared">
      <caption>
        <b>
          <Words text={subjectOf(conflict)} />
        </b>{' '}
        {preferred !== undefined && <span class="note">The first comes first: {preferred}.</span>}
      </caption>
      <tbody>
        {sides.map((side) => (
          <tr key={side.indices.join()}>
            <th scope="row">
              <Words text={side.says ?? side.excerpt ?? '–'} />
            </th>
            <td>
              {side.indices.map((index, at) => (
                <span key={index}>
                  <Jump index={index} id={side.ids[at] ?? ''} />{' '}
                  {rowByIndex.value.get(index)?.outcome === 'gone' && <span class="tag">left out</span>}{' '}
                </span>
              ))}
              <Words text={aboutSide(side)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The text of the first chunk of a side. */
function Statement({ side: { indices, says, excerpt } }: { side: ConflictSide }) {
  const row = rowByIndex.value.get(indices[0] ?? -1);
  if (row?.text === undefined) return null;
  const words = says ?? excerpt;
  return (
    <article class="side">
      <Text
        text={row.text}
        excerpts={row.entry?.excerpts}
        marked={words === undefined ? [] : [words]}
        statement={excerpt}
      />
    </article>
  );
}
